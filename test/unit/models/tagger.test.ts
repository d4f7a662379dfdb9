import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ModelFileError } from '../../../models/onnx.ts';
import type { Span, SpanTriple } from '../../../models/protocol.ts';
import { Tagger, trimSpan } from '../../../models/tagger.ts';
import { WordPieceTokenizer } from '../../../models/tokenizer.ts';

const weights = fileURLToPath(new URL('../../../models/weights', import.meta.url));
const tokenizer = WordPieceTokenizer.load(`${weights}/embedder/tokenizer.json`);
/** Passages with the triples that training/evaluate.py decodes from the same networks. */
const reference = JSON.parse(readFileSync(new URL('./fixtures/tagger.json', import.meta.url), 'utf8')) as {
  text: string;
  triples: SpanTriple[];
}[];
let tagger: Tagger;

before(async () => {
  tagger = await Tagger.load({ directory: `${weights}/tagger`, tokenizer, threads: 1 });
});
after(() => tagger.dispose());

const words = (text: string, span: Span) => text.slice(span.start, span.end);
const edge = (text: string, { cause, effect }: SpanTriple) =>
  `${words(text, cause)} -> ${words(text, effect)}`.toLowerCase();

async function edges(text: string): Promise<string[]> {
  const [triples] = await tagger.tag([text]);
  return triples!.filter(({ negated }) => !negated).map((triple) => edge(text, triple));
}

test('decodes what the training code decodes', async () => {
  assert.ok(reference.some(({ triples }) => triples.length > 1));
  const found = await tagger.tag(reference.map(({ text }) => text));
  found.forEach((triples, index) => {
    const { text, triples: expected } = reference[index]!;
    const bare = (list: readonly SpanTriple[]) => list.map(({ confidence: _, ...triple }) => triple);
    assert.deepEqual(bare(triples), bare(expected), text);
    triples.forEach(({ confidence }, at) => {
      assert.ok(Math.abs(confidence - expected[at]!.confidence) < 0.02, text);
    });
  });
});

test('a passage gives the same triples alone, among others, and in any order', async () => {
  const texts = reference.map(({ text }) => text);
  const together = await tagger.tag(texts);
  const reversed = (await tagger.tag(texts.toReversed())).toReversed();
  assert.deepEqual(reversed, together);
  for (const [index, text] of texts.entries()) assert.deepEqual(await tagger.tag([text]), [together[index]]);
});

test('active and passive give the same directed edge', async () => {
  assert.deepEqual(await edges('Zinc shortage caused apple rot.'), ['zinc shortage -> apple rot']);
  assert.deepEqual(await edges('Apple rot was caused by zinc shortage.'), ['zinc shortage -> apple rot']);
});

test('a cause named after its effect still comes first', async () => {
  assert.deepEqual(await edges('Barge traffic fell due to the higher price of diesel.'), [
    'higher price of diesel -> barge traffic fell',
  ]);
});

test('means stand between cause and effect, and nothing runs backwards', async () => {
  const found = await edges('Snow melt causes road closures by raising the creek.');
  assert.ok(
    found.some((link) => link.startsWith('snow melt ->')),
    found.join('; '),
  );
  assert.ok(!found.some((link) => link.endsWith('-> snow melt')), found.join('; '));
  assert.ok(!found.some((link) => link.startsWith('road closures ->')), found.join('; '));
});

test('a denied link is not shown as a plain one', async () => {
  const text =
    'The audit found no link between the new valve and the leak. The valve did not cause the leak.';
  assert.deepEqual(await edges(text), []);
});

test('a description gives no link', async () => {
  const texts = [
    'The library is a brick building of three floors. It has two reading rooms, a café and a courtyard.',
    'Founded in 1911, the club has 240 members and meets on Thursdays.',
  ];
  assert.deepEqual(await tagger.tag(texts), [[], []]);
});

test('no passages, an empty one and one of white space give nothing', async () => {
  assert.deepEqual(await tagger.tag([]), []);
  assert.deepEqual(await tagger.tag(['', ' \n\t ', '…']), [[], [], []]);
});

test('spans lie in the passage, hold whole words, and are trimmed', async () => {
  const found = await tagger.tag(reference.map(({ text }) => text));
  found.forEach((triples, index) => {
    const { text } = reference[index]!;
    for (const { cause, effect, relation, confidence } of triples) {
      assert.ok(confidence > 0 && confidence < 1);
      for (const span of [cause, effect]) {
        assert.deepEqual(trimSpan(text, span.start, span.end), span, words(text, span));
        assert.ok(!/[\p{L}\p{N}]{2}/u.test(text.slice(Math.max(0, span.start - 1), span.start + 1)), text);
      }
      if (relation) assert.ok(words(text, relation).trim().length > 0);
    }
  });
});

test('a passage beyond what the network reads at once is read to its end, each link once', async () => {
  const once = reference.map(({ text }) => text).join(' ');
  const text = `${once} ${once}`;
  const [triples] = await tagger.tag([text]);
  const places = triples!.map(
    ({ cause, effect }) => `${cause.start}-${cause.end}>${effect.start}-${effect.end}`,
  );
  assert.equal(new Set(places).size, places.length);
  // Both halves say the same: a window that was left out would leave a hole in its half.
  for (const from of [0, once.length + 1]) {
    const quarters = new Set(
      triples!
        .filter(({ cause }) => cause.start >= from && cause.start < from + once.length)
        .map(({ cause }) => Math.floor((4 * (cause.start - from)) / once.length)),
    );
    assert.equal(quarters.size, 4, `links in ${quarters.size} of the four quarters from ${from}`);
  }
});

test('text without sentence ends is read in windows too', async () => {
  const [triples] = await tagger.tag([`${'green shed '.repeat(250)}`]);
  assert.ok(Array.isArray(triples));
});

test('an abort ends the work with its reason', async () => {
  const reason = new Error('enough');
  await assert.rejects(tagger.tag(['Rain caused floods.'], AbortSignal.abort(reason)), reason);
  const controller = new AbortController();
  const work = tagger.tag(
    Array.from({ length: 40 }, () => reference[6]!.text),
    controller.signal,
  );
  setTimeout(() => controller.abort(reason), 5);
  await assert.rejects(work, reason);
});

test('a folder without the model is named in the error', async () => {
  await assert.rejects(Tagger.load({ directory: '/nowhere', tokenizer, threads: 1 }), (error: Error) => {
    assert.ok(error instanceof ModelFileError);
    assert.match(error.message, /nowhere/);
    return true;
  });
});
