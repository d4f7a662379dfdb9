import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areTwoPeople, peopleAmong } from '../../../server/sarg/people.ts';

test('an initial is the only person of that family whose name begins so', () => {
  const people = peopleAmong(['Jana Marek', 'P. Marek']);
  assert.deepEqual(people('J. Marek'), { given: 'jana', family: 'marek' });
  assert.deepEqual(people('MAREK, J.'), { given: 'jana', family: 'marek' });
  assert.deepEqual(people('P. Marek'), { given: 'p', family: 'marek' });
});

test('an initial that two people share is neither', () => {
  assert.deepEqual(peopleAmong(['Jana Marek', 'Jan Marek'])('J. Marek'), { given: 'j', family: 'marek' });
});

test('phrases that are more than a name, or less, name nobody', () => {
  const people = peopleAmong([]);
  for (const text of ['Marek', 'Jana Marek left', 'pump failure', '']) assert.equal(people(text), null, text);
});

test('two of one family are two people; others are not compared', () => {
  const people = peopleAmong(['Jana Marek', 'Jan Marek', 'Jan Novak']);
  assert.ok(areTwoPeople(people('Jana Marek'), people('Jan Marek')));
  assert.ok(!areTwoPeople(people('Jana Marek'), people('MAREK, Jana')));
  assert.ok(!areTwoPeople(people('Jana Marek'), people('Jan Novak')));
  assert.ok(!areTwoPeople(people('Jana Marek'), null));
});
