import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainAnswer, placeName, printAnswer } from '../../../server/cli/print.ts';
import type { AnswerView, Place } from '../../../server/protocol.ts';
import { DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../../server/sarg/options.ts';
import { ask } from '../../../server/sarg/pipeline.ts';
import type { Triple } from '../../../server/sarg/types.ts';
import { answerView } from '../../../server/view.ts';
import { marked, memorySources, passageOf } from '../sarg/fakes.ts';

const MODELS = {
  embedder: { name: 'e', version: '1' },
  direction: { name: 'd', version: '1' },
  extractor: { name: 'x', version: '1' },
};

async function viewOf(
  triples: readonly Triple[],
  more: Partial<typeof DEFAULT_OPTIONS> = {},
): Promise<AnswerView> {
  const sources = memorySources(triples, { extra: [passageOf('The dog is brown.', 'pets.md')] });
  const options = { ...PAPER_OPTIONS, threshold: 0.3, ...more };
  return answerView(await ask('Why did the dog wake?', sources, options), MODELS);
}

const STORY = [
  marked('«The bell rang» because ‹the door opened›.', { file: 'bell.md' }),
  marked('«The dog woke» because ‹the bell rang›.', { file: 'dog.md' }),
];

test('a place is told as editors count, from 1, with the cell of a notebook', () => {
  const place: Place = {
    file: 'a.md',
    range: { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } },
    offsets: { start: 0, end: 4 },
    quote: 'x',
  };
  assert.equal(placeName(place), 'a.md:4:1');
  assert.equal(placeName({ ...place, file: 'a.ipynb', cell: 0 }), 'a.ipynb, cell 1:4:1');
  assert.equal(placeName({ ...place, file: 'a\u001b[2Jb\n.md' }), 'a[2Jb .md:4:1');
});

test('a chain is printed with file, line and the exact words of each hop', async () => {
  const text = printAnswer(await viewOf(STORY), '/notes');
  assert.ok(text.includes('Chain 1  the door opened → The bell rang → The dog woke'), text);
  assert.ok(text.includes('bell.md:1:1 “The bell rang because the door opened.”'), text);
  assert.ok(text.includes('dog.md:1:1 “The dog woke because the bell rang.”'), text);
  assert.ok(text.includes('2 links in 3 passages of /notes'), text);
});

test('where the documents do not say, what is nearest is printed, and that no causal statement was found', async () => {
  const text = printAnswer(await viewOf([]), '/notes');
  assert.ok(text.includes('Your documents do not say.'), text);
  assert.ok(text.includes('pets.md:1:1: “The dog is brown.”'), text);
  assert.ok(text.includes('No causal statements found in 1 file near the question.'), text);
});

test('a denial of what the chains tell is printed as a denial', async () => {
  const denied = marked('‹The cat› did not wake it, and «the dog woke» alone.', {
    file: 'cat.md',
    negated: true,
  });
  const text = printAnswer(await viewOf([...STORY, denied]), '/notes');
  assert.ok(text.includes('Denied in the documents'), text);
  assert.ok(/The cat —causes⇏ the dog woke \(denied\)/.test(text), text);
});

test('control characters of documents, names and folders never get into what is printed', async () => {
  const evil = marked('«The dog \u001b[31mwoke» because ‹the \u009bbell \u202erang›.', {
    file: 'a\u001b]0;x\u0007.md',
  });
  for (const options of [PAPER_OPTIONS, DEFAULT_OPTIONS]) {
    const view = await viewOf([evil], { ...options, threshold: 0.1, answerAbove: 0 });
    for (const text of [printAnswer(view, '/no\u001btes'), explainAnswer(view)]) {
      assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
    assert.ok(view.links.length > 0);
  }
});

test('an explanation tells direction, what was read, starts, score, joins and time', async () => {
  const bells = marked('«The dog woke» because ‹the bells rang›.', { file: 'dog.md' });
  const text = explainAnswer(await viewOf([STORY[0]!, bells]));
  for (const part of [
    'Direction: backward (classifier)',
    'Read: 3 passages in 1 round, 3 of them for the first time; links 2',
    'Concepts that match the question:',
    'The dog woke by “dog',
    'Chain 1 score',
    'joined: the same concept',
    'same concept: “The bell rang” and “the bells rang” (same words in another form, dog.md:1:22)',
    'Time: retrieve',
  ]) {
    assert.ok(text.includes(part), `${part}\n\n${text}`);
  }
});
