/**
 * An answer without a language model: sentences put together from the chains, each citing its hops, and nothing that
 * the documents do not say.
 */
import type { Chain } from './chains.ts';
import { oneLine, verbOf } from './compile.ts';
import { evidenceText } from './finder.ts';
import type { ReasoningGraph, RetrievedPassage } from './types.ts';

export interface AnswerSentenceDraft {
  readonly text: string;
  readonly cites: readonly number[];
}

export interface AnswerDraft {
  readonly kind: 'composed' | 'none';
  readonly text: string;
  readonly sentences: readonly AnswerSentenceDraft[];
  readonly confidence: number;
}

/** Sentences from the chains; numbers run on over the chains in order. */
export function compose(chains: readonly Chain[], graph: ReasoningGraph, confidence: number): AnswerDraft {
  const sentences: AnswerSentenceDraft[] = [];
  const told = new Set<number>();
  let number = 0;
  for (const chain of chains) {
    let before = '';
    for (const hop of chain.hops) {
      number++;
      if (told.has(hop.link)) {
        before = oneLine(graph.links[hop.link]!.triple.effect.text);
        continue;
      }
      told.add(hop.link);
      const { triple } = graph.links[hop.link]!;
      const cause = oneLine(triple.cause.text);
      const near = hop.join?.kind === 'near' && before !== '' ? ` (taken as the same as “${before}”)` : '';
      const quote = evidenceText(triple.passage, triple.evidence);
      sentences.push({
        text: `${capitalise(cause)}${near} ${verbOf(triple)} ${oneLine(triple.effect.text)} [${number}]: “${quote}”`,
        cites: [number],
      });
      before = oneLine(triple.effect.text);
    }
  }
  return {
    kind: 'composed',
    text: sentences.map((sentence) => sentence.text).join('\n'),
    sentences,
    confidence,
  };
}

/** What is said when nothing connects: that the documents do not say, and what was found nearest. */
export function documentsDoNotSay(retrieved: readonly RetrievedPassage[], confidence: number): AnswerDraft {
  const nearest = retrieved.slice(0, 3).map(({ passage }) => passage);
  const files = [...new Set(nearest.map((passage) => passage.file))];
  const text =
    files.length === 0
      ? 'Your documents do not say. Nothing in them comes near the question.'
      : `Your documents do not say. Nearest to the question: ${files.join(', ')}.`;
  return { kind: 'none', text, sentences: [{ text, cites: [] }], confidence };
}

function capitalise(text: string): string {
  const first = text.match(/^\p{Ll}/u)?.[0];
  return first ? first.toUpperCase() + text.slice(first.length) : text;
}
