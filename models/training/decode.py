"""From the networks' numbers to triples. models/tagger.ts does the same, step for step; fixtures hold them together."""
import dataclasses
import re

import numpy as np

from model import MAX_WIDTH
from prepare import TYPES


@dataclasses.dataclass
class Settings:
    span: float = 0.15          # least probability of an argument span
    span_overlap: float = 0.7   # a span that overlaps a better one by this much is dropped
    max_spans: int = 40
    trigger: float = 0.2
    trigger_mass: float = 0.3   # least attention on a trigger
    link: float = 0.35          # least score of a link
    span_weight: float = 1.0    # how much the spans' own probabilities count in the score
    link_overlap: float = 0.3   # two links in one direction between places that overlap this much are one
    reverse: float = 0.6        # least score of a link that runs against a better one
    negated: float = 0.5        # least probability that a link is denied, where a word of denial stands near it
    negated_clear: float = 0.5  # and where none does
    hedged: float = 0.5
    gate: float = 0.0           # least probability that the passage holds any link
    temperature: float = 1.0
    bias: float = 0.0


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def overlap(a, b):
    inter = min(a[1], b[1]) - max(a[0], b[0]) + 1
    return inter / (max(a[1], b[1]) - min(a[0], b[0]) + 1) if inter > 0 else 0.0


def whole(text, offsets, i, j):
    """A span starts and ends between words."""
    a, b = offsets[i][0], offsets[j][1]
    left = a > 0 and text[a - 1].isalnum() and text[a].isalnum()
    right = b < len(text) and text[b - 1].isalnum() and text[b].isalnum()
    return not left and not right


def spans_of(logits, text, offsets, least, overlap_limit, limit):
    """[(start piece, end piece, probability)], best first, none overlapping a better one by the limit or more."""
    n = len(offsets)
    floor = np.log(least / (1 - least))
    rows, columns = np.nonzero(logits[:n, :n] >= floor)
    found = [(int(i), int(j), float(sigmoid(logits[i, j]))) for i, j in zip(rows, columns)
             if 0 < i <= j < n - 1 and j - i < MAX_WIDTH and whole(text, offsets, i, j)]
    found.sort(key=lambda s: (-s[2], s[0], s[1]))
    kept = []
    for span in found:
        if len(kept) < limit and all(overlap(span, k) < overlap_limit for k in kept):
            kept.append(span)
    return kept


DENIAL = re.compile(
    r"\b(no|not|non|never|neither|nor|none|nothing|nobody|without|cannot|hardly|seldom|rarely|unrelated|regardless|"
    r"irrelevant|unaffected|independent|unchanged|rul(?:e|ed|es|ing) out|exclud\w+|refut\w+|reject\w*|den(?:y|ies|ied)|"
    r"disprov\w+|contradict\w*|fail(?:s|ed)? to|myth|coincidence|wrong\w*|false|blameless|innocent|far from|"
    r"rather than|instead of|dismiss\w*|unlikely|absent|little)\b|n['’]t\b", re.I)
NEAR = 10  # pieces


def denial_near(text, offsets):
    """Whether a word of denial stands between two spans, in them, or within ten pieces of them."""
    def test(a, b):
        first = max(1, min(a[0], b[0]) - NEAR)
        last = min(len(offsets) - 2, max(a[1], b[1]) + NEAR)
        return bool(DENIAL.search(text[offsets[first][0]:offsets[last][1]]))
    return test


def link_triples(spans, triggers, pairs, attention, gate, settings, denied=lambda a, b: True):
    """Links over pieces: dicts with cause, effect, relation (start, end) or None, type, negated, hedged, confidence.
    `denied` tells of two spans whether a word of denial stands near them (denial_near)."""
    if sigmoid(gate) < settings.gate:
        return []
    if len(spans) < 2:
        return []
    first, last, likely = (np.array([s[k] for s in spans]) for k in range(3))
    apart = (last[:, None] < first[None, :]) | (last[None, :] < first[:, None])
    weights = np.exp(pairs[..., :10] - pairs[..., :10].max(-1, keepdims=True))
    link = 1 - weights[..., 0] / weights.sum(-1)
    scores = link * np.power(likely[:, None] * likely[None, :], settings.span_weight / 2)
    kinds = 1 + weights[..., 1:].argmax(-1)
    scored = [(float(scores[i, j]), int(i), int(j), int(kinds[i, j]))
              for i, j in zip(*np.nonzero(apart & (scores >= settings.link)))]
    scored.sort(key=lambda s: (-s[0], s[1], s[2]))
    out = []
    for score, i, j, kind in scored:
        a, b = spans[i], spans[j]
        same = any(overlap(a, o["cause"]) >= settings.link_overlap and overlap(b, o["effect"]) >= settings.link_overlap
                   for o in out)
        against = any(overlap(a, o["effect"]) >= settings.link_overlap
                      and overlap(b, o["cause"]) >= settings.link_overlap for o in out)
        if same or (against and score < settings.reverse):
            continue
        negated = sigmoid(pairs[i, j, 10])
        least = settings.negated if denied(a, b) else settings.negated_clear
        best, relation = settings.trigger_mass, None
        for t in triggers:
            mass = float(np.exp(attention[i, j, t[0]:t[1] + 1]).sum())
            if mass > best and overlap(t, a) == 0 and overlap(t, b) == 0:
                best, relation = mass, (t[0], t[1])
        logit = np.log(score / max(1e-6, 1 - score))
        out.append({"cause": a[:2], "effect": b[:2], "relation": relation, "type": TYPES[kind - 1],
                    "negated": bool(negated >= least),
                    "hedged": bool(sigmoid(pairs[i, j, 11]) >= settings.hedged), "score": score,
                    "confidence": float(sigmoid(logit / settings.temperature + settings.bias))})
    out.sort(key=lambda o: (o["cause"][0], o["effect"][0], o["cause"][1], o["effect"][1]))
    return out


ARTICLES = ("the ", "a ", "an ")
TRAILING = " \t\r\n.,;:!?"


def trim(text, start, end):
    """Leaves off white space, leading articles and trailing punctuation."""
    while start < end and text[start].isspace():
        start += 1
    for article in ARTICLES:
        if text[start:end].lower().startswith(article):
            start += len(article)
            break
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1] in TRAILING:
        end -= 1
    return start, end


def to_characters(links, text, offsets):
    """Pieces -> trimmed character spans (code points)."""
    out = []
    for link in links:
        place = lambda s: trim(text, offsets[s[0]][0], offsets[s[1]][1])
        cause, effect = place(link["cause"]), place(link["effect"])
        relation = (offsets[link["relation"][0]][0], offsets[link["relation"][1]][1]) if link["relation"] else None
        if cause[0] < cause[1] and effect[0] < effect[1]:
            out.append(dict(link, cause=cause, effect=effect, relation=relation))
    return out
