import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelHtml } from '../../../webview/html.ts';
import { groupSigns, placeName, quoteParts, relationWords, sentenceParts } from '../../../webview/text.ts';
import { ferryAnswer } from '../../webview/fixtures/ferry.ts';
import { hostileAnswer } from '../../webview/fixtures/hostile.ts';

test('a quote taken apart is the whole quote, with cause and effect marked in their own words', () => {
  for (const link of [...ferryAnswer().links, ...hostileAnswer().links]) {
    const parts = quoteParts(link);
    assert.equal(parts.map((part) => part.text).join(''), link.evidence.text);
    assert.equal(parts.find((part) => part.role === 'cause')?.text, link.cause.text);
    assert.equal(parts.find((part) => part.role === 'effect')?.text, link.effect.text);
  }
});

test('words that occur twice are marked where the place says', () => {
  const link = hostileAnswer().links.find((candidate) => candidate.cause.text === 'The bell')!;
  const twice = {
    ...link,
    cause: {
      ...link.cause,
      text: 'bell',
      place: {
        ...link.effect.place,
        offsets: { start: link.evidence.offsets.end - 5, end: link.evidence.offsets.end - 1 },
      },
    },
    effect: { ...link.effect, text: '', place: link.effect.place },
  };
  assert.deepEqual(
    quoteParts(twice).map((part) => part.role),
    [null, 'relation', null, 'cause', null],
  );
});

test('a quote with mark-up is marked in its clean text', () => {
  const link = ferryAnswer().links.find((candidate) => candidate.evidence.file.endsWith('.tex'))!;
  assert.ok(link.evidence.quote.includes('\\emph'));
  assert.deepEqual(
    quoteParts(link).map((part) => [part.role, part.text]),
    [
      [null, 'In our samples, '],
      ['cause', 'salt spray'],
      [null, ' '],
      ['relation', 'corroded'],
      [null, ' the '],
      ['effect', 'relay contacts'],
      [null, ' within three weeks.'],
    ],
  );
});

test('a place is named as editors count, with its cell in a notebook', () => {
  const place = ferryAnswer().links[0]!.evidence;
  assert.equal(placeName(place), 'harbour-log.md:5');
  assert.equal(placeName({ ...place, file: 'a/tide.ipynb', cell: 2 }), 'tide.ipynb, cell 3:5');
});

test('the page allows its own script and style only, and nothing inline', () => {
  const html = panelHtml({
    nonce: 'n0nce',
    cspSource: 'https://host',
    scriptUri: 'https://host/main.js?a=1&b="><script>',
    styleUri: 'https://host/main.css',
  });
  const policy = /Content-Security-Policy" content="([^"]*)"/u.exec(html)![1]!;
  assert.match(policy, /default-src 'none'/u);
  assert.match(policy, /script-src 'nonce-n0nce';/u);
  assert.doesNotMatch(policy, /unsafe|\*/u);
  assert.equal(html.match(/<script/gu)!.length, 1);
  assert.doesNotMatch(html, /style=|onload=|<style/u);
});

test('a relation reads from cause to effect, whatever the order of the sentence', () => {
  const links = ferryAnswer().links;
  const of = (words: string) => links.find((link) => link.relation.text === words)!;
  assert.equal(relationWords(of('corroded')), 'corroded');
  assert.equal(relationWords(of('Because of')), 'causes');
  assert.equal(relationWords(of('requires')), 'is required by');
  assert.equal(relationWords(of('may have led to')), 'may have led to');
});

test('citations stand where the sentence has them, else at its end, and never to a hop that is not there', () => {
  const evidence = (hop: number) => (hop < 4 ? `quote ${hop}` : null);
  assert.deepEqual(sentenceParts({ text: 'It froze [1], so it broke [9].', cites: [1, 2, 9] }, evidence), [
    { text: 'It froze' },
    { cite: 1 },
    { text: ', so it broke [9].' },
    { cite: 2 },
  ]);
});

test('a line that only repeats the quote of its hop leaves it to the citation', () => {
  const evidence = () => 'The frost cracked the seal.';
  const text = 'Frost leads to a cracked seal [1]: “The frost cracked the seal.”';
  assert.deepEqual(sentenceParts({ text, cites: [1] }, evidence), [
    { text: 'Frost leads to a cracked seal' },
    { cite: 1 },
  ]);
});

test('signs of one kind are added up under words, and unknown ones keep their name', () => {
  assert.deepEqual(
    groupSigns({ given: 1, givenStems: 0.5, confidence: 0, bias: -3, newSignOfTomorrow: 0.2 }),
    [
      ['Before any sign', -3],
      ['Names what the question names', 1.5],
      ['new sign of tomorrow', 0.2],
    ],
  );
});
