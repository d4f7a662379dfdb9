"""Trains the tagger: python train_tagger.py --base bge.onnx --tokenizer tokenizer.json --out runs/tagger --minutes 80

The learning rate falls with the share of the time (--minutes) or of the steps (--steps) that is spent, so a run ends
when it must. The lowest layers are frozen and their output is computed once. After each epoch the averaged weights
are scored on dev; the best are kept as best.pt, the last as last.pt.
"""
import argparse
import math
import os
import pathlib
import random
import time

import numpy as np
import torch
from torch.nn import functional as F

import decode
import score
from model import MAX_WIDTH, TaggerNet, load_onnx_weights
from prepare import HERE, OWN, encode_record, load_tokenizer, load_triples, split_triples


def pad(rows, value=0):
    longest = max(len(r) for r in rows)
    return torch.tensor([list(r) + [value] * (longest - len(r)) for r in rows])


def batches(examples, tokens, shuffle):
    """Lists of examples of like length, each list at most `tokens` pieces with its padding."""
    order = sorted(examples, key=lambda e: len(e["ids"]) + (shuffle.uniform(-8, 8) if shuffle else 0))
    out, batch, longest = [], [], 0
    for e in order:
        longest = max(longest, len(e["ids"]))
        if batch and longest * (len(batch) + 1) > tokens:
            out.append(batch)
            batch, longest = [], len(e["ids"])
        batch.append(e)
    out.append(batch)
    if shuffle:
        shuffle.shuffle(out)
    return out


def freeze(net, examples, depth):
    """Stores the output of the lowest layers with each example."""
    net.eval()
    with torch.no_grad():
        for batch in batches(examples, 2048, None):
            ids = pad([e["ids"] for e in batch])
            mask = pad([[1] * len(e["ids"]) for e in batch])
            h = net.encoder.run(net.encoder.embed(ids), mask, 0, depth)
            for e, row in zip(batch, h):
                e["low"] = row[:len(e["ids"])].clone()


def states(net, batch, depth):
    mask = pad([[1] * len(e["ids"]) for e in batch])
    h = torch.nn.utils.rnn.pad_sequence([e["low"] for e in batch], batch_first=True)
    return net.encoder.run(h, mask, depth), mask


def gate_logit(net, h, mask):
    return net.gate((h + (1.0 - mask[..., None].to(h.dtype)) * -1e4).max(1).values)[:, 0]


def token_overlap(a, b):
    """[m, 2] and [g, 2] inclusive spans -> [m, g] intersection over union."""
    inter = np.minimum(a[:, None, 1], b[None, :, 1]) - np.maximum(a[:, None, 0], b[None, :, 0]) + 1
    union = np.maximum(a[:, None, 1], b[None, :, 1]) - np.minimum(a[:, None, 0], b[None, :, 0]) + 1
    return np.maximum(inter, 0) / union


