import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { conceptsOf } from '../../../server/sarg/chains.ts';
import {
  activation,
  evidenceText,
  FINDER_TUNING,
  type FinderInput,
  findChains,
  hopsPast,
  joinLinks,
  rarityAmong,
} from '../../../server/sarg/finder.ts';
import { JOIN_FEATURES, joinEnd, joinFeatures, judgeJoin } from '../../../server/sarg/joins.ts';
import { DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../../server/sarg/options.ts';
import { ask } from '../../../server/sarg/pipeline.ts';
import { LINK_FEATURES, standardise } from '../../../server/sarg/relevance.ts';
import type { Triple } from '../../../server/sarg/types.ts';
import { VERDICT_FEATURES, verdict } from '../../../server/sarg/verdict.ts';
import { JOIN_WEIGHTS, LINK_WEIGHTS, VERDICT_WEIGHTS } from '../../../server/sarg/weights.ts';
import { fakeVector } from '../workspace/fakes.ts';
import { graphOf, memorySources, passageOf, tripleOf } from './fakes.ts';

const NAMES = fc.constantFrom(
  'frost',
  'ice',
  'black ice',
  'no ice',
  'crash',
  'flood',
  'road closure',
  'the frosts',
);
const STORIES = fc
  .array(fc.tuple(NAMES, NAMES, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 10 })
  .map((rows): Triple[] =>
    rows.map(([cause, effect, negated, hedged], at) =>
      tripleOf(cause, effect, { file: `f${at}.md`, negated, hedged }),
    ),
  );

async function inputOf(triples: readonly Triple[]): Promise<FinderInput> {
  return (await ask('Why did the crash follow the frost?', memorySources(triples), PAPER_OPTIONS)).input;
}

test('chains found by default hold no denied link, no concept twice, no more hops and chains than asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      STORIES,
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (triples, hedged, maxHops) => {
        const input = await inputOf(triples);
        const { chains, judged } = findChains(input, { ...DEFAULT_OPTIONS, hedged, maxHops, top: 2 });
        assert.ok(chains.length <= 2);
        for (const chain of chains) {
          assert.ok(chain.hops.length >= 1 && chain.hops.length <= maxHops);
          const told = Object.values(chain.parts).reduce((sum, part) => sum + part, 0);
          assert.ok(Math.abs(told - chain.score) < 1e-6, 'the parts shown add up to the score');
          const passed = conceptsOf(chain, input.graph);
          assert.equal(new Set(passed).size, passed.length);
          for (const { link, join, also } of chain.hops) {
            for (const id of [link, ...also]) assert.ok(!input.graph.links[id]!.triple.negated);
            assert.ok(hedged || !input.graph.links[link]!.triple.hedged);
            assert.ok(join === null || join.kind === 'same' || join.price >= 0);
            assert.ok(Number.isFinite(judged.get(link)!.logOdds));
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('without joins a chain goes on only at the very same concept', async () => {
  await fc.assert(
    fc.asyncProperty(STORIES, async (triples) => {
      const input = await inputOf(triples);
      const { chains } = findChains(input, { ...DEFAULT_OPTIONS, joins: false });
      for (const chain of chains) for (const hop of chain.hops) assert.notEqual(hop.join?.kind, 'near');
    }),
    { numRuns: 20 },
  );
});

test('what a link is judged by adds up to its log-odds', async () => {
  const input = await inputOf([tripleOf('frost', 'ice'), tripleOf('ice', 'crash', { file: 'b.md' })]);
  const { judged } = findChains(input, DEFAULT_OPTIONS);
  assert.equal(judged.size, 2);
  for (const { logOdds, parts } of judged.values()) {
    const sum = Object.values(parts).reduce((total, part) => total + part, 0);
    assert.ok(Math.abs(sum - logOdds) < 1e-6, `${sum} is ${logOdds}`);
  }
});

test('every sign has a weight that is a number', () => {
  for (const [names, weights] of [
    [LINK_FEATURES, LINK_WEIGHTS],
    [JOIN_FEATURES, JOIN_WEIGHTS],
    [VERDICT_FEATURES, VERDICT_WEIGHTS],
  ] as const) {
    assert.deepEqual(Object.keys(weights).sort(), [...names].sort());
    for (const value of Object.values(weights)) assert.ok(Number.isFinite(value));
  }
});

test('standardised values have mean zero and deviation one, or are all zero', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100, max: 100 })), (values) => {
      const found = standardise(values);
      assert.equal(found.length, values.length);
      if (new Set(values).size <= 1) return assert.ok(found.every((value) => value === 0));
      assert.ok(Math.abs(found.reduce((sum, value) => sum + value, 0)) < 1e-6);
      assert.ok(Math.abs(found.reduce((sum, value) => sum + value * value, 0) / found.length - 1) < 1e-6);
    }),
  );
});

test('a rare stem weighs more than a common one, between 0 and 1', async () => {
  const { graph } = await inputOf([
    tripleOf('frost', 'ice'),
    tripleOf('frost', 'crash'),
    tripleOf('frosts', 'flood'),
  ]);
  const rarity = rarityAmong(graph.links);
  assert.ok(rarity('frost') < rarity('crash') && rarity('crash') < rarity('unheard'));
  for (const stem of ['frost', 'crash', 'unheard']) assert.ok(rarity(stem) >= 0 && rarity(stem) <= 1);
});

