import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Passage } from '../../../server/sarg/types.ts';
import { makePassages, textHash } from '../../../server/workspace/passages.ts';
import { weigh } from '../../../server/workspace/sentences.ts';
import type { Block, DocumentPart, ReadDocument } from '../../../server/workspace/types.ts';
import { assertLinear } from './scaling.ts';

type Piece = readonly [kind: Block['kind'], text: string, level?: number];

/** A part whose source is its text, block by block. */
function part(pieces: readonly Piece[], cell?: number): DocumentPart {
  let text = '';
  const blocks: Block[] = [];
  const segments: number[] = [];
  for (const [kind, content, level] of pieces) {
    if (text !== '') text += '\n\n';
    const span = { start: text.length, end: text.length + content.length };
    blocks.push({ kind, span, ...(level === undefined ? {} : { level }) });
    segments.push(span.start, content.length, span.start, content.length);
    text += content;
  }
  return { source: text, text, blocks, segments, ...(cell === undefined ? {} : { cell }) };
}

function document(...parts: DocumentPart[]): ReadDocument {
  return { title: 'Title', parts, notes: [] };
}

function passagesOf(...pieces: Piece[]): Passage[] {
  return makePassages(document(part(pieces)), 'note.md');
}

/** A sentence of `words` words that differs by its name. */
function sentence(name: string | number, words = 20): string {
  return `${Array.from({ length: words }, (_, at) => `Word${name}x${at}`).join(' ')}.`;
}

function sentences(count: number, name = ''): string {
  return Array.from({ length: count }, (_, at) => sentence(`${name}${at}`)).join(' ');
}

test('short blocks under one heading share a passage; headings cut, and are its path', () => {
  const passages = passagesOf(
    ['heading', 'Report', 1],
    ['prose', 'One stands here.'],
    ['prose', 'Two stands here.'],
    ['heading', 'Causes', 2],
    ['prose', 'Three.'],
    ['heading', 'Effects', 2],
    ['prose', 'Four.'],
    ['heading', 'Annex', 1],
    ['prose', 'Five.'],
  );
  assert.deepEqual(
    passages.map(({ text, headings, ordinal }) => [text, headings.join(' > '), ordinal]),
    [
      ['One stands here.\nTwo stands here.', 'Report', 0],
      ['Three.', 'Report > Causes', 1],
      ['Four.', 'Report > Effects', 2],
      ['Five.', 'Annex', 3],
    ],
  );
});

test('an empty file and a file of headings only give no passages', () => {
  assert.deepEqual(makePassages(document(), 'a.md'), []);
  assert.deepEqual(passagesOf(['heading', 'Only', 1], ['heading', 'Headings', 2]), []);
});

test('a heading that is a sentence is read as one too', () => {
  const [passage] = passagesOf(['heading', 'Frost burst the pipe.', 1]);
  assert.equal(passage?.text, 'Frost burst the pipe.');
});

test('a table gives one passage a row', () => {
  const passages = passagesOf(
    ['prose', 'Before.'],
    ['row', 'cause: frost'],
    ['row', 'cause: rust'],
    ['prose', 'After.'],
  );
  assert.deepEqual(
    passages.map((passage) => passage.text),
    ['Before.', 'cause: frost', 'cause: rust', 'After.'],
  );
});

test('a notebook cell is never joined to the next; the heading path goes on over cells', () => {
  const passages = makePassages(
    document(
      part(
        [
          ['heading', 'Title', 1],
          ['prose', 'One.'],
        ],
        0,
      ),
      part([['prose', 'Two.']], 3),
    ),
    'book.ipynb',
  );
  assert.deepEqual(
    passages.map(({ text, headings, source }) => [text, headings, source.cell]),
    [
      ['One.', ['Title'], 0],
      ['Two.', ['Title'], 3],
    ],
  );
});

test('a long text is cut at sentence ends into passages of 100 to 200 words', () => {
  const passages = passagesOf(['prose', sentences(120)]);
  assert.ok(passages.length >= 12);
  for (const passage of passages) {
    const words = passage.text.split(/\s+/).length;
    assert.ok(words <= 200 && words >= 50, `${words} words`);
    assert.ok(passage.text.endsWith('.'));
  }
  assert.equal(passages.map((passage) => passage.text).join(' '), sentences(120));
});

test('passages end at the ends of blocks where they can', () => {
  const paragraphs = Array.from({ length: 20 }, (_, at): Piece => ['prose', sentences(3, `p${at}s`)]);
  for (const passage of passagesOf(...paragraphs))
    for (const line of passage.text.split('\n')) assert.ok(paragraphs.some(([, text]) => text === line));
});