def choose_spans(example, logits, rng, cap=44):
    """Gold arguments, what the model would find, and a few random ones."""
    gold = {s for l in example["links"] for s in (l["cause"], l["effect"])}
    n = len(example["ids"])
    spans = set(gold)
    want = min(cap - 4, max(12, len(gold) + 10))
    values = logits[1:n - 1, 1:n - 1].reshape(-1)
    k = min(want, len(values))
    top = np.argpartition(-values, k - 1)[:k]
    top = top[np.argsort(-values[top])]
    for at in top:
        if values[at] < -3.5 or len(spans) >= cap - 4:
            break
        spans.add((int(at) // (n - 2) + 1, int(at) % (n - 2) + 1))
    for _ in range(4):
        if gold and rng.random() < 0.6:
            a, b = rng.choice(sorted(gold))
            a, b = a + rng.randint(-3, 3), b + rng.randint(-3, 3)
        else:
            a = rng.randint(1, max(1, n - 2))
            b = a + rng.randint(0, 8)
        if 1 <= a <= b <= n - 2 and b - a < MAX_WIDTH and len(spans) < cap:
            spans.add((a, b))
    return sorted(spans)


def targets(example, spans):
    """classes [m, m] (-100: not counted), weights, link index [m, m]."""
    m = len(spans)
    classes = np.zeros((m, m), np.int64)
    weights = np.ones((m, m), np.float32)
    which = -np.ones((m, m), np.int64)
    np.fill_diagonal(classes, -100)
    if example["links"]:
        s = np.array(spans)
        best = np.zeros((m, m))
        for index, link in enumerate(example["links"]):
            a = token_overlap(s, np.array([link["cause"]]))[:, 0]
            b = token_overlap(s, np.array([link["effect"]]))[:, 0]
            near = np.minimum(a[:, None], b[None, :])
            better = (near >= 0.5) & (near > best)
            np.fill_diagonal(better, False)
            unsure = (near >= 0.34) & (near < 0.5) & (best < 0.5)
            classes[unsure & (classes == 0)] = -100
            classes[better] = link["type"] + 1
            weights[better] = np.where(near[better] >= 0.999, 1.0, 0.5)
            which[better] = index
            best = np.maximum(best, near)
    return classes, weights, which


def losses(net, batch, depth, rng, weights):
    h, mask = states(net, batch, depth)
    spans = net.spans(h)
    b, _, n, _ = spans.shape
    places = torch.arange(n)
    band = (places[None, :] >= places[:, None]) & (places[None, :] - places[:, None] < MAX_WIDTH)
    valid = band[None] & mask[:, :, None].bool() & mask[:, None, :].bool()
    gold = torch.zeros_like(spans)
    for i, e in enumerate(batch):
        for link in e["links"]:
            gold[i, 0][link["cause"]] = 1
            gold[i, 0][link["effect"]] = 1
            if link["trigger"]:
                gold[i, 1][link["trigger"]] = 1
    bce = F.binary_cross_entropy_with_logits(spans, gold, reduction="none") * valid[:, None]
    count = gold.sum((0, 2, 3)).clamp(min=4)
    span_loss = (bce[:, 0].sum() / count[0], bce[:, 1].sum() / count[1])

    arrays = spans[:, 0].detach().numpy()
    chosen = [choose_spans(e, a, rng) for e, a in zip(batch, arrays)]
    chosen = [c or [(1, 1)] for c in chosen]
    m = max(len(c) for c in chosen)
    classes = np.full((b, m, m), -100, np.int64)
    importance = np.zeros((b, m, m), np.float32)
    positive = []
    for i, (e, c) in enumerate(zip(batch, chosen)):
        k = len(c)
        classes[i, :k, :k], importance[i, :k, :k], which = targets(e, c)
        for x, y in zip(*np.nonzero(which >= 0)):
            positive.append((i, x, y, e["links"][which[x, y]], importance[i, x, y]))
    starts = pad([[s for s, _ in c] for c in chosen], 1)
    ends = pad([[t for _, t in c] for c in chosen], 1)
    pairs, attention = net.pairs(h, mask, starts, ends)
    flat = F.cross_entropy(pairs[..., :10].reshape(-1, 10), torch.from_numpy(classes).view(-1), ignore_index=-100,
                           reduction="none") * torch.from_numpy(importance).view(-1)
    links = max(4.0, float(sum(p[4] for p in positive)))
    pair_loss = flat.sum() / links
    mark_loss = trigger_loss = torch.zeros(())
    if positive:
        at = tuple(torch.tensor(x) for x in zip(*[p[:3] for p in positive]))
        weight = torch.tensor([p[4] for p in positive])
        marks = torch.tensor([[float(p[3]["negated"]), float(p[3]["hedged"])] for p in positive])
        mark_loss = (F.binary_cross_entropy_with_logits(pairs[at][:, 10:], marks, reduction="none").sum(1) * weight).sum() / weight.sum()
        seen = attention[at]
        inside = torch.zeros_like(seen, dtype=torch.bool)
        for row, p in enumerate(positive):
            first, last = p[3]["trigger"] or (0, 0)
            inside[row, first:last + 1] = True
        mass = torch.logsumexp(seen.masked_fill(~inside, -1e4), 1)
        trigger_loss = (-mass * weight).sum() / weight.sum()
    has = torch.tensor([float(bool(e["links"])) for e in batch])
    gate_loss = F.binary_cross_entropy_with_logits(gate_logit(net, h, mask), has)
    parts = {"span": span_loss[0], "trig": span_loss[1], "pair": pair_loss, "mark": mark_loss, "att": trigger_loss,
             "gate": gate_loss}
    return sum(weights[k] * v for k, v in parts.items()), parts


def infer(net, examples, depth, settings, tokens=2048):
    """Per example: spans, triggers, pairs, attention, gate; in the order given."""
    net.eval()
    out = {}
    with torch.no_grad():
        for batch in batches(examples, tokens, None):
            h, mask = states(net, batch, depth)
            scores = net.spans(h).numpy()
            gates = gate_logit(net, h, mask).numpy()
            spans = [decode.spans_of(s[0], e["text"], e["offsets"], settings.span, settings.span_overlap,
                                     settings.max_spans) for s, e in zip(scores, batch)]
            triggers = [decode.spans_of(s[1], e["text"], e["offsets"], settings.trigger, 0.5, 60)
                        for s, e in zip(scores, batch)]
            starts = pad([[s[0] for s in x] or [1] for x in spans], 1)
            ends = pad([[s[1] for s in x] or [1] for x in spans], 1)
            pairs, attention = net.pairs(h, mask, starts, ends)
            for i, e in enumerate(batch):
                m, n = len(spans[i]), len(e["ids"])
                out[e["id"]] = (spans[i], triggers[i], pairs[i, :m, :m].numpy().copy(),
                                attention[i, :m, :m, :n].numpy().copy(), float(gates[i]))
    return [out[e["id"]] for e in examples]


def predict(examples, inferred, settings):
    return [decode.to_characters(decode.link_triples(*x, settings), e["text"], e["offsets"])
            for e, x in zip(examples, inferred)]


def best_threshold(examples, inferred):
    best = None
    for link in np.arange(0.15, 0.66, 0.05):
        settings = decode.Settings(link=float(link))
        n = score.count(examples, predict(examples, inferred, settings))
        f = score.figures(n)
        value = (f["relaxed"] + f["exact"]) / 2
        if best is None or value > best[0]:
            best = (value, link, n)
    return best


def parameter_groups(net, depth, rate, head_rate, decay):
    groups, layers = [], len(net.encoder.layers)
    for p in list(net.encoder.words.parameters()) + list(net.encoder.places.parameters()) \
            + list(net.encoder.kinds.parameters()) + list(net.encoder.norm.parameters()):
        p.requires_grad_(False)
    for i, layer in enumerate(net.encoder.layers):
        if i < depth:
            layer.requires_grad_(False)
        else:
            groups.append({"params": list(layer.parameters()), "top": rate * decay ** (layers - 1 - i)})
    heads = [p for module in (net.spans, net.pairs, net.gate) for p in module.parameters()]
    groups.append({"params": heads, "top": head_rate})
    return groups


def stored_low(net, examples, depth, path):
    """The lowest layers' output, from `path` where a run before this one has left it."""
    kept = torch.load(path) if path.exists() else {"depth": depth, "low": {}}
    low = kept["low"] if kept["depth"] == depth else {}
    for e in examples:
        if e["id"] in low:
            e["low"] = low[e["id"]]
    missing = [e for e in {id(e): e for e in examples}.values() if "low" not in e]
    if missing:
        freeze(net, missing, depth)
    return missing


def store_low(examples, depth, path):
    torch.save({"depth": depth, "low": {e["id"]: e["low"] for e in examples}}, path)


def newest(folder):
    """Changes whenever a file of the folder does."""
    return sorted((p.name, p.stat().st_mtime_ns, p.stat().st_size) for p in folder.glob("*.jsonl"))


def load_examples(args):
    records, parts = load_triples(args.data), split_triples(args.data)
    tokenizer = load_tokenizer(args.tokenizer)
    train = [encode_record(records[i], tokenizer) for i in parts["train"]]
    dev = [encode_record(records[i], tokenizer) for i in parts["dev"]]
    train += [e for e in train if records[e["id"]]["file"] == "real-passages"] * (args.real_copies - 1)
    if args.quick:
        train, dev = train[::max(1, len(train) // 96)], dev[:24]
    return train, dev


class Exchange:
    """What the workers share: gradients, how many examples each is the mean of, the averaged weights, the clock."""

    def __init__(self, workers, live):
        size = sum(p.numel() for p in live)
        self.gradients = torch.zeros(workers, size).share_memory_()
        self.counts = torch.zeros(workers).share_memory_()
        self.average = torch.cat([p.detach().reshape(-1) for p in live]).share_memory_()
        self.part = torch.zeros(1, dtype=torch.float64).share_memory_()
        self.norms = torch.zeros(workers).share_memory_()


def work(rank, args, net, exchange, barrier):
    """One worker: its share of each batch, and its share of the parameters to update. Weights are shared memory."""
    if args.workers > 1 and rank:
        os.setsid()  # schedulers that share time by session then count every worker
    torch.set_num_threads(max(1, args.threads // args.workers))
    torch.manual_seed(args.seed + rank)
    plan_rng, rng = random.Random(args.seed), random.Random(args.seed * 100 + rank)
    groups = parameter_groups(net, args.frozen, args.rate, args.head_rate, args.decay)
    live = [p for g in groups for p in g["params"]]
    train, dev = load_examples(args)
    stored_low(net, train + dev, args.frozen, args.out / "low.pt")
    known = newest(OWN)

    sizes = [p.numel() for p in live]
    offsets = [sum(sizes[:i]) for i in range(len(sizes))]
    half, mine = sum(sizes) / args.workers, []
    index, own_groups = 0, []
    for g in groups:
        own = []
        for p in g["params"]:
            if min(args.workers - 1, int((offsets[index] + sizes[index] / 2) // half)) == rank:
                own.append(p)
                mine.append((p, offsets[index], sizes[index]))
            index += 1
        if own:
            own_groups.append({"params": own, "top": g["top"]})
    optimizer = torch.optim.AdamW(own_groups, lr=args.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    weights = {"span": 1.0, "trig": 0.5, "pair": 1.0, "mark": 0.5, "att": 0.3, "gate": 0.2}
    step, epoch, best = 0, 0, 0.0
    barrier.wait()
    began = time.time()
    done = False
    while not done:
        if newest(OWN) != known:  # more was annotated while this ran
            known = newest(OWN)
            train, dev = load_examples(args)
            stored_low(net, train + dev, args.frozen, args.out / "low.pt")
            barrier.wait()
        net.train()
        total, epoch_began = {}, time.time()
        plan = batches(train, args.tokens, plan_rng)
        for number, batch in enumerate(plan):
            if rank == 0:
                spent = (time.time() - began) / 60
                exchange.part[0] = max(step / args.steps if args.steps else 0, spent / args.minutes if args.minutes else 0)
            barrier.wait()
            part = float(exchange.part[0])
            if part >= 1:
                done = True
                break
            warm = 0.06
            scale = part / warm if part < warm else 0.5 * (1 + math.cos(math.pi * (part - warm) / (1 - warm))) * 0.98 + 0.02
            for group in optimizer.param_groups:
                group["lr"] = group["top"] * max(scale, 0.02)
            share = sorted(batch, key=lambda e: len(e["ids"]))[rank::args.workers]
            exchange.counts[rank] = len(share)
            if share:
                loss, pieces = losses(net, share, args.frozen, rng, weights)
                for p in live:
                    p.grad = None
                loss.backward()
                row = exchange.gradients[rank]
                for p, at, size in zip(live, offsets, sizes):
                    if p.grad is None:
                        row[at:at + size].zero_()
                    else:
                        row[at:at + size].copy_(p.grad.view(-1))
                for k, v in pieces.items():
                    total[k] = total.get(k, 0) + v.item()
            barrier.wait()
            ratio = exchange.counts / exchange.counts.sum()
            squares = 0.0
            for p, at, size in mine:
                g = sum(r * exchange.gradients[i, at:at + size] for i, r in enumerate(ratio.tolist()) if r)
                p.grad = g.view(p.shape)
                squares += float(g.dot(g))
            exchange.norms[rank] = squares
            barrier.wait()
            clip = min(1.0, 5.0 / (float(exchange.norms.sum()) ** 0.5 + 1e-6))
            if clip < 1:
                torch._foreach_mul_([p.grad for p, _, _ in mine], clip)
            optimizer.step()
            step += 1
            keep = min(args.average, (1 + step) / (10 + step))
            with torch.no_grad():
                for p, at, size in mine:
                    exchange.average[at:at + size].lerp_(p.detach().view(-1), 1 - keep)
            if rank == 0 and (number % 20 == 19 or args.quick):
                mean = " ".join(f"{k}={v / (number + 1):.3f}" for k, v in total.items())
                print(f"epoch {epoch} {number + 1}/{len(plan)} step {step} part {part:.3f} "
                      f"{(time.time() - epoch_began) / (number + 1):.2f}s/step {mean}", flush=True)
        barrier.wait()
        if rank == 0:
            own = [p.detach().clone() for p in live]
            with torch.no_grad():
                for p, at, size in zip(live, offsets, sizes):
                    p.copy_(exchange.average[at:at + size].view(p.shape))
                value, link, n = best_threshold(dev, infer(net, dev, args.frozen, decode.Settings()))
                state = {k: v.clone() for k, v in net.state_dict().items()}
                for p, o in zip(live, own):
                    p.copy_(o)
            saved = {"state": state, "step": step, "epoch": epoch, "dev": value}
            torch.save(saved, args.out / "last.pt")
            if value >= best:
                best = value
                torch.save(saved, args.out / "best.pt")
            print(f"== epoch {epoch} step {step} minutes {(time.time() - began) / 60:.1f} dev value={value:.4f} "
                  f"link={link:.2f} {score.show(n)}", flush=True)
        barrier.wait()
        epoch += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / ".." / "shared" / "data")
    parser.add_argument("--base", type=pathlib.Path, required=True, help="bge-small-en-v1.5, fp32 ONNX")
    parser.add_argument("--tokenizer", type=pathlib.Path, default=HERE.parent / "weights" / "embedder" / "tokenizer.json")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--resume", type=pathlib.Path, help="weights of a run before, to go on from")
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--tokens", type=int, default=900, help="pieces in a batch")
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--head-rate", type=float, default=8e-4)
    parser.add_argument("--decay", type=float, default=0.9, help="learning rate from one layer to the next below")
    parser.add_argument("--frozen", type=int, default=5, help="lowest layers that stay as they are")
    parser.add_argument("--average", type=float, default=0.995, help="decay of the moving average of the weights")
    parser.add_argument("--real-copies", type=int, default=3, help="how often a news record is seen in an epoch")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2, help="processes that share each batch")
    parser.add_argument("--quick", action="store_true", help="96 passages, 30 steps: shows that it runs")
    args = parser.parse_args()
    if args.quick:
        args.steps, args.minutes = args.steps or 30, 0
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    args.out.mkdir(parents=True, exist_ok=True)
    net = TaggerNet()
    load_onnx_weights(net.encoder, args.base)
    if args.resume:
        net.load_state_dict(torch.load(args.resume, map_location="cpu")["state"])
    groups = parameter_groups(net, args.frozen, args.rate, args.head_rate, args.decay)
    live = [p for g in groups for p in g["params"]]
    began = time.time()
    train, dev = load_examples(args)
    if stored_low(net, train + dev, args.frozen, args.out / "low.pt"):
        store_low(train + dev, args.frozen, args.out / "low.pt")
    print(f"train={len(train)} dev={len(dev)} frozen output in {time.time() - began:.0f}s", flush=True)
    net.share_memory()
    exchange = Exchange(args.workers, live)
    context = torch.multiprocessing.get_context("spawn")
    barrier = context.Barrier(args.workers, timeout=1800)
    helpers = [context.Process(target=work, args=(rank, args, net, exchange, barrier), daemon=True)
               for rank in range(1, args.workers)]
    for helper in helpers:
        helper.start()
    work(0, args, net, exchange, barrier)
    for helper in helpers:
        helper.join()


if __name__ == "__main__":
    main()