test('activation reaches the neighbours of a likely link before strangers', () => {
  const way = (to: number) => [{ to, value: 0, join: { kind: 'same' } as const }];
  // 0 leads to 1; 2 leads to 3.
  const passings = { forward: [way(1), [], way(3), []], backward: [[], way(0), [], way(2)] };
  const found = activation([5, -5, -5, -5], passings);
  assert.ok(found[1]! > found[2]! && found[1]! > found[3]!);
  assert.deepEqual(activation([], { forward: [], backward: [] }), []);
});

test('a join is judged by as many signs as it has names, the same both ways round', () => {
  const end = (text: string, file: string) => {
    const passage = passageOf(text, file);
    return joinEnd(
      { text, span: { start: 0, end: text.length } },
      passage,
      fakeVector(text),
      fakeVector(file),
    );
  };
  fc.assert(
    fc.property(NAMES, NAMES, fc.constantFrom('a.md', 'b.md'), (one, other, file) => {
      const [a, b] = [end(one, 'a.md'), end(other, file)];
      const found = joinFeatures(a, b, () => 1);
      assert.equal(found.length, JOIN_FEATURES.length);
      assert.ok(found.every(Number.isFinite));
      assert.deepEqual(
        joinFeatures(b, a, () => 1),
        found,
      );
    }),
  );
});

test('a join is judged by all its signs, though the dear ones are looked at last', () => {
  const end = (text: string, near: number) =>
    joinEnd(
      { text, span: { start: 0, end: text.length } },
      passageOf(text, `${near}.md`),
      Float32Array.of(near, Math.sqrt(1 - near * near)),
      Float32Array.of(Math.sqrt(1 - near * near), near),
    );
  const weights = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), {
    minLength: JOIN_FEATURES.length,
    maxLength: JOIN_FEATURES.length,
  });
  const cosine = fc.double({ min: -1, max: 1, noNaN: true });
  const least = fc.double({ min: -20, max: 20, noNaN: true });
  fc.assert(
    fc.property(NAMES, NAMES, cosine, cosine, weights, least, (one, other, near, nearer, weight, bar) => {
      const [a, b] = [end(one, near), end(other, nearer)];
      const row = joinFeatures(a, b, () => 0.5);
      const logOdds = row.reduce((sum, sign, at) => sum + sign * weight[at]!, 0);
      const found = judgeJoin(a, b, () => 0.5, weight, bar);
      // Of the names above only the denied one differs from others, and a denial turns no meaning.
      if (row[1]! < 0.5 || logOdds < bar) assert.equal(found, null);
      else assert.deepEqual(found, { similarity: row[1], logOdds });
    }),
    { numRuns: 300 },
  );
});

test('opposites are seen where a join is judged', () => {
  const end = (text: string) =>
    joinEnd(
      { text, span: { start: 0, end: text.length } },
      passageOf(text),
      fakeVector(text),
      fakeVector(text),
    );
  const differs = JOIN_FEATURES.indexOf('differs');
  assert.equal(joinFeatures(end('rise in prices'), end('fall in prices'), () => 1)[differs], 1);
  assert.equal(joinFeatures(end('rise in prices'), end('price rises'), () => 1)[differs], 0);
});

test('the verdict is a probability, and none without a chain', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 5, maxLength: 5 }),
      (row) => {
        const found = verdict(row, true);
        assert.ok(found >= 0 && found <= 1);
        assert.equal(verdict(row, false), 0);
      },
    ),
  );
});

test('evidence is told in one line', () => {
  assert.equal(evidenceText(passageOf('Frost\n  came. Ice'), { start: 0, end: 13 }), 'Frost came.');
});

test('opposites, other numbers, other names and bare pronouns are never taken as the same', async () => {
  const pairs = [
    ['a rise in prices', 'a fall in prices', 0],
    ['pump 3 failure', 'pump 5 failure', 0],
    ['trip of Feeder A', 'trip of Feeder B', 0],
    ['it', 'it', 0],
    ['a rise in prices', 'the rise in prices of bread', 1],
  ] as const;
  for (const [effect, cause, joins] of pairs) {
    const triples = [tripleOf('frost', effect, { file: 'a.md' }), tripleOf(cause, 'crash', { file: 'b.md' })];
    const asked = await inputOf(triples);
    // Vectors that tell nothing apart: only the words can keep the two ends from joining.
    const same = asked.vectors.cause[0]!;
    const blind = { cause: [same, same], effect: [same, same], sentence: [same, same] };
    const eager = { ...FINDER_TUNING, minJoin: Number.NEGATIVE_INFINITY };
    const { forward } = joinLinks(
      asked.graph.links,
      { ...asked, vectors: blind },
      () => 1,
      DEFAULT_OPTIONS,
      eager,
    );
    assert.equal(
      forward[0]!.filter(({ to, join }) => to === 1 && join.kind === 'near').length,
      joins,
      `${effect} and ${cause}`,
    );
  }
});

test('hops past the end that the question names are counted, before a named cause and after a named effect', async () => {
  const graph = await graphOf([
    tripleOf('frost', 'ice'),
    tripleOf('ice', 'crash'),
    tripleOf('crash', 'road closure'),
  ]);
  const chain = { hops: graph.links.map(({ id }) => ({ link: id, join: null, also: [] })) };
  const past = (direction: 'forward' | 'backward' | 'bidirectional', topic: string) =>
    hopsPast(chain, graph, { direction, topic: new Set([topic]), rarity: () => 1 });
  assert.equal(past('backward', 'crash'), 1);
  assert.equal(past('forward', 'crash'), 2);
  assert.equal(past('bidirectional', 'crash'), 0);
  assert.equal(past('backward', 'cow'), 0, 'nothing is past what no hop names');
});
