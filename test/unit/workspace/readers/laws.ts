/** What must hold for every part that any reader gives. */
import assert from 'node:assert/strict';
import { readText } from '../../../../server/workspace/readers/index.ts';
import type { DocumentPart } from '../../../../server/workspace/types.ts';

/** Checks the map between text and source, and that blocks cover the text. */
export function assertPart(part: DocumentPart): void {
  const { text, source, segments, blocks } = part;
  assert.equal(segments.length % 4, 0);
  const covered = new Uint8Array(text.length);
  let textEnd = 0;
  let sourceEnd = 0;
  for (let i = 0; i < segments.length; i += 4) {
    const [at, length, from, width] = segments.slice(i, i + 4) as [number, number, number, number];
    assert.ok(at >= textEnd && from >= sourceEnd, 'segments ascend and do not overlap');
    assert.ok(length > 0 && width > 0, 'segments are not empty');
    textEnd = at + length;
    sourceEnd = from + width;
    assert.ok(textEnd <= text.length && sourceEnd <= source.length, 'segments stay inside');
    if (length === width) assert.equal(text.slice(at, textEnd), source.slice(from, sourceEnd));
    covered.fill(1, at, textEnd);
  }
  for (const { kind, span } of blocks) {
    if (kind === 'row') continue;
    for (let i = span.start; i < span.end; i += 1) {
      assert.ok(covered[i] === 1 || /\s/.test(text[i]!), `unit ${i} (${text[i]}) of a ${kind} has no place`);
    }
  }
  assert.equal(blockTexts(part).join('\n\n'), text, 'blocks separated by blank lines are the text');
  for (const block of blockTexts(part)) assert.equal(block, block.trim());
}

/** Each block's text. */
export function blockTexts({ blocks, text }: DocumentPart): string[] {
  return blocks.map(({ span }) => text.slice(span.start, span.end));
}

/** "kind: text" of each block of a source read as `file`; checks the laws on the way. */
export function blocksOf(source: string, file: string): string[] {
  return readText(source, file).parts.flatMap((part) => {
    assertPart(part);
    return part.blocks.map(
      ({ kind, level, span }) => `${kind}${level ?? ''}: ${part.text.slice(span.start, span.end)}`,
    );
  });
}

/** The source that a stretch of the text was read from, first to last unit. */
export function sourceOf(part: DocumentPart, words: string): string {
  const start = part.text.indexOf(words);
  assert.ok(start >= 0, `"${words}" is in the text`);
  const place = (unit: number): [number, number] => {
    for (let i = 0; i < part.segments.length; i += 4) {
      const [at, length, from, width] = part.segments.slice(i, i + 4) as [number, number, number, number];
      if (unit < at || unit >= at + length) continue;
      return length === width ? [from + unit - at, from + unit - at + 1] : [from, from + width];
    }
    throw new Error(`unit ${unit} has no place`);
  };
  return part.source.slice(place(start)[0], place(start + words.length - 1)[1]);
}

/** How many times longer four times the input takes, the best of several runs by processor time. */
export function growth(make: (units: number) => string, file: string, units = 40_000): number {
  const time = (source: string) => {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 4; run += 1) {
      const before = process.cpuUsage();
      readText(source, file);
      const { user } = process.cpuUsage(before);
      best = Math.min(best, user);
    }
    return best;
  };
  const small = make(units);
  const large = make(units * 4);
  time(small);
  // Microseconds that a run may take whatever its length.
  const constant = 20_000;
  return time(large) / (time(small) + constant);
}