test('a list stays with the sentence that leads to it', () => {
  const lead = `${sentences(8, 'before')} These causes were found:`;
  const items = Array.from({ length: 6 }, (_, at): Piece => ['item', sentences(1, `item${at}n`)]);
  const passages = passagesOf(['prose', lead], ...items, ['prose', sentences(8, 'after')]);
  const holding = passages.filter((passage) => /found:|item/.test(passage.text));
  assert.equal(holding.length, 1);
  assert.match(holding[0]!.text, /These causes were found:\n.*item0.*\n(.*\n)*.*item5/);
});

test('a list too long for one passage is cut between its items', () => {
  const items = Array.from({ length: 12 }, (_, at): Piece => ['item', sentences(3, `i${at}n`)]);
  const passages = passagesOf(['prose', 'Found:'], ...items);
  assert.ok(passages.length > 3);
  assert.match(passages[0]!.text, /^Found:\nWordi0/);
  for (const passage of passages)
    for (const line of passage.text.split('\n').filter((text) => text !== 'Found:'))
      assert.ok(items.some(([, text]) => text === line));
});

test('a text without stops is cut at white space', () => {
  const passages = passagesOf(['prose', 'word '.repeat(3000).trim()]);
  assert.ok(passages.length >= 15);
  for (const { text } of passages) assert.match(text, /^word( word)*$/);
});

test('Chinese passages are counted by characters', () => {
  const passages = passagesOf(['prose', '水泵因密封老化而失效，导致停机。'.repeat(200)]);
  for (const { text } of passages)
    assert.ok(text.length >= 100 && text.length <= 400, `${text.length} characters`);
});

test('an edit changes the passages near it and leaves the others their texts', () => {
  const before = Array.from({ length: 300 }, (_, at) => sentence(at));
  const after = [...before];
  after.splice(20, 1, sentence('edited', 9), sentence('added', 31));
  const hashes = (list: readonly string[]): string[] =>
    passagesOf(['prose', list.join(' ')]).map((passage) => textHash(passage.text));
  const known = new Set(hashes(before));
  const fresh = hashes(after).filter((hash) => !known.has(hash));
  assert.ok(fresh.length >= 1 && fresh.length <= 8, `${fresh.length} of ${known.size} passages are new`);
});

test('ids tell apart equal texts by their place, and hashes do not', () => {
  const passages = passagesOf(['row', 'a: b'], ['row', 'a: b']);
  assert.notEqual(passages[0]!.id, passages[1]!.id);
  assert.equal(textHash(passages[0]!.text), textHash(passages[1]!.text));
});

const blocks = fc.array(
  fc.tuple(
    fc.constantFrom<Block['kind']>('prose', 'item', 'row', 'caption', 'heading'),
    fc
      .array(
        fc.constantFrom(
          'The pump failed.',
          'It was cold: frost',
          '泵失效。',
          'word',
          'e.g. this',
          '\n',
          '😀.',
        ),
        {
          minLength: 1,
          maxLength: 60,
        },
      )
      .map((words) => words.join(' ').trim() || 'x'),
  ),
  { maxLength: 12 },
);

test('law: passages hold every word of the blocks once, in order, in sentences, and stand in the source', () => {
  fc.assert(
    fc.property(blocks, (pieces) => {
      const whole = part(pieces.map(([kind, text]) => [kind, text]));
      const passages = makePassages(document(whole), 'f.md');
      const words = (texts: readonly string[]): string => texts.join('').replaceAll(/[^\p{L}\p{N}]/gu, '');
      const kept = pieces.filter(([kind, text]) => kind !== 'heading' || /[.!。！]$/.test(text));
      assert.equal(words(passages.map((passage) => passage.text)), words(kept.map(([, text]) => text)));
      for (const { text, sentences, source } of passages) {
        assert.equal(
          sentences
            .map(({ start, end }) => text.slice(start, end))
            .join('')
            .replaceAll(/\s/g, ''),
          text.replaceAll(/\s/g, ''),
        );
        assert.equal(whole.source.slice(source.offset, source.offset + source.text.length), source.text);
        const { segments } = source;
        assert.equal(segments[2], 0);
        assert.equal(segments.at(-2)! + segments.at(-1)!, source.text.length);
        for (let at = 0; at < segments.length; at += 4)
          assert.equal(
            text.slice(segments[at]!, segments[at]! + segments[at + 1]!),
            source.text.slice(segments[at + 2]!, segments[at + 2]! + segments[at + 3]!),
          );
        assert.ok(weigh(text) <= 700);
      }
    }),
  );
});

test('passages: 1 MB in one block costs at most 5 times a quarter of it', () => {
  const make = (length: number): ReadDocument => {
    let text = '';
    for (let at = 0; text.length < length; at++) text += `${sentence(at)} `;
    return document(part([['prose', text.trim()]]));
  };
  assertLinear((work) => makePassages(work, 'f.md'), make(256 * 1024), make(1024 * 1024));
});
