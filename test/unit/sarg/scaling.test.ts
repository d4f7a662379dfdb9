/** What a question costs when the folder, or what is read of it, grows. By counts, which no other work disturbs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Abbreviation } from '../../../server/sarg/abbreviations.ts';
import { DEFAULT_OPTIONS } from '../../../server/sarg/options.ts';
import { ask } from '../../../server/sarg/pipeline.ts';
import { mayReach, screened } from '../../../server/sarg/vectors.ts';
import { random, unitVector } from '../../bench/synthetic.ts';
import { memorySources, resolved, tripleOf } from './fakes.ts';

const THINGS = 'frost ice pump valve flood road crash storm harvest price bread ferry'.split(' ');

/** One triple a document, between things that are numbered by letters. */
function documents(count: number) {
  const next = random(5);
  const thing = () =>
    `${THINGS[Math.floor(next() * THINGS.length)]} ${THINGS[Math.floor(next() * THINGS.length)]} loss`;
  return Array.from({ length: count }, (_, at) => tripleOf(thing(), thing(), { file: `doc${at}.md` }));
}

test('a folder of eight times as many documents costs a question no more links, concepts and steps', async () => {
  const counts = [];
  for (const count of [100, 800]) {
    const { counts: own } = await ask(
      'Why did the crash follow the frost?',
      memorySources(documents(count)),
      DEFAULT_OPTIONS,
    );
    counts.push(own);
  }
  const [few, many] = counts;
  const most = DEFAULT_OPTIONS.passages + DEFAULT_OPTIONS.morePassages;
  for (const { passagesRead, links, concepts } of [few!, many!]) {
    assert.ok(passagesRead <= most && links <= most && concepts <= 2 * most);
  }
  assert.ok(many!.expansions <= 4 * few!.expansions, `${few!.expansions}, then ${many!.expansions}`);
});

test("the folder's abbreviations are gone through once, not at every question", async () => {
  let walks = 0;
  const list: Abbreviation[] = Array.from({ length: 500 }, (_, at) => ({
    short: `A${at}`,
    long: `alpha ${at}`,
  }));
  const abbreviations = new Proxy(list, {
    get(target, key, receiver) {
      if (key === Symbol.iterator) walks++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const triples = documents(20);
  await resolved(triples, { abbreviations });
  const first = walks;
  await resolved(triples, { abbreviations });
  assert.ok(first > 0);
  assert.equal(walks, first);
});

test('of names far apart a small part of the vectors is compared', () => {
  let read = 0;
  // A common direction, as the vectors of a real embedder have: unlike names have a cosine of about 0.6.
  const common = unitVector(384, 1);
  const counted = (at: number) => {
    const own = unitVector(384, at);
    const mixed = own.map((value, place) => value * Math.sqrt(0.4) + common[place]! * Math.sqrt(0.6));
    const length = Math.hypot(...mixed);
    const { vector, rests } = screened(mixed.map((value) => value / length));
    return {
      vector: new Proxy(vector, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) read++;
          return Reflect.get(target, key) as unknown;
        },
      }),
      rests,
    };
  };
  const names = Array.from({ length: 12 }, (_, at) => counted(at + 2));
  let pairs = 0;
  for (const [at, a] of names.entries())
    for (const b of names.slice(at + 1)) {
      pairs++;
      mayReach(a, b, 0.92);
    }
  assert.ok(read < 0.45 * pairs * 2 * 384, `${(read / (pairs * 2 * 384)).toFixed(2)} of the numbers`);
});
