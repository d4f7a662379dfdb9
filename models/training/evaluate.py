"""Chooses the tagger's thresholds on dev and own, and measures the exported networks.

python evaluate.py tune --model ../weights/tagger --version 1   (writes config.json)
python evaluate.py report --model ../weights/tagger --parts dev test news real [--predictions folder]
python evaluate.py fixture --model ../weights/tagger --fixture passages.json   (fills in its triples)
python evaluate.py tune-direction --model ../weights/direction --version 2   (writes config.json)
python evaluate.py direction --model ../weights/direction [--parts dev "own dev"] [--real]
"""
import argparse
import collections
import dataclasses
import json
import pathlib
import re

import numpy as np
import onnxruntime

import decode
import score
from model import MAX_WIDTH
from prepare import DIRECTIONS, HERE, TYPES, encode_record, load_tokenizer, load_triples, locate, read_jsonl, \
    split_queries, split_triples

QUERY_PIECES = 128  # pieces of a question that are read
LONGEST = 288  # pieces; none of the passages that it learned from is much longer
LOOSE = decode.Settings(span=0.06, span_overlap=0.95, max_spans=60, trigger=0.1)


def session(path, threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class OnnxTagger:
    """Runs the two networks on one passage at a time, as models/tagger.ts does."""

    def __init__(self, folder, threads=1, suffix=""):
        self.spans = session(folder / f"spans{suffix}.onnx", threads)
        self.pairs = session(folder / f"pairs{suffix}.onnx", threads)

    def read(self, example, settings):
        ids = np.array([example["ids"]], np.int64)
        mask = np.ones_like(ids)
        states, scores, gate = self.spans.run(None, {"input_ids": ids, "attention_mask": mask})
        spans = decode.spans_of(scores[0, 0], example["text"], example["offsets"], settings.span, settings.span_overlap,
                                settings.max_spans)
        triggers = decode.spans_of(scores[0, 1], example["text"], example["offsets"], settings.trigger, 0.5, 60)
        m = len(spans)
        if m < 2:
            return spans, triggers, np.zeros((m, m, 12)), np.zeros((m, m, len(example["ids"]))), float(gate[0])
        column = lambda k: np.array([[s[k] for s in spans]], np.int64)
        pairs, attention = self.pairs.run(None, {"states": states, "attention_mask": mask, "starts": column(0),
                                                 "ends": column(1)})
        return spans, triggers, pairs[0], attention[0], float(gate[0])


def restrict(reading, settings):
    """What stricter settings would have kept of a loose reading: pairs do not depend on each other."""
    spans, triggers, pairs, attention, gate = reading
    kept = []
    for index, span in enumerate(spans):
        if span[2] >= settings.span and len(kept) < settings.max_spans \
                and all(decode.overlap(span, spans[k]) < settings.span_overlap for k in kept):
            kept.append(index)
    chosen = np.array(kept, int)
    return ([spans[k] for k in kept], [t for t in triggers if t[2] >= settings.trigger],
            pairs[np.ix_(chosen, chosen)], attention[np.ix_(chosen, chosen)], gate)


def predict(examples, readings, settings):
    return [links_of(restrict(r, settings), e, settings) for e, r in zip(examples, readings)]


def links_of(reading, example, settings):
    text, offsets = example["text"], example["offsets"]
    links = decode.link_triples(*reading, settings, decode.denial_near(text, offsets))
    return decode.to_characters(links, text, offsets)


def tune(examples, readings):
    """Coordinate descent over the thresholds; value: mean of relaxed and exact F1, less what is shown wrongly."""
    options = {
        "span": [0.08, 0.12, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4], "span_overlap": [0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
        "link": [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6], "span_weight": [0.0, 0.25, 0.5, 0.75, 1.0, 1.5],
        "link_overlap": [0.2, 0.3, 0.4, 0.5], "reverse": [0.3, 0.5, 0.7, 0.9],
        "gate": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
        "negated": [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5],
        "hedged": [0.3, 0.4, 0.5, 0.6],
    }

    def value(settings):
        n = score.count(examples, predict(examples, readings, settings))
        f = score.figures(n)
        wrong = n["negated shown plain"] / max(1, n["gold negated"])
        loud = 1 - n["empty kept"] / max(1, n["empty"])
        denied = n["plain shown negated"] / max(1, n["gold"] - n["gold negated"])
        marks = 0.02 * (f["type"] + f["hedged"]) - 0.3 * max(0, wrong - 0.01) - 0.3 * max(0, denied - 0.01)
        return (f["relaxed"] + f["exact"]) / 2 + marks - 0.15 * max(0, loud - 0.03), n

    best = decode.Settings()
    best_value, best_n = value(best)
    for _ in range(3):
        before = best_value
        for key, values in options.items():
            for v in values:
                trial = dataclasses.replace(best, **{key: v})
                got, n = value(trial)
                if got > best_value + 1e-9:
                    best, best_value, best_n = trial, got, n
        print(f"{best_value:.4f} {score.show(best_n)}", flush=True)
        if best_value - before < 1e-4:
            break
    return best


def outcomes(examples, predictions):
    """(score, right or not) of every predicted link."""
    out = []
    for e, mine in zip(examples, predictions):
        right = {j for _, j, _ in score.match(e["text"], e["triples"], mine)}
        out += [(t["score"], t["confidence"], j in right) for j, t in enumerate(mine)]
    return out


def calibrate(examples, predictions):
    """Temperature and bias under which confidence is the share of links that are right (relaxed)."""
    pairs = outcomes(examples, predictions)
    s = np.array([p[0] for p in pairs])
    y = np.array([p[2] for p in pairs], float)
    x = np.log(s / np.maximum(1e-6, 1 - s))
    best = None
    for t in np.arange(0.5, 4.01, 0.1):
        for b in np.arange(-2, 2.01, 0.05):
            p = 1 / (1 + np.exp(-(x / t + b)))
            loss = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
            if best is None or loss < best[0]:
                best = (loss, float(t), float(b))
    return round(best[1], 2), round(best[2], 2)


def sentence_of(text, at):
    return sum(1 for m in re.finditer(r"[.!?][\"')\]]*\s+|\n+", text) if m.end() <= at)


def report(name, examples, predictions):
    n = score.count(examples, predictions)
    print(f"## {name}: passages={len(examples)} {score.show(n)}")
    recall, precision, by_type = collections.Counter(), collections.Counter(), collections.Counter()
    for e, mine in zip(examples, predictions):
        text = e["text"]
        pairs = score.match(text, e["triples"], mine)
        hit_gold, hit_mine = {i for i, _, _ in pairs}, {j for _, j, _ in pairs}
        for i, g in enumerate(e["triples"]):
            c, f, _ = locate(text, g)
            where = "within" if sentence_of(text, c[0]) == sentence_of(text, f[0]) else "across"
            word = "explicit" if g["relation"] else "implicit"
            for key in (where, word, f"type {g['type']}", "negated" if g.get("negated") else "plain",
                        "hedged" if g.get("hedged") else "sure"):
                recall[key, "all"] += 1
                recall[key, "hit"] += i in hit_gold
        for j, t in enumerate(mine):
            where = "within" if sentence_of(text, t["cause"][0]) == sentence_of(text, t["effect"][0]) else "across"
            word = "explicit" if t["relation"] else "implicit"
            for key in (where, word, f"type {t['type']}", "negated" if t["negated"] else "plain",
                        "hedged" if t["hedged"] else "sure"):
                precision[key, "all"] += 1
                precision[key, "hit"] += j in hit_mine
        for i, j, _ in pairs:
            by_type[e["triples"][i]["type"], "all"] += 1
            by_type[e["triples"][i]["type"], "hit"] += e["triples"][i]["type"] == mine[j]["type"]
    for key in sorted({k for k, _ in recall}):
        r, p = recall[key, "hit"] / recall[key, "all"], precision[key, "hit"] / max(1, precision[key, "all"])
        f = 2 * r * p / (r + p) if r + p else 0
        kind = key.removeprefix("type ")
        typed = f" type right {by_type[kind, 'hit'] / by_type[kind, 'all']:.3f}" if by_type[kind, "all"] else ""
        print(f"   {key:16s} gold {recall[key, 'all']:4d} P {p:.3f} R {r:.3f} F1 {f:.3f}{typed}")
    pairs = outcomes(examples, predictions)
    if pairs:
        c, y = np.array([p[1] for p in pairs]), np.array([p[2] for p in pairs], float)
        bins = np.minimum((c * 10).astype(int), 9)
        error = sum(abs(c[bins == b].mean() - y[bins == b].mean()) * (bins == b).sum() for b in set(bins)) / len(c)
        print(f"   calibration: mean confidence {c.mean():.3f}, right {y.mean():.3f}, expected calibration error {error:.3f}")


def utf16(text):
    table, at = [0], 0
    for char in text:
        at += 2 if ord(char) > 0xFFFF else 1
        table.append(at)
    return table


def as_json(text, link):
    table = utf16(text)
    span = lambda s: {"start": table[s[0]], "end": table[s[1]]} if s else None
    return {"cause": span(link["cause"]), "effect": span(link["effect"]), "relation": span(link["relation"]),
            "type": link["type"], "negated": link["negated"], "hedged": link["hedged"],
            "confidence": round(link["confidence"], 4)}


def fixture(args):
    tokenizer, tagger = load_tokenizer(args.tokenizer), OnnxTagger(args.model, args.threads)
    settings, passages = load_settings(args.model / "config.json"), json.loads(args.fixture.read_text(encoding="utf-8"))
    for passage in passages:
        e = encode_record({"id": "", "text": passage["text"], "triples": []}, tokenizer)
        passage["triples"] = [as_json(e["text"], t) for t in links_of(tagger.read(e, settings), e, settings)]
    args.fixture.write_text(json.dumps(passages, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


CAMEL = lambda name: re.sub(r"_(.)", lambda m: m.group(1).upper(), name)


def load_settings(path):
    values = json.loads(path.read_text())["settings"]
    return decode.Settings(**{f.name: values[CAMEL(f.name)] for f in dataclasses.fields(decode.Settings)})


def direction_logits(network, tokenizer, records, longest):
    out = []
    for r in records:
        ids = np.array([tokenizer.encode(r["query"]).ids[:longest]], np.int64)
        out.append(network.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0])
    return np.array(out)


def tune_direction(args):
    """The temperature under which the exported network's probabilities suit both dev parts best; writes config.json."""
    parts = split_queries(args.data)
    records = parts["dev"] + parts["own dev"]
    network = session(args.model / "direction.onnx", args.threads)
    logits = direction_logits(network, load_tokenizer(args.tokenizer), records, QUERY_PIECES)
    labels = np.array([DIRECTIONS.index(r["label"]) for r in records])

    def loss(temperature):
        z = (logits - logits.max(1, keepdims=True)) / temperature
        return float(np.mean(np.log(np.exp(z).sum(1)) - z[np.arange(len(z)), labels]))

    temperature = min((round(0.5 + 0.05 * i, 2) for i in range(60)), key=loss)
    config = {"version": args.version, "labels": DIRECTIONS, "file": "direction.onnx", "maxPieces": QUERY_PIECES,
              "temperature": temperature}
    (args.model / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    print(f"temperature {temperature} dev loss {loss(temperature):.4f}")


def direction(args):
    config = json.loads((args.model / "config.json").read_text())
    tokenizer, network = load_tokenizer(args.tokenizer), session(args.model / config["file"], args.threads)
    parts = split_queries(args.data)
    sets = {name: parts[name] for name in args.parts or ["dev", "own dev", "test", "own test"]}
    if args.real:
        sets["real"] = read_jsonl(args.data / "direction" / "real-queries.jsonl")
    for name, records in sets.items():
        table, hits, weights = collections.Counter(), collections.Counter(), []
        for r, logits in zip(records, direction_logits(network, tokenizer, records, config["maxPieces"])):
            p = np.exp((logits - logits.max()) / config["temperature"])
            guess = DIRECTIONS[int(p.argmax())]
            weights.append((float(p.max() / p.sum()), guess == r["label"]))
            table[r["label"], guess] += 1
            for key in ("all", "hard" if r.get("hard") else "plain", r.get("file", "real"), r["label"]):
                hits[key, "all"] += 1
                hits[key, "hit"] += guess == r["label"]
        c, y = np.array([w[0] for w in weights]), np.array([w[1] for w in weights], float)
        bins = np.minimum((c * 10).astype(int), 9)
        error = sum(abs(c[bins == b].mean() - y[bins == b].mean()) * (bins == b).sum() for b in set(bins)) / len(c)
        print(f"## {name}: " + " ".join(f"{k}={hits[k, 'hit'] / hits[k, 'all']:.3f} ({hits[k, 'all']})"
                                        for k in dict.fromkeys(k for k, _ in hits)) + f" calibration error {error:.3f}",
              flush=True)
        for gold in DIRECTIONS:
            print("  ", gold, {guess: table[gold, guess] for guess in DIRECTIONS})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["tune", "report", "fixture", "direction", "tune-direction"])
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / ".." / "shared" / "data")
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--tokenizer", type=pathlib.Path, default=HERE.parent / "weights" / "embedder" / "tokenizer.json")
    parser.add_argument("--parts", nargs="+")
    parser.add_argument("--predictions", type=pathlib.Path)
    parser.add_argument("--fixture", type=pathlib.Path)
    parser.add_argument("--version", default="1")
    parser.add_argument("--suffix", default="", help=".fp32 for the networks before quantisation")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--real", action="store_true")
    args = parser.parse_args()
    if args.action == "direction":
        return direction(args)
    if args.action == "tune-direction":
        return tune_direction(args)
    if args.action == "fixture":
        return fixture(args)
    records, parts, tokenizer = load_triples(args.data), split_triples(args.data), load_tokenizer(args.tokenizer)
    tagger = OnnxTagger(args.model, args.threads, args.suffix)
    load = lambda part: [encode_record(records[i], tokenizer) for i in parts[part]]
    if args.action == "tune":
        examples = load("dev") + load("own")
        readings = [tagger.read(e, LOOSE) for e in examples]
        settings = tune(examples, readings)
        temperature, bias = calibrate(examples, predict(examples, readings, settings))
        settings = dataclasses.replace(settings, temperature=temperature, bias=bias)
        config = {"version": args.version, "labels": TYPES, "maxWidth": MAX_WIDTH, "maxPieces": LONGEST,
                  "window": {"pieces": 240, "overlap": 60}, "files": {"spans": "spans.onnx", "pairs": "pairs.onnx"},
                  "settings": {CAMEL(k): v for k, v in dataclasses.asdict(settings).items()}}
        (args.model / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        print(config["settings"])
    settings = load_settings(args.model / "config.json")
    for part in args.parts or ["dev"]:
        examples = load(part)
        links = [links_of(tagger.read(e, settings), e, settings) for e in examples]
        report(part, examples, links)
        if args.predictions:
            args.predictions.mkdir(parents=True, exist_ok=True)
            for name, lines in {"gold": [records[i] for i in parts[part]],
                                "predicted": [{"id": e["id"], "triples": [as_json(e["text"], t) for t in mine]}
                                              for e, mine in zip(examples, links)]}.items():
                (args.predictions / f"{part}.{name}.jsonl").write_text(
                    "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
