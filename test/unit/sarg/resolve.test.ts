import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Resolution } from '../../../server/sarg/resolve.ts';
import type { Concept, Triple } from '../../../server/sarg/types.ts';
import { resolved, type Settings, saidEmbedder, tripleOf } from './fakes.ts';

/** One triple for each name, the name as its cause, in a document of its own. */
function caused(names: readonly string[]): Triple[] {
  return names.map((name, at) =>
    tripleOf(name, `quite another outcome ${'x'.repeat(at + 2)}`, { file: `doc${at}.md` }),
  );
}

/** The names grouped by concept, each group and the groups sorted. */
async function groups(names: readonly string[], settings: Settings = {}): Promise<string[][]> {
  const triples = caused(names);
  const { causes } = await resolved(triples, settings);
  const out = new Map<number, string[]>();
  for (const [at, concept] of causes.entries()) out.set(concept, [...(out.get(concept) ?? []), names[at]!]);
  return [...out.values()].map((group) => group.sort()).sort();
}

async function together(names: readonly string[], settings: Settings = {}): Promise<boolean> {
  return (await groups(names, settings)).length === 1;
}

/** Every text is near every other: only what is said against a merge keeps concepts apart. */
const NEAR: Settings = {
  embedder: { dimensions: 1, embed: async (texts) => texts.map(() => new Float32Array([1])) },
  mergeAbove: 0.9,
};

test('case, number, word order and "of the" make no second concept', async () => {
  assert.ok(await together(['pump failure', 'Pump failures', 'failure of the pump', 'The pump failure']));
});

test('a rise and a fall of one thing are two concepts, by words and by vectors', async () => {
  assert.ok(!(await together(['rise in prices', 'fall in prices'])));
  assert.ok(!(await together(['rise in prices', 'fall in prices'], NEAR)));
});

test('words that only turn round in order are two concepts where order tells who did what', async () => {
  assert.ok(!(await together(['customers attacked staff', 'staff attacked customers'])));
  assert.ok(!(await together(['flow from the lake to the river', 'flow from the river to the lake'])));
});

test('near vectors never join opposites, numbers, names or denials', async () => {
  for (const pair of [
    ['frost on the line', 'no frost on the line'],
    ['pump 3 failure', 'pump 5 failure'],
    ['the trip of Feeder A', 'the trip of Feeder B'],
    ['treated patients', 'untreated patients'],
    ['storm in March', 'storm in April'],
    ['Jana Marek', 'Jan Marek'],
    ['P. Marek', 'J. Marek'],
  ]) {
    assert.ok(!(await together(pair, NEAR)), pair.join(' | '));
  }
  assert.ok(await together(['pump breakdown', 'pump stoppage'], NEAR));
});

test('two that differ do not meet through a third that differs from neither', async () => {
  for (const order of [
    ['pump failure', 'pump 3 failure', 'pump 5 failure'],
    ['pump 3 failure', 'pump 5 failure', 'pump failure'],
  ]) {
    const found = await groups(order, NEAR);
    assert.ok(!found.some((group) => group.includes('pump 3 failure') && group.includes('pump 5 failure')));
    assert.equal(found.length, 2);
  }
});

test("a person's name in its forms is one concept", async () => {
  assert.ok(await together(['J. Marek', 'Jana Marek', 'MAREK, Jana', 'Dr Jana Marek']));
});

test('other people of the same family are other concepts', async () => {
  assert.ok(!(await together(['P. Marek', 'J. Marek'])));
  assert.deepEqual(await groups(['J. Marek', 'Jana Marek', 'Jan Marek']), [
    ['J. Marek'],
    ['Jan Marek'],
    ['Jana Marek'],
  ]);
});

test('capitals of a title make no person', async () => {
  assert.ok(!(await together(['Pump Failure', 'Power Failure'])));
});

test('an abbreviation explained anywhere joins both forms, and the reason says so', async () => {
  const abbreviations = [{ short: 'MGUS', long: 'monoclonal gammopathy of undetermined significance' }];
  const names = ['MGUS', 'monoclonal gammopathy of undetermined significance', 'the MGUS'];
  assert.ok(!(await together(names.slice(0, 2))));
  for (const order of [names, [...names].reverse()]) {
    const { concepts, causes } = await resolved(caused(order), { abbreviations });
    assert.equal(new Set(causes).size, 1);
    const kinds = concepts[causes[0]!]!.mentions.map((mention) => mention.reason.kind);
    assert.ok(kinds.includes('abbreviation'), kinds.join());
  }
});

test('an abbreviation does not carry a denial over', async () => {
  const abbreviations = [{ short: 'MGUS', long: 'monoclonal gammopathy of undetermined significance' }];
  assert.ok(
    !(await together(['no MGUS', 'monoclonal gammopathy of undetermined significance'], { abbreviations })),
  );
});

test('a short form with two meanings is left as it is', async () => {
  const abbreviations = [
    { short: 'PPI', long: 'proton pump inhibitor' },
    { short: 'PPI', long: 'producer price index' },
  ];
  assert.equal(
    (await groups(['PPI', 'proton pump inhibitor', 'producer price index'], { abbreviations })).length,
    3,
  );
});

