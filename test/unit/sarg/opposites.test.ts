import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { difference } from '../../../server/sarg/opposites.ts';

const PAIRS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  direction: [
    ['rise in prices', 'fall in prices'],
    ['higher water level', 'lower water level'],
    ['presence of oxygen', 'absence of oxygen'],
    ['power on', 'power off'],
    ['before the flood', 'after the flood'],
    ['flow into the lake', 'flow out of the lake'],
    ['over the limit', 'under the limit'],
  ],
  negation: [
    ['a link to the leak', 'no link to the leak'],
    ['the valve closed', "the valve wasn't closed"],
    ['treated patients', 'untreated patients'],
    ['hyperglycaemia', 'hypoglycaemia'],
    ['upstream dam', 'downstream dam'],
    ['overload of the feeder', 'underload of the feeder'],
  ],
  number: [
    ['pump 3 failure', 'pump 5 failure'],
    ['two pumps stopped', 'three pumps stopped'],
    ['the first leak', 'the second leak'],
    ['phase I', 'phase II'],
    ['1,000 tonnes', '10 tonnes'],
  ],
  name: [
    ['trip of Feeder A', 'trip of Feeder B'],
    ['shortage in New York', 'shortage in New Jersey'],
    ['outage in March', 'outage in April'],
    ['the march outage', 'the april outage'],
    ['left valve', 'right valve'],
    ['the GBA variant', 'the SNCA variant'],
    ['north gate', 'south gate'],
  ],
};

for (const [kind, pairs] of Object.entries(PAIRS)) {
  test(`phrases that differ in ${kind} are told apart`, () => {
    for (const [a, b] of pairs) assert.equal(difference(a, b), kind, `${a} | ${b}`);
  });
}

test('different wordings of one thing are let through', () => {
  for (const [a, b] of [
    ['pump failure', 'failure of the pump'],
    ['lack of rain', 'absence of rain'],
    ['two pumps', '2 pumps'],
    ['1,000 tonnes', '1000 tonnes'],
    ['failure due to frost', 'failure from frost'],
    ['MAREK, Jana', 'Jana Marek'],
    ['Lake Orta', 'Orta'],
    ['reduced loss', 'less loss'],
    ['Pump failures', 'pump failure'],
    ['put', 'input'],
  ] as const) {
    assert.equal(difference(a, b), null, `${a} | ${b}`);
  }
});

test('a difference is the same both ways round, and no phrase differs from itself', () => {
  const part = fc.constantFrom(
    ...'rise fall no not pump Pump A B 3 five stable unstable March left right US New York before after the of in to'.split(
      ' ',
    ),
  );
  const phrase = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(phrase, phrase, (a, b) => {
      assert.equal(difference(a, b), difference(b, a));
      assert.equal(difference(a, a), null);
    }),
  );
});
