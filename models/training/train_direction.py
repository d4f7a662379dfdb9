"""Trains the direction classifier: python train_direction.py --base model.onnx --kind minilm --out runs/direction

--kind bge takes the first --layers layers of bge-small (fp32 ONNX); --kind minilm all-MiniLM-L6-v2, whose 8-bit
weights are multiplied out; --resume goes on from weights of a run before. Each epoch sees every question in another
variant (vary.py). After it the averaged weights are scored on dev, ours and the older together; the best are kept as
best.pt, with the temperature that suits dev best. The test parts are not looked at here: evaluate.py direction does.
"""
import argparse
import json
import pathlib
import random
import time

import torch
from torch.nn import functional as F

from model import DirectionNet, load_onnx_weights, load_quantised_weights
from prepare import DIRECTIONS, HERE, load_tokenizer, split_queries
from vary import hide, vary

MAX_PIECES = 128


def rows_to_keep(tokenizer_path, limit):
    """Ids of special pieces and of the commonest plain ones: the vocabulary is ordered by how common a piece is."""
    vocabulary = json.loads(pathlib.Path(tokenizer_path).read_text(encoding="utf-8"))["model"]["vocab"]
    special = [0, 100, 101, 102, 103]
    plain = sorted(i for piece, i in vocabulary.items()
                   if i not in special and not piece.startswith("[") and piece.isascii())
    single = [i for i in plain if i < 1996 or 29600 <= i]
    words = [i for i in plain if i not in set(single)]
    return sorted(special + single + words[:limit - len(special) - len(single)])


def encode(records, tokenizer):
    return [{"ids": tokenizer.encode(r["query"]).ids[:MAX_PIECES], "label": DIRECTIONS.index(r["label"]), "record": r}
            for r in records]


def variants(examples, tokenizer, masked, rng):
    return [dict(e, ids=hide(tokenizer.encode(vary(e["record"]["query"], rng)).ids[:MAX_PIECES], masked, rng))
            for e in examples]


def batches(examples, size, rng):
    order = sorted(examples, key=lambda e: len(e["ids"]) + (rng.uniform(-3, 3) if rng else 0))
    out = [order[i:i + size] for i in range(0, len(order), size)]
    if rng:
        rng.shuffle(out)
    return out


def tensors(batch):
    longest = max(len(e["ids"]) for e in batch)
    ids = torch.tensor([e["ids"] + [0] * (longest - len(e["ids"])) for e in batch])
    mask = torch.tensor([[1] * len(e["ids"]) + [0] * (longest - len(e["ids"])) for e in batch])
    return ids, mask, torch.tensor([e["label"] for e in batch])


def logits_of(net, examples):
    net.eval()
    order = batches(examples, 64, None)
    with torch.no_grad():
        out = torch.cat([net(*tensors(b)[:2]) for b in order])
    place = {id(e): i for i, e in enumerate(e for b in order for e in b)}
    return out[[place[id(e)] for e in examples]]


def best_temperature(logits, labels):
    options = [0.5 + 0.05 * i for i in range(60)]
    return min(options, key=lambda t: float(F.cross_entropy(logits / t, labels)))


