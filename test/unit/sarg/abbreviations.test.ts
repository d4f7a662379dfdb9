import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAbbreviations } from '../../../server/sarg/abbreviations.ts';

function pairs(text: string): string[] {
  return findAbbreviations(text).map(({ short, long }) => `${short}=${long}`);
}

test('a short form behind its long form is found', () => {
  assert.deepEqual(pairs('We saw monoclonal gammopathy of undetermined significance (MGUS) often.'), [
    'MGUS=monoclonal gammopathy of undetermined significance',
  ]);
});

test('a long form behind its short form is found', () => {
  assert.deepEqual(pairs('The UPS (uninterruptible power supply) failed.'), [
    'UPS=uninterruptible power supply',
  ]);
});

test('a plural short form explains the singular', () => {
  assert.deepEqual(pairs('Proton pump inhibitors (PPIs) help.'), ['PPI=Proton pump inhibitors']);
});

test('initials of words go before letters within them', () => {
  assert.deepEqual(pairs('A proton pump inhibitor (PPI) helps.'), ['PPI=proton pump inhibitor']);
});

test('accented letters count as their letters', () => {
  assert.deepEqual(pairs('sold by Électricité de France (EDF)'), ['EDF=Électricité de France']);
});

test('letters within words serve where initials do not', () => {
  assert.deepEqual(pairs('a substrate of glucosyl ceramide (GlcCer)'), ['GlcCer=glucosyl ceramide']);
});

test('brackets that explain nothing give nothing', () => {
  for (const text of [
    'The pump (see above) failed.',
    'The pump failed (2019).',
    'The harbour office (HQ) closed.',
    'Unclosed (MGUS',
    '(MGUS) stands alone.',
    'the end. (MGUS) begins',
  ]) {
    assert.deepEqual(pairs(text), [], text);
  }
});

test('an abbreviation told twice is found once', () => {
  assert.equal(pairs('heat pump unit (HPU), and again heat pump unit (HPU)').length, 1);
});

test('a long text of brackets without end is read in linear time', () => {
  assert.deepEqual(pairs('('.repeat(200_000)), []);
  assert.deepEqual(pairs('a ('.repeat(100_000)), []);
});