test('names that fold to function words do not vanish', async () => {
  for (const pair of [
    ['US exports', 'exports'],
    ['IT failure', 'failure'],
    ['Vitamin A', 'vitamin'],
  ]) {
    assert.ok(!(await together(pair)), pair.join(' | '));
  }
});

test('"it" in one document is not "it" in another', async () => {
  assert.equal((await groups(['It', 'it', 'This', 'this'], NEAR)).length, 4);
  const { concepts } = await resolved([tripleOf('it', 'frost'), tripleOf('it', 'rust')]);
  assert.equal(concepts.length, 4);
});

test('a denial told first does not keep the forms of the thing apart', async () => {
  assert.deepEqual(await groups(['no frost', 'frost', 'frosts']), [['frost', 'frosts'], ['no frost']]);
});

test('a form of a wording that came by likeness comes with it', async () => {
  const said = { 'pump breakdown': [1, 0], 'Pump stoppages': [0.96, 0.28], 'pump stoppage': [0.8, 0.6] };
  const settings = { embedder: saidEmbedder(said), mergeAbove: 0.95 };
  const found = await groups(
    ['pump breakdown', 'pump breakdown', 'Pump stoppages', 'Pump stoppages', 'pump stoppage'],
    settings,
  );
  assert.equal(
    found.find((group) => group.includes('pump stoppage'))!.filter((name) => name === 'Pump stoppages')
      .length,
    2,
  );
});

test('without resolution every wording is a concept of its own', async () => {
  assert.equal((await groups(['pump failure', 'Pump failures'], { enabled: false })).length, 2);
  assert.equal((await groups(['pump failure', 'Pump  failure'], { enabled: false })).length, 1);
});

test('each mention keeps its own words, its passage and a reason', async () => {
  const triples = caused(['pump failure', 'Pump failures', 'failure of the pump']);
  const { concepts, causes } = await resolved(triples);
  const concept = concepts[causes[0]!]!;
  assert.deepEqual(
    concept.mentions.map(({ mention, passage, reason }) => [mention.text, passage.file, reason.kind]).sort(),
    [
      ['Pump failures', 'doc1.md', 'same-stems'],
      ['failure of the pump', 'doc2.md', 'same-words'],
      ['pump failure', 'doc0.md', 'word-order'],
    ].sort(),
  );
});

const NAMES = fc.constantFrom(
  'pump failure',
  'pump failures',
  'failure of the pump',
  'no pump failure',
  'pump 3 failure',
  'rise in prices',
  'price rises',
  'fall in prices',
  'the frost',
  'frosts',
  'it',
  'ppi',
  'proton pump inhibitor',
  'customers attacked staff',
  'staff attacked customers',
);
const TRIPLES = fc
  .array(fc.tuple(NAMES, NAMES), { minLength: 1, maxLength: 12 })
  .map((pairs) => pairs.map(([cause, effect], at) => tripleOf(cause, effect, { ordinal: at })));

function mentionsOf(concept: Concept): string[] {
  return concept.mentions.map(
    ({ mention, passage }) => `${passage.id} ${mention.span.start} ${mention.text}`,
  );
}

function partition({ concepts }: Resolution): string {
  return JSON.stringify(concepts.map((concept) => mentionsOf(concept).sort()).sort());
}

test('every mention is in exactly one concept, and the ends of each triple point at theirs', async () => {
  await fc.assert(
    fc.asyncProperty(TRIPLES, fc.boolean(), async (triples, enabled) => {
      const resolution = await resolved(triples, { enabled, mergeAbove: 0.8 });
      const all = resolution.concepts.flatMap(mentionsOf);
      assert.equal(all.length, triples.length * 2);
      assert.equal(new Set(all).size, all.length);
      for (const [at, concept] of resolution.concepts.entries()) assert.equal(concept.id, at);
      for (const [at, triple] of triples.entries()) {
        for (const [side, id] of [
          ['cause', resolution.causes[at]!],
          ['effect', resolution.effects[at]!],
        ] as const) {
          assert.ok(
            mentionsOf(resolution.concepts[id]!).includes(
              `${triple.passage.id} ${triple[side].span.start} ${triple[side].text}`,
            ),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('the concepts do not depend on the order of the triples', async () => {
  const shuffled = TRIPLES.chain((triples) =>
    fc.tuple(fc.constant(triples), fc.shuffledSubarray(triples, { minLength: triples.length })),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, fc.constantFrom(0.8, 2), async ([triples, other], mergeAbove) => {
      assert.equal(
        partition(await resolved(triples, { mergeAbove })),
        partition(await resolved(other, { mergeAbove })),
      );
    }),
    { numRuns: 60 },
  );
});

test('a concept has the name that most places use', async () => {
  const { concepts, causes } = await resolved(caused(['Pump failures', 'pump failure', 'pump failure']));
  assert.equal(concepts[causes[0]!]!.name, 'pump failure');
});

test('cancelling while names are embedded rejects with the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped by hand');
  const { resolve } = await import('../../../server/sarg/resolve.ts');
  const embedder = {
    dimensions: 1,
    embed: async (texts: readonly string[]) => {
      controller.abort(reason);
      return texts.map(() => new Float32Array(1));
    },
  };
  await assert.rejects(
    resolve(caused(['frost']), [], embedder, { mergeAbove: 2, enabled: true }, controller.signal),
    reason,
  );
});