def accuracy(logits, examples, choose=lambda r: True):
    hits = [int(l.argmax()) == e["label"] for l, e in zip(logits, examples) if choose(e["record"])]
    return sum(hits) / max(1, len(hits)), len(hits)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / ".." / "shared" / "data")
    parser.add_argument("--base", type=pathlib.Path, required=True)
    parser.add_argument("--kind", choices=["bge", "minilm"], required=True)
    parser.add_argument("--tokenizer", type=pathlib.Path, default=HERE.parent / "weights" / "embedder" / "tokenizer.json")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--rows", type=int, default=22000, help="rows of the embedding table that are kept")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--head-rate", type=float, default=1e-3)
    parser.add_argument("--decay", type=float, default=0.9)
    parser.add_argument("--masked", type=float, default=0.15, help="share of rare pieces hidden in training")
    parser.add_argument("--resume", type=pathlib.Path, help="weights of a run before, to go on from")
    parser.add_argument("--frozen", type=int, default=0, help="lowest layers that stay as they are")
    parser.add_argument("--replay", type=float, default=1.0, help="share of the older questions seen in an epoch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="one epoch of 200 queries: shows that it runs")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = random.Random(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    tokenizer = load_tokenizer(args.tokenizer)
    parts = {k: encode(v, tokenizer) for k, v in split_queries(args.data).items()}
    parts["dev"] += parts["own dev"]
    if args.quick:
        args.epochs, parts["train"] = 1, parts["train"][::len(parts["train"]) // 200]
    net = DirectionNet(layers=args.layers)
    (load_onnx_weights if args.kind == "bge" else load_quantised_weights)(net.encoder, args.base)
    net.prune(rows_to_keep(args.tokenizer, args.rows))
    if args.resume:
        net.load_state_dict(torch.load(args.resume, map_location="cpu")["state"])
    for module in (net.encoder.words, net.encoder.places, net.encoder.kinds, *net.encoder.layers[:args.frozen]):
        module.requires_grad_(False)
    groups = [{"params": list(l.parameters()), "top": args.rate * args.decay ** (args.layers - 1 - i)}
              for i, l in enumerate(net.encoder.layers) if i >= args.frozen]
    groups.append({"params": list(net.hidden.parameters()) + list(net.out.parameters()), "top": args.head_rate})
    optimizer = torch.optim.AdamW(groups, lr=args.rate, weight_decay=0.01, fused=True)
    live = [p for g in groups for p in g["params"]]
    average = [p.detach().clone() for p in live]
    older = [e for e in parts["train"] if "own" not in e["record"]["file"]]
    new = [e for e in parts["train"] if "own" in e["record"]["file"]]
    rng.shuffle(older)
    share = round(len(older) * args.replay)
    total = args.epochs * -(-(len(new) + share) // args.batch)
    step, best, began = 0, -1e9, time.time()
    for epoch in range(args.epochs):
        net.train()
        sums = 0.0
        older = older[share:] + older[:share]  # the next epoch's share is another
        for batch in batches(variants(new + older[:share], tokenizer, args.masked, rng), args.batch, rng):
            part = step / total
            scale = min(part / 0.1 + 0.02, 1.0) if part < 0.1 else max(0.02, (1 - part) / 0.9)
            for group in optimizer.param_groups:
                group["lr"] = group["top"] * scale
            ids, mask, labels = tensors(batch)
            loss = F.cross_entropy(net(ids, mask), labels, label_smoothing=0.05)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(live, 1.0)
            optimizer.step()
            step += 1
            torch._foreach_lerp_(average, [p.detach() for p in live], 1 - min(0.98, (1 + step) / (10 + step)))
            sums += loss.item()
        own = [p.detach().clone() for p in live]
        with torch.no_grad():
            for p, a in zip(live, average):
                p.copy_(a)
        logits = logits_of(net, parts["dev"])
        labels = torch.tensor([e["label"] for e in parts["dev"]])
        temperature = best_temperature(logits, labels)
        loss = float(F.cross_entropy(logits / temperature, labels))
        right, count = accuracy(logits, parts["dev"])
        print(f"epoch {epoch} minutes {(time.time() - began) / 60:.1f} train {sums / (total / args.epochs):.3f} "
              f"cpu {time.process_time() / 60:.1f} dev accuracy={right:.4f} of {count} loss={loss:.4f} "
              f"temperature={temperature:.2f} own={accuracy(logits, parts['dev'], lambda r: 'own' in r['file'])[0]:.3f} "
              f"factual={accuracy(logits, parts['dev'], lambda r: 'factual' in r['file'])[0]:.3f}", flush=True)
        if right - 0.1 * loss >= best:
            best = right - 0.1 * loss
            torch.save({"state": net.state_dict(), "layers": args.layers, "rows": len(net.encoder.words.weight),
                        "temperature": temperature, "epoch": epoch, "kind": args.kind}, args.out / "best.pt")
        with torch.no_grad():
            for p, o in zip(live, own):
                p.copy_(o)


if __name__ == "__main__":
    main()
