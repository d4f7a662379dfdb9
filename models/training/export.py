"""Exports trained weights to ONNX, with weights kept in 8 bits.

python export.py tagger --weights runs/tagger/best.pt --out ../weights/tagger
python export.py direction --weights runs/direction/best.pt --out ../weights/direction
"""
import argparse
import pathlib

import onnx
import torch
from torch import nn

from model import DirectionNet, TaggerNet

OPSET = 17


class TaggerFirst(nn.Module):
    """input_ids, attention_mask -> states, spans, gate."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, input_ids, attention_mask):
        h = self.net.encoder(input_ids, attention_mask)
        masked = h + (1.0 - attention_mask[..., None].to(h.dtype)) * -1e4
        return h, self.net.spans(h), self.net.gate(masked.max(1).values)[:, 0]


class Table(nn.Module):
    """An embedding table in 8 bits with a scale for each row."""

    def __init__(self, weight):
        super().__init__()
        scale = weight.detach().abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight.detach() / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, ids):
        return self.rows[ids].float() * self.scale[ids]


class Rows(nn.Module):
    """A linear layer whose weights are kept in 8 bits with a scale for each row, and multiplied out before use: the
    runtime does that once, when it loads the network, and computes in full precision. 8-bit products would save nothing
    on processors without instructions for them, cost accuracy, and differ from one processor to the next."""

    def __init__(self, linear):
        super().__init__()
        weight = linear.weight.detach()
        scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
        self.register_buffer("rows", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, x):
        return torch.nn.functional.linear(x, self.rows.float() * self.scale, self.bias)


def shrink(module):
    """Puts the weights of every large linear layer in 8 bits."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear) and child.weight.numel() >= 4096:
            setattr(module, name, Rows(child))
        else:
            shrink(child)


def export(module, inputs, path, names, outputs, axes):
    module.eval()
    with torch.no_grad():
        torch.onnx.export(module, inputs, str(path), input_names=names, output_names=outputs, dynamic_axes=axes,
                          opset_version=OPSET, dynamo=False, do_constant_folding=False)


def tagger(args):
    net = TaggerNet()
    net.load_state_dict(torch.load(args.weights, map_location="cpu")["state"])
    net.eval()
    net.encoder.words, net.encoder.places = Table(net.encoder.words.weight), Table(net.encoder.places.weight)
    shrink(net)
    args.out.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    mask = torch.ones_like(ids)
    wide = {0: "batch", 1: "pieces"}
    export(TaggerFirst(net), (ids, mask), args.out / "spans.onnx", ["input_ids", "attention_mask"],
           ["states", "spans", "gate"],
           {"input_ids": wide, "attention_mask": wide, "states": wide,
            "spans": {0: "batch", 2: "pieces", 3: "pieces"}, "gate": {0: "batch"}})
    starts = torch.tensor([[1, 4, 9], [2, 5, 11]])
    some = {0: "batch", 1: "candidates"}
    export(net.pairs, (torch.randn(2, 24, 384), mask, starts, starts + 2), args.out / "pairs.onnx",
           ["states", "attention_mask", "starts", "ends"], ["pairs", "attention"],
           {"states": wide, "attention_mask": wide, "starts": some, "ends": some,
            "pairs": {0: "batch", 1: "candidates", 2: "candidates"},
            "attention": {0: "batch", 1: "candidates", 2: "candidates", 3: "pieces"}})


def direction(args):
    saved = torch.load(args.weights, map_location="cpu")
    net = DirectionNet(layers=saved["layers"], rows=saved["rows"])
    net.load_state_dict(saved["state"])
    net.eval()
    net.encoder.words, net.encoder.places = Table(net.encoder.words.weight), Table(net.encoder.places.weight)
    shrink(net)
    args.out.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    wide = {0: "batch", 1: "pieces"}
    export(net, (ids, torch.ones_like(ids)), args.out / "direction.onnx", ["input_ids", "attention_mask"],
           ["logits"], {"input_ids": wide, "attention_mask": wide, "logits": {0: "batch"}})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["tagger", "direction"])
    parser.add_argument("--weights", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    (tagger if args.model == "tagger" else direction)(args)
    for path in sorted(args.out.glob("*.onnx")):
        print(path.name, path.stat().st_size, "opset", onnx.load(str(path)).opset_import[0].version)


if __name__ == "__main__":
    main()
