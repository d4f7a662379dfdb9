import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { TokenizerFileError, WordPieceTokenizer } from '../../../models/tokenizer.ts';

const path = join(import.meta.dirname, '../../../models/weights/embedder/tokenizer.json');
const tokenizer = WordPieceTokenizer.load(path);
const pieces: string[] = [];
for (const [piece, id] of Object.entries(
  JSON.parse(readFileSync(path, 'utf8')).model.vocab as Record<string, number>,
)) {
  pieces[id] = piece;
}
const reference = JSON.parse(readFileSync(new URL('./fixtures/tokenizer.json', import.meta.url), 'utf8')) as {
  text: string;
  ids: number[];
}[];

/** What a slice of the original must look like to be the piece: the normalisation, by the runtime's own Unicode
 * (two signs were accents in the version that the reference knows). */
function normalised(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu, '')
    .normalize('NFD')
    .replace(/[\p{Mn}\u1734\u{1171e}]/gu, '')
    .replace(/./gsu, (character) => character.toLowerCase());
}

const hardText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...reference.map(({ text }) => text).filter((text) => text.length < 40)),
        fc.string(),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(' ')),
);

test('ids equal those of the reference tokenizer on hard strings', () => {
  assert.ok(reference.length >= 200);
  for (const { text, ids } of reference)
    assert.deepEqual(tokenizer.encode(text).ids, ids, JSON.stringify(text));
});

test('each piece is the normalised slice of the original that its offsets name', () => {
  const check = (text: string) => {
    const { ids, offsets } = tokenizer.encode(text);
    assert.equal(offsets.length, ids.length);
    for (let index = 1; index < ids.length - 1; index++) {
      const [start, end] = offsets[index]!;
      const piece = pieces[ids[index]!]!;
      const slice = text.slice(start, end);
      assert.ok(start < end, `empty slice for ${piece} in ${JSON.stringify(text)}`);
      if (piece === '[UNK]' || slice === piece) continue;
      const bare = piece.replace(/^##(?=.)/u, '');
      // A decomposed Hangul syllable can be cut between its letters: both pieces name the whole syllable.
      const letters = normalised(slice);
      const cut = /[\u1100-\u11ff]/u.test(bare) && letters.includes(bare);
      assert.ok(
        letters === bare || letters === piece || cut,
        `${JSON.stringify(slice)} is not ${piece} in ${JSON.stringify(text)}`,
      );
    }
  };
  for (const { text } of reference) check(text);
  fc.assert(fc.property(hardText, check), { numRuns: 500 });
});

test('offsets ascend, stay within the text and never cut a surrogate pair', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      let previous = 0;
      for (const [start, end] of tokenizer.encode(text).offsets.slice(1, -1)) {
        assert.ok(start >= previous && end <= text.length && start < end);
        previous = start;
        for (const place of [start, end]) {
          const inside =
            /[\ud800-\udbff]/.test(text[place - 1] ?? '') && /[\udc00-\udfff]/.test(text[place] ?? '');
          assert.ok(!inside, `cut within a pair at ${place} of ${JSON.stringify(text)}`);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('a piece covers the accents stripped from it, whichever way they are encoded', () => {
  const covered = (text: string) =>
    tokenizer
      .encode(text)
      .offsets.slice(1, -1)
      .map(([start, end]) => text.slice(start, end));
  assert.deepEqual(covered('the cafe\u0301 closed'), ['the', 'cafe\u0301', 'closed']);
  assert.deepEqual(covered('the café closed'), ['the', 'café', 'closed']);
  assert.deepEqual(covered('so!\u0301 yes'), ['so', '!\u0301', 'yes']);
  assert.deepEqual(covered('👍🏽 because 🇩🇪 fell'), ['👍🏽', 'because', '🇩🇪', 'fell']);
  assert.deepEqual(covered('İstanbul'), ['İstanbul']);
});

test('a text between pieces is white space, accents or characters that the model never sees', () => {
  fc.assert(
    fc.property(hardText, (text) => {
      let position = 0;
      for (const [start, end] of tokenizer.encode(text).offsets.slice(1, -1)) {
        if (start > position)
          assert.match(text.slice(position, start), /^[\p{White_Space}\p{C}\p{M}\ufffd]*$/u);
        position = Math.max(position, end);
      }
      assert.match(text.slice(position), /^[\p{White_Space}\p{C}\p{M}\ufffd]*$/u);
    }),
    { numRuns: 500 },
  );
});

test('maxLength counts the special tokens and gives a prefix of the whole encoding', () => {
  fc.assert(
    fc.property(hardText, fc.integer({ min: 2, max: 12 }), (text, maxLength) => {
      const whole = tokenizer.encode(text);
      const cut = tokenizer.encode(text, { maxLength });
      assert.equal(cut.ids.length, Math.min(maxLength, whole.ids.length));
      assert.deepEqual(cut.ids, [...whole.ids.slice(0, cut.ids.length - 1), 102]);
      assert.deepEqual(cut.offsets.slice(0, -1), whole.offsets.slice(0, cut.ids.length - 1));
    }),
  );
});

test('a lone surrogate is deleted, as U+FFFD is', () => {
  assert.deepEqual(tokenizer.encode('frost\ud83d bit').ids, tokenizer.encode('frost\ufffd bit').ids);
});

function time(body: () => void): number {
  const begun = performance.now();
  body();
  return performance.now() - begun;
}

test('time grows linearly with length: one text costs what its sixteenth costs sixteen times', () => {
  for (const unit of ['a', 'e\u0301', '停', '😀', 'word ', '[SEP]']) {
    const [part, whole] = [unit.repeat(2000), unit.repeat(32_000)];
    let [parts, wholes] = [0, 0];
    for (let round = 0; round < 4; round++) {
      parts += time(() => {
        for (let repeat = 0; repeat < 16; repeat++) tokenizer.encode(part);
      });
      wholes += time(() => tokenizer.encode(whole));
    }
    assert.ok(wholes < 5 * parts, `${JSON.stringify(unit)}: ${(wholes / parts).toFixed(1)} times as much`);
  }
});

test('a cut text is read no further than the cut', () => {
  const text = 'frost '.repeat(100_000);
  const cut = () => tokenizer.encode(text, { maxLength: 512 });
  cut();
  assert.ok(Math.min(time(cut), time(cut), time(cut)) * 20 < time(() => tokenizer.encode(text)));
});

test('a file that is missing, damaged or of another kind is named with the reason', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-tokenizer-'));
  try {
    const file = join(folder, 'tokenizer.json');
    const refuse = (content: string | null, reason: RegExp) => {
      if (content !== null) writeFileSync(file, content);
      assert.throws(
        () => WordPieceTokenizer.load(file),
        (error: Error) =>
          error instanceof TokenizerFileError && error.message.includes(file) && reason.test(error.message),
      );
    };
    refuse(null, /ENOENT/);
    refuse('{"model"', /JSON/);
    refuse('{"model":{"type":"BPE","vocab":{}}}', /BPE.*WordPiece/);
    const good = JSON.parse(readFileSync(path, 'utf8'));
    refuse(JSON.stringify({ ...good, normalizer: { ...good.normalizer, lowercase: false } }), /uncased/);
    refuse(JSON.stringify({ ...good, model: { ...good.model, vocab: { '[UNK]': 0 } } }), /\[CLS\]/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
