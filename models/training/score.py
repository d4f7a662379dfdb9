"""Counts matches as score_triples.py of the data does, with more detail: by type, implicit, across sentences."""
import collections
import re

from prepare import places


def iou(a, b):
    inter = min(a[1], b[1]) - max(a[0], b[0])
    return inter / (max(a[1], b[1]) - min(a[0], b[0])) if inter > 0 else 0.0


def bare(text):
    return re.sub(r"^(the|a|an)\s+", "", text.strip(), flags=re.I)


def match(text, gold, predicted):
    """[(gold index, predicted index, exact)] one to one; predicted cause and effect are (start, end) characters."""
    pairs = []
    for i, g in enumerate(gold):
        causes, effects = places(text, g["cause"]), places(text, g["effect"])
        for j, t in enumerate(predicted):
            a = max(iou(t["cause"], x) for x in causes)
            b = max(iou(t["effect"], x) for x in effects)
            equal = bare(text[slice(*t["cause"])]) == bare(g["cause"]) and bare(text[slice(*t["effect"])]) == bare(g["effect"])
            if (a >= 0.5 and b >= 0.5) or equal:
                pairs.append((equal, a * b, i, j))
    used_gold, used_mine, out = set(), set(), []
    for equal, _, i, j in sorted(pairs, reverse=True):
        if i not in used_gold and j not in used_mine:
            used_gold.add(i)
            used_mine.add(j)
            out.append((i, j, equal))
    return out


def count(records, predictions):
    """records: dicts with text and triples; predictions: lists of links with character spans."""
    n = collections.Counter()
    for record, mine in zip(records, predictions):
        gold = record["triples"]
        n["gold"] += len(gold)
        n["predicted"] += len(mine)
        if not gold:
            n["empty"] += 1
            n["empty kept"] += not mine
        n["gold negated"] += sum(bool(g.get("negated")) for g in gold)
        for i, j, equal in match(record["text"], gold, mine):
            g, t = gold[i], mine[j]
            n["relaxed"] += 1
            n["exact"] += equal
            n["type"] += t["type"] == g["type"]
            n["negated"] += t["negated"] == bool(g.get("negated"))
            n["hedged"] += t["hedged"] == bool(g.get("hedged"))
            n["negated shown plain"] += bool(g.get("negated")) and not t["negated"]
            n["plain shown negated"] += t["negated"] and not g.get("negated")
    return n


def figures(n):
    ratio = lambda a, b: a / b if b else 0.0
    f1 = lambda key: ratio(2 * n[key], n["gold"] + n["predicted"])
    return {"relaxed": f1("relaxed"), "P": ratio(n["relaxed"], n["predicted"]), "R": ratio(n["relaxed"], n["gold"]),
            "exact": f1("exact"), "type": ratio(n["type"], n["relaxed"]), "negated": ratio(n["negated"], n["relaxed"]),
            "hedged": ratio(n["hedged"], n["relaxed"]),
            "negated plain": f'{n["negated shown plain"]}/{n["gold negated"]}',
            "plain negated": n["plain shown negated"], "empty kept": f'{n["empty kept"]}/{n["empty"]}',
            "gold": n["gold"], "predicted": n["predicted"]}


def show(n):
    return " ".join(f"{k}={v:.3f}" if isinstance(v, float) else f"{k}={v}" for k, v in figures(n).items())
