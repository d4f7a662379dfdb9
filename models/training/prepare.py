"""Reads the annotated passages and queries, splits them, and aligns their spans with word pieces.

Run as a script it writes split.json: python prepare.py --data ../shared/data
"""
import argparse
import hashlib
import json
import pathlib

from tokenizers import Tokenizer

TYPES = ["causes", "enables", "prevents", "increases", "decreases", "requires", "precedes", "condition", "spatial"]
DIRECTIONS = ["forward", "backward", "bidirectional"]
INVENTED = ["passages", "long-passages", "more-tech", "more-life", "more-society", "more-notes",
            "round4-science", "round4-work", "round4-public"]
MAX_PIECES = 512
HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE / "data"  # real passages annotated beside this code, one file a kind
OWN_QUERIES = HERE / "data-direction"


def read_jsonl(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def digest(text):
    return hashlib.sha1(text.encode("utf-8")).hexdigest()


def by_hash(keys):
    """A fixed shuffle that depends on nothing but the keys."""
    return sorted(keys, key=digest)


def split_triples(data):
    """Ids by part. Invented passages: per file, the first 8 % by hash are test, the next 5 % dev. Our own real ones: per
    file, the first tenth of the documents by hash is test ("own"), so that no document is in two parts."""
    parts = {"train": [], "dev": [], "test": [], "news": [], "real": [], "own": []}
    for name in INVENTED:
        ids = by_hash([r["id"] for r in read_jsonl(data / "triples" / f"{name}.jsonl")])
        test, dev = round(len(ids) * 0.08), round(len(ids) * 0.05)
        parts["test"] += ids[:test]
        parts["dev"] += ids[test:test + dev]
        parts["train"] += ids[test + dev:]
    real = read_jsonl(data / "triples" / "real-passages.jsonl")
    news = by_hash([r["id"] for r in real if r["source"].startswith("causal/")])
    parts["news"] = news[:10]
    parts["train"] += news[10:]
    parts["real"] = [r["id"] for r in real if r["source"].startswith("documents/")]
    for path in sorted(OWN.glob("*.jsonl")):
        records = read_jsonl(path)
        sources = by_hash({r["source"] for r in records})
        held = set(sources[:max(1, round(len(sources) * 0.1))])
        parts["own"] += [r["id"] for r in records if r["source"] in held]
        parts["train"] += [r["id"] for r in records if r["source"] not in held]
    return parts


def split_queries(data):
    """Queries by part, per file and label: the first 10 % by hash are test, the next 5 % dev. Those beside this code go
    to parts of their own ("own test", "own dev"), so that the older figures stay comparable."""
    parts = {"train": [], "dev": [], "test": [], "own dev": [], "own test": []}
    files = [(data / "direction" / f"{name}.jsonl", "") for name in ("queries", "factual-queries")]
    files += [(path, "own ") for path in sorted(OWN_QUERIES.glob("*.jsonl"))]
    for path, kind in files:
        records = read_jsonl(path)
        for label in DIRECTIONS:
            group = {r["query"]: dict(r, file=path.stem) for r in records if r["label"] == label}
            keys = by_hash(group)
            test, dev = round(len(keys) * 0.10), round(len(keys) * 0.05)
            parts[kind + "test"] += [group[k] for k in keys[:test]]
            parts[kind + "dev"] += [group[k] for k in keys[test:test + dev]]
            parts["train"] += [group[k] for k in keys[test + dev:]]
    return parts


def load_triples(data):
    records = {}
    for name in INVENTED + ["real-passages"]:
        for record in read_jsonl(data / "triples" / f"{name}.jsonl"):
            records[record["id"]] = dict(record, file=name)
    for path in sorted(OWN.glob("*.jsonl")):
        for record in read_jsonl(path):
            records[record["id"]] = dict(record, file=path.stem)
    return records


def places(text, span):
    at, out = text.find(span), []
    while at >= 0:
        out.append((at, at + len(span)))
        at = text.find(span, at + 1)
    return out


def whole_words(text, span):
    start, end = span
    left = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    right = end < len(text) and text[end - 1].isalnum() and text[end].isalnum()
    return not left and not right


def gap(a, b):
    return max(0, b[0] - a[1], a[0] - b[1])


def locate(text, triple):
    """Chooses among the places of cause, relation and effect those that lie closest together."""
    def options(span):
        found = places(text, span)
        return [p for p in found if whole_words(text, p)] or found

    causes, effects = options(triple["cause"]), options(triple["effect"])
    # An anaphor stands for its antecedent beside the trigger; the antecedent is the last mention before it.
    near_c = options(triple["cause_surface"]) if triple.get("cause_surface") else None
    near_e = options(triple["effect_surface"]) if triple.get("effect_surface") else None
    relations = options(triple["relation"]) if triple["relation"] else [None]
    best = None
    for c in near_c or causes:
        for e in near_e or effects:
            for r in relations:
                cost = gap(c, e) if r is None else gap(c, r) + gap(r, e)
                if r and (max(c[0], r[0]) < min(c[1], r[1]) or max(e[0], r[0]) < min(e[1], r[1])):
                    cost += 5
                if c == e:
                    cost += 1000
                if best is None or cost < best[0]:
                    best = (cost, c, e, r)
    _, c, e, r = best

    def antecedent(surface, spans):
        return min(spans, key=lambda s: (gap(s, surface) + (40 if s[0] > surface[0] else 0)))

    if near_c:
        c = antecedent(c, causes)
    if near_e:
        e = antecedent(e, effects)
    return c, e, r


def pieces_of(offsets, span):
    """First and last piece that overlap a character span; piece 0 is [CLS]."""
    inside = [i for i, (a, b) in enumerate(offsets) if b > a and a < span[1] and b > span[0]]
    return (inside[0], inside[-1]) if inside else None


def load_tokenizer(path):
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_PIECES)
    return tokenizer


def encode_record(record, tokenizer):
    """One passage as numbers: ids, offsets (code points), arguments, triggers and links over pieces."""
    encoding = tokenizer.encode(record["text"])
    offsets = encoding.offsets
    links = []
    for triple in record["triples"]:
        c, e, r = locate(record["text"], triple)
        cause, effect = pieces_of(offsets, c), pieces_of(offsets, e)
        if not cause or not effect or cause == effect:
            continue
        links.append({
            "cause": cause, "effect": effect, "trigger": pieces_of(offsets, r) if r else None,
            "type": TYPES.index(triple["type"]), "negated": bool(triple.get("negated")),
            "hedged": bool(triple.get("hedged")),
        })
    return {"id": record["id"], "text": record["text"], "ids": encoding.ids, "offsets": offsets, "links": links,
            "triples": record["triples"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, default=HERE.parents[1] / ".." / "shared" / "data")
    args = parser.parse_args()
    parts = split_triples(args.data)
    queries = split_queries(args.data)
    out = {"tagger": {k: sorted(v) for k, v in parts.items()},
           "direction": {k: sorted(digest(r["query"])[:12] for r in queries[k]) for k in queries if k != "train"}}
    (HERE / "split.json").write_text(json.dumps(out, indent=0) + "\n")
    print({k: len(v) for k, v in parts.items()}, {k: len(v) for k, v in queries.items()})


if __name__ == "__main__":
    main()
