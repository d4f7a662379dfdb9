/**
 * Every place that an answer prints is the exact text of its file: for each question of two folders that hold every
 * format, each place anywhere in the JSON is looked up in the file, by offsets and by line and character.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, test } from 'node:test';
import { decodeHTML } from 'entities';
import type { AnswerView, Place } from '../../server/protocol.ts';
import { fold } from '../../server/sarg/words.ts';
import { decode } from '../../server/workspace/encoding.ts';
import { causeway } from './fixtures/cli.ts';

const LIMIT = 900_000;
const root = join(import.meta.dirname, '../..');
const temporary = mkdtempSync(join(tmpdir(), 'causeway-quotes-'));
after(() => rmSync(temporary, { recursive: true, force: true }));

/** The text that an editor shows: the decoded file, or the joined source of a notebook's cell. */
function shown(folder: string, place: Place): string {
  const text = decoded(join(folder, place.file));
  if (place.cell === undefined) return text;
  const { source } = (JSON.parse(text) as { cells: { source: string | string[] }[] }).cells[place.cell]!;
  return Array.isArray(source) ? source.join('') : source;
}

const files = new Map<string, string>();
function decoded(path: string): string {
  const text = files.get(path) ?? decode(readFileSync(path)).text;
  files.set(path, text);
  return text;
}

/** Offset of a line and character; lines end with \n, \r\n or a lone \r. */
function offsetAt(text: string, { line, character }: Place['range']['start']): number {
  let start = 0;
  for (const match of text.matchAll(/\r\n|\r|\n/g)) {
    if (line-- === 0) break;
    start = match.index + match[0].length;
  }
  return start + character;
}

interface Printed {
  readonly place: Place;
  /** The clean words shown with the place. */
  readonly text: string | undefined;
  readonly at: string;
}

/** Every place anywhere in a value, with the text that stands beside it. */
function* placesIn(value: unknown, at = ''): Generator<Printed> {
  if (value === null || typeof value !== 'object') return;
  const own = value as Record<string, unknown>;
  const text = typeof own['text'] === 'string' ? own['text'] : undefined;
  if ('quote' in own) yield { place: value as Place, text, at };
  for (const [key, inner] of Object.entries(own)) {
    if (key === 'place' && inner !== null) yield { place: inner as Place, text, at: `${at}/place` };
    else yield* placesIn(inner, `${at}/${key}`);
  }
}

/** The first word of a text that does not stand in a quote behind the words before it, mark-up aside. */
function firstMissing(text: string, quote: string): string | null {
  let from = 0;
  for (const [word] of text.matchAll(/[a-z0-9]+/g)) {
    const at = quote.indexOf(word, from);
    if (at < 0) return word;
    from = at + word.length;
  }
  return null;
}

/**
 * The clean words stand in the quote in their order, whatever mark-up stands between them. Letters that TeX
 * spells otherwise (\beta) are left aside. A table row's text, "Header: value; Header: value.", has headers
 * that stand further up.
 */
function assertWords(text: string, quote: string, above: string, where: string): void {
  const own = fold(decodeHTML(quote));
  const whole = firstMissing(fold(text), own);
  if (whole === null) return;
  const headers: string[] = [];
  const values = text
    .split(/;\s+/)
    .map((piece) =>
      piece.replace(/^([^:]*):\s/, (_, header: string) => {
        headers.push(header);
        return '';
      }),
    )
    .join(' ');
  assert.ok(
    headers.length > 0,
    `"${whole}" of “${text}” does not stand in “${quote}” in its order (${where})`,
  );
  assert.equal(firstMissing(fold(values), own), null, `“${text}” | “${quote}” (${where})`);
  for (const [word] of fold(headers.join(' ')).matchAll(/[a-z0-9]+/g))
    assert.ok(fold(above).includes(word), `the header "${word}" stands above ${where}`);
}

function check(folder: string, { place, text, at }: Printed): void {
  const source = shown(folder, place);
  const where = `${place.file}${at}`;
  assert.equal(source.slice(place.offsets.start, place.offsets.end), place.quote, `offsets of ${where}`);
  const [start, end] = [offsetAt(source, place.range.start), offsetAt(source, place.range.end)];
  assert.equal(source.slice(start, end), place.quote, `lines of ${where}`);
  assert.notEqual(place.quote.trim(), '', `nothing at ${where}`);
  if (text !== undefined) assertWords(text, place.quote, source.slice(0, place.offsets.start), where);
}

for (const [name, folder] of [
  ['the example folder', join(root, 'examples/harbour')],
  ['the gaucher folder', join(root, 'test/eval/workspaces/gaucher')],
] as const) {
  test(`every place printed for every question of ${name} is the exact text of its file`, {
    timeout: LIMIT,
  }, async () => {
    const docs = join(folder, 'docs');
    const questions = join(folder, 'questions.jsonl');
    const index = join(temporary, 'index.sqlite');
    const { code, stdout, stderr } = await causeway([
      'ask',
      '--questions',
      questions,
      '--json',
      docs,
      '--index',
      index,
    ]);
    rmSync(index, { force: true });
    assert.equal(code, 0, stderr);
    assert.equal(stderr, '');
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AnswerView);
    assert.equal(answers.length, readFileSync(questions, 'utf8').trimEnd().split('\n').length);
    const kinds = new Set<string>();
    const parts = new Set<string>();
    for (const [number, answer] of answers.entries()) {
      for (const printed of placesIn(answer, `#${number}`)) {
        check(docs, printed);
        kinds.add(extname(printed.place.file));
        parts.add(printed.at.replace(/\d+/g, '*'));
      }
    }
    const formats = new Set(readdirSync(docs).map((file) => extname(file)));
    assert.deepEqual([...kinds].sort(), [...formats].sort(), 'every format is among what was printed');
    for (const part of [
      '#*/retrieved/*/place',
      '#*/concepts/*/mentions/*/place',
      '#*/links/*/cause/place',
      '#*/links/*/relation/place',
      '#*/links/*/effect/place',
      '#*/links/*/evidence',
      '#*/chains/*/hops/*/cause/place',
      '#*/chains/*/hops/*/evidence',
    ]) {
      assert.ok(parts.has(part), `${part} is printed`);
    }
  });
}
