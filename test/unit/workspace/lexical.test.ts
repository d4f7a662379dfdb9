import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexed, matchExpression } from '../../../server/workspace/lexical.ts';

test('words and pairs of characters are parted, and compatible forms made one', () => {
  assert.deepEqual(indexed('ﬁlter 泵失效 ＡＢＣ'), { words: 'filter   ABC', bigrams: ' 泵失 失效 效' });
});

test('a soft hyphen does not part a word', () => {
  assert.equal(indexed('pres\u00adsure').words, 'pressure');
  assert.equal(matchExpression('pres\u00adsure', 'OR'), matchExpression('pressure', 'OR'));
});

test('characters outside the basic plane are paired whole', () => {
  assert.equal(indexed('𠮷野家').bigrams, ' 𠮷野 野家 家');
});

test('a question asks for its content words, each once, and for pairs', () => {
  assert.equal(
    matchExpression('Why did the pump, the Pump, fail?', 'OR'),
    '{text headings} : ("pump" OR "fail")',
  );
  assert.equal(
    matchExpression('泵失效 pump', 'AND'),
    '{text headings} : ("pump") AND bigrams : ("泵失" AND "失效")',
  );
  assert.equal(matchExpression('泵', 'OR'), 'bigrams : ("泵" *)');
});

test('what comes after an apostrophe is no word of its own', () => {
  assert.equal(matchExpression("the pump's seal", 'OR'), matchExpression('pump seal', 'OR'));
});

test('nothing to look for is null, and a pasted page is cut', () => {
  assert.equal(matchExpression('?! ', 'OR'), null);
  const page = Array.from({ length: 5000 }, (_, at) => `w${at}`).join(' ');
  assert.equal(matchExpression(page, 'OR')!.split(' OR ').length, 64);
});
