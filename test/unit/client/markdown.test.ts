import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerMarkdown, explanationMarkdown, plain } from '../../../client/markdown.ts';
import type { AnswerView, HopView, Place } from '../../../server/protocol.ts';

const place = (quote: string): Place => ({
  file: 'docs/<img src=x onerror=alert(1)>.md',
  range: { start: { line: 2, character: 4 }, end: { line: 2, character: 4 + quote.length } },
  offsets: { start: 0, end: quote.length },
  quote,
});

const hop: HopView = {
  id: 0,
  number: 1,
  cause: { text: 'the *cut*', concept: 0, place: place('the *cut*') },
  effect: { text: 'the delay', concept: 1, place: place('the delay') },
  relation: { text: 'led to', place: null },
  type: 'causes',
  negated: false,
  hedged: true,
  confidence: 0.8,
  extractor: 'x 1',
  evidence: {
    ...place('The *cut* led to the delay.'),
    text: 'The *cut* led to the delay.',
    headings: [],
    passage: 'p',
  },
  join: null,
  also: [],
  why: null,
};

const view = {
  question: 'Why [this](command:evil)?',
  chains: [{ score: 1, parts: {}, hops: [hop] }],
  answer: { kind: 'composed', text: '', sentences: [], confidence: 1 },
} as unknown as AnswerView;

test('an answer is copied with numbered citations: file, line, column, and the words', () => {
  const text = answerMarkdown(view);
  assert.match(text, /1\. the \\\*cut\\\* → the delay/);
  assert.match(text, /\[1\].*possibly causes/);
  assert.match(text, /- \[1\] .*:3:5: “The \\\*cut\\\* led to the delay\.”/);
});

test('words of documents and file names never become mark-up', () => {
  const text = answerMarkdown(view);
  assert.ok(!/(?<!\\)\]\(/.test(text) && !/(?<!\\)<img/.test(text), text);
  assert.equal(plain('a\n<b> [c](d) `e`'), 'a \\<b\\> \\[c\\](d) \\`e\\`');
});

test('without an answer the copy says that the documents do not say', () => {
  const none = {
    ...view,
    answer: { kind: 'none', text: 'Your documents do not say.', sentences: [], confidence: 0 },
  } as AnswerView;
  assert.match(answerMarkdown(none), /Your documents do not say/);
  assert.ok(!answerMarkdown(none).includes('Sources'));
});

test('why a hop was taken is told in plain words, with its place among the links where it is known', () => {
  const why = { logOdds: 0, parts: { given: 1, givenStems: 0.5, bias: -2 } };
  const told = explanationMarkdown({ link: hop, why, rank: 2, of: 7, rivals: [] }, hop);
  assert.match(told, /Judged 50 % likely to belong to the answer: place 2 of 7 links\./);
  assert.match(told, /\| Names what the question names \| \+1\.50 \|/);
  assert.match(told, /states this link as possible only/);
  const alone = explanationMarkdown({ link: hop, why, rank: 0, of: 0, rivals: [] }, hop);
  assert.match(alone, /likely to belong to the answer\.\n/);
});
