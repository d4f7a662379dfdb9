"""Exports trained weights to ONNX and quantises them to 8 bits.

python export.py tagger --weights runs/tagger/best.pt --out ../weights/tagger
python export.py direction --weights runs/direction/best.pt --out ../weights/direction
"""
import argparse
import pathlib
import tempfile

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

from model import DirectionNet, TaggerNet
from prepare import HERE, load_tokenizer, load_triples, split_queries, split_triples

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


class Smooth(nn.Module):
    """A linear layer that divides each channel of its input and multiplies the weights' to match."""

    def __init__(self, linear, scale):
        super().__init__()
        self.linear = linear
        self.register_buffer("inverse", 1 / scale)
        with torch.no_grad():
            linear.weight *= scale

    def forward(self, x):
        return self.linear(x * self.inverse)


def smooth(encoder, batches):
    """Moves the range of channels that stand out from activations into weights (as SmoothQuant does), where one scale
    for a whole activation would leave the other channels hardly a step: before both products of the feed-forward."""
    linears = {f"{i}.{part}": getattr(layer, part) for i, layer in enumerate(encoder.layers) for part in ("inner", "outer")}
    largest = {}

    def watch(name):
        def hook(_, inputs):
            top = inputs[0].abs().amax((0, 1))
            largest[name] = torch.maximum(largest.get(name, top), top)
        return hook

    hooks = [linear.register_forward_pre_hook(watch(name)) for name, linear in linears.items()]
    with torch.no_grad():
        for ids, mask in batches:
            encoder(ids, mask)
    for hook in hooks:
        hook.remove()
    for name, linear in linears.items():
        weights = linear.weight.detach().abs().amax(0)
        scale = (largest[name].clamp(min=1e-3) / weights.clamp(min=1e-5)).sqrt()
        scale = (scale / scale.log().mean().exp()).clamp(0.02, 50)
        index, part = name.split(".")
        setattr(encoder.layers[int(index)], part, Smooth(linear, scale))


def export(module, inputs, path, names, outputs, axes):
    module.eval()
    with torch.no_grad():
        torch.onnx.export(module, inputs, str(path), input_names=names, output_names=outputs, dynamic_axes=axes,
                          opset_version=OPSET, dynamo=False, do_constant_folding=True)


def quantise(source, target, per_channel, reduce_range, exclude=()):
    """8-bit weights for matrix products; activations are quantised as they come."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = pathlib.Path(folder) / "prepared.onnx"
        quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
        graph = onnx.load(str(prepared)).graph
        shapes = {i.name: len(i.dims) for i in graph.initializer}
        # The runtime has no 8-bit product for a stack of matrices with a scale for each column.
        stacked = [n.name for n in graph.node if n.op_type == "MatMul" and shapes.get(n.input[1], 0) > 2]
        keep = [n.name for n in graph.node if exclude and n.name.startswith(tuple(exclude))]
        quantize_dynamic(str(prepared), str(target), weight_type=QuantType.QInt8, per_channel=per_channel,
                         reduce_range=reduce_range, op_types_to_quantize=["MatMul", "Gemm"],
                         nodes_to_exclude=stacked + keep, extra_options={"MatMulConstBOnly": True})


def tagger(args):
    net = TaggerNet()
    net.load_state_dict(torch.load(args.weights, map_location="cpu")["state"])
    net.eval()
    net.encoder.words, net.encoder.places = Table(net.encoder.words.weight), Table(net.encoder.places.weight)
    if args.smooth:
        records, tokenizer = load_triples(args.data), load_tokenizer(args.tokenizer)
        texts = [records[i]["text"] for i in split_triples(args.data)["train"][::70]]
        smooth(net.encoder, [(torch.tensor([e.ids]), torch.ones(1, len(e.ids))) for e in map(tokenizer.encode, texts)])
    args.out.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    mask = torch.ones_like(ids)
    wide = {0: "batch", 1: "pieces"}
    export(TaggerFirst(net), (ids, mask), args.out / "spans.fp32.onnx", ["input_ids", "attention_mask"],
           ["states", "spans", "gate"],
           {"input_ids": wide, "attention_mask": wide, "states": wide,
            "spans": {0: "batch", 2: "pieces", 3: "pieces"}, "gate": {0: "batch"}})
    starts = torch.tensor([[1, 4, 9], [2, 5, 11]])
    some = {0: "batch", 1: "candidates"}
    export(net.pairs, (torch.randn(2, 24, 384), mask, starts, starts + 2), args.out / "pairs.fp32.onnx",
           ["states", "attention_mask", "starts", "ends"], ["pairs", "attention"],
           {"states": wide, "attention_mask": wide, "starts": some, "ends": some,
            "pairs": {0: "batch", 1: "candidates", 2: "candidates"},
            "attention": {0: "batch", 1: "candidates", 2: "candidates", 3: "pieces"}})
    for name in ("spans", "pairs"):
        quantise(args.out / f"{name}.fp32.onnx", args.out / f"{name}.onnx", args.per_channel, args.reduce_range,
                 args.exclude)


def direction(args):
    saved = torch.load(args.weights, map_location="cpu")
    net = DirectionNet(layers=saved["layers"], rows=saved["rows"])
    net.load_state_dict(saved["state"])
    net.eval()
    net.encoder.words, net.encoder.places = Table(net.encoder.words.weight), Table(net.encoder.places.weight)
    if args.smooth:
        tokenizer = load_tokenizer(args.tokenizer)
        queries = [r["query"] for r in split_queries(args.data)["train"][::20]]
        rows = [(net.row_of[torch.tensor([e.ids])].long(), torch.ones(1, len(e.ids)))
                for e in map(tokenizer.encode, queries)]
        smooth(net.encoder, rows)
    args.out.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 20000, (2, 24))
    wide = {0: "batch", 1: "pieces"}
    export(net, (ids, torch.ones_like(ids)), args.out / "direction.fp32.onnx", ["input_ids", "attention_mask"],
           ["logits"], {"input_ids": wide, "attention_mask": wide, "logits": {0: "batch"}})
    quantise(args.out / "direction.fp32.onnx", args.out / "direction.onnx", args.per_channel, args.reduce_range)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=["tagger", "direction"])
    parser.add_argument("--weights", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--per-channel", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--reduce-range", action=argparse.BooleanOptionalAction, default=True,
                        help="7-bit weights: processors without VNNI add pairs of products in 16 bits, which overflow")
    parser.add_argument("--smooth", action=argparse.BooleanOptionalAction, default=False)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / ".." / "shared" / "data")
    parser.add_argument("--tokenizer", type=pathlib.Path, default=HERE.parent / "weights" / "embedder" / "tokenizer.json")
    parser.add_argument("--exclude", nargs="*", default=[], help="beginnings of names of nodes that stay fp32")
    parser.add_argument("--keep-fp32", action="store_true")
    args = parser.parse_args()
    (tagger if args.model == "tagger" else direction)(args)
    for path in sorted(args.out.glob("*.onnx")):
        if path.name.endswith(".fp32.onnx") and not args.keep_fp32:
            path.unlink()
        else:
            print(path.name, path.stat().st_size, "opset", onnx.load(str(path), load_external_data=False).opset_import[0].version)


if __name__ == "__main__":
    main()
