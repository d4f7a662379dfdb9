/**
 * From spans that a model found to triples that can be believed. Paper, section 3.2: a triple is kept only where its
 * words stand in the passage; no clear link, no edge.
 */
import type { SpanTriple } from '../../models/protocol.ts';
import type { Mention, Passage, Span, Triple } from './types.ts';
import { words } from './words.ts';

/** Why spans of a model did not become a triple; counted, so that what a model made up can be seen. */
export type Rejection = 'outside' | 'empty' | 'unsourced' | 'overlapping' | 'duplicate';

export interface Extraction {
  readonly triples: Triple[];
  readonly rejected: Readonly<Record<Rejection, number>>;
}

/**
 * Checks the spans found in one passage and gives each its evidence: the whole sentences from the first to the last of
 * its cause, relation and effect.
 * @param minConfidence triples below it are left out, 0 to 1
 */
export function extract(
  passage: Passage,
  found: readonly SpanTriple[],
  extractor: string,
  minConfidence = 0,
): Extraction {
  const rejected = { outside: 0, empty: 0, unsourced: 0, overlapping: 0, duplicate: 0 };
  const seen = new Set<string>();
  const triples: Triple[] = [];
  for (const raw of found) {
    if (raw.confidence < minConfidence) continue;
    if (
      ![raw.cause, raw.effect, ...(raw.relation ? [raw.relation] : [])].every((span) =>
        inside(span, passage.text),
      )
    ) {
      rejected.outside++;
      continue;
    }
    const cause = mention(passage.text, raw.cause);
    const effect = mention(passage.text, raw.effect);
    if (cause === null || effect === null) {
      rejected.empty++;
      continue;
    }
    if (!hasSource(passage, cause.span) || !hasSource(passage, effect.span)) {
      rejected.unsourced++;
      continue;
    }
    if (cause.span.start < effect.span.end && effect.span.start < cause.span.end) {
      rejected.overlapping++;
      continue;
    }
    const key = `${cause.span.start}:${cause.span.end}:${effect.span.start}:${effect.span.end}`;
    if (seen.has(key)) {
      rejected.duplicate++;
      continue;
    }
    seen.add(key);
    const told = raw.relation ? mention(passage.text, raw.relation) : null;
    const relation = told !== null && hasSource(passage, told.span) ? told : null;
    const spans = [cause.span, effect.span, ...(relation ? [relation.span] : [])];
    triples.push({
      passage,
      cause,
      relation,
      effect,
      type: raw.type,
      negated: raw.negated,
      hedged: raw.hedged,
      confidence: raw.confidence,
      evidence: evidence(passage, spans),
      extractor,
    });
  }
  return { triples, rejected };
}

function inside(span: Span, text: string): boolean {
  return (
    Number.isInteger(span.start) &&
    Number.isInteger(span.end) &&
    span.start >= 0 &&
    span.end <= text.length &&
    span.start < span.end
  );
}

/**
 * Whether any of the span stands at this place of the file. A table row's headers do not: they stand further up, and
 * what stands here is the value below, which would be shown as if it were the words.
 */
function hasSource({ source: { segments } }: Passage, span: Span): boolean {
  for (let at = 0; at < segments.length; at += 4) {
    if (segments[at]! < span.end && span.start < segments[at]! + segments[at + 1]!) return true;
  }
  return false;
}

/** The span without white space around it; null where no word is left. */
function mention(text: string, span: Span): Mention | null {
  let { start, end } = span;
  while (start < end && /\s/.test(text[start]!)) start++;
  while (end > start && /\s/.test(text[end - 1]!)) end--;
  const own = text.slice(start, end);
  return words(own).length === 0 ? null : { text: own, span: { start, end } };
}

function evidence(passage: Passage, spans: readonly Span[]): Span {
  const from = Math.min(...spans.map((span) => span.start));
  const to = Math.max(...spans.map((span) => span.end));
  let start = from;
  let end = to;
  for (const sentence of passage.sentences) {
    if (sentence.start <= from && from < sentence.end) start = sentence.start;
    if (sentence.start < to && to <= sentence.end) end = sentence.end;
  }
  return { start, end };
}
