import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { BinaryError, decode } from '../../../server/workspace/encoding.ts';

const WESTERN = [
  'Der Ausfall der Pumpe führte zu einer Überschwemmung. Das kostete uns 5 €.',
  'La pompe est tombée en panne à cause du gel. L’usine s’est arrêtée.',
  'La avería de la bomba provocó una inundación. Costó años repararla.',
  'Frost broke the pump – the café closed. It cost “5 £” a day.',
  'A naïve reading blames the façade.',
  'Størrelsen på lånet økte. Årsaken var frost.',
];
const CHINESE = [
  '水泵停机，因为轴承缺油。工厂停产三天。',
  '霜冻导致阀门破裂。\r\n\r\n阀门破裂引起漏水。',
  '# 故障\n\nThe pump (水泵) failed 因为缺油。',
];
const JAPANESE = [
  'ポンプが壊れたのは油がなかったからです。工場は止まった。',
  '霜で弁が割れた。\n水が漏れた。',
  '# 故障\n\nThe pump（ポンプ）が止まった。',
];

function encoded(text: string, encoding: string): Uint8Array {
  return new Uint8Array(iconv.encode(text, encoding, { addBOM: false }));
}

function marked(text: string, encoding: string): Uint8Array {
  return new Uint8Array(iconv.encode(text, encoding, { addBOM: true }));
}

test('the same text in every Unicode encoding, with and without a mark, is the same text', () => {
  for (const text of [...WESTERN, ...CHINESE, ...JAPANESE, '👩🏽‍🔧 שלום e\u0301']) {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
      assert.equal(decode(marked(text, encoding)).text, text, `${encoding} with a mark: ${text}`);
    }
    assert.deepEqual(decode(encoded(text, 'utf-8')), { text, encoding: 'utf-8' });
  }
  for (const text of WESTERN) {
    for (const encoding of ['utf-16le', 'utf-16be'])
      assert.deepEqual(decode(encoded(text, encoding)), { text, encoding });
  }
});

test('short western notes are Windows-1252', () => {
  for (const text of WESTERN)
    assert.deepEqual(decode(encoded(text, 'windows-1252')), { text, encoding: 'windows-1252' });
});

test('short Chinese notes are GBK', () => {
  for (const text of CHINESE) assert.deepEqual(decode(encoded(text, 'gbk')), { text, encoding: 'gbk' });
});

test('short Japanese notes are Shift-JIS', () => {
  for (const text of JAPANESE)
    assert.deepEqual(decode(encoded(text, 'shift_jis')), { text, encoding: 'shift_jis' });
});

test('line endings are kept, since an editor counts them', () => {
  assert.equal(decode(encoded('a\r\nb\rc\n', 'utf-8')).text, 'a\r\nb\rc\n');
});

test('a text of UTF-8 with one broken byte stays UTF-8', () => {
  const good = encoded(CHINESE[0]!.repeat(10), 'utf-8');
  const { text, encoding } = decode(new Uint8Array([...good, 0xff]));
  assert.equal(encoding, 'utf-8');
  assert.equal(text, `${CHINESE[0]!.repeat(10)}\ufffd`);
});

test('binaries are refused with a reason', () => {
  const cases: [Uint8Array, RegExp][] = [
    [new Uint8Array([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff, 0, 0]), /NUL/],
    [new TextEncoder().encode('PK\u0003\u0004 rest'), /zip/],
    [new TextEncoder().encode('%PDF-1.4\n%'), /PDF/],
    [Uint8Array.from({ length: 4000 }, (_, i) => ((i * 7919) % 255) + 1), /control signs|no known encoding/],
    [new TextEncoder().encode('text with a \0 in it'), /NUL/],
  ];
  for (const [bytes, reason] of cases) {
    assert.throws(
      () => decode(bytes),
      (error) => error instanceof BinaryError && reason.test(error.message),
    );
  }
});

test('a text with one NUL byte is not taken for UTF-16, whichever half of a pair it stands in', () => {
  for (const text of ['The pump stopped\0 as the fuses blew.', 'The pump stopped \0as the fuses blew.']) {
    const bytes = new TextEncoder().encode(text);
    assert.equal(bytes.length % 2, 0);
    assert.throws(() => decode(bytes), /NUL/);
  }
});

test('UTF-16 without a mark is read where zeros are few', () => {
  const text = `${CHINESE[0]!}\n`.repeat(3);
  const { text: read, encoding } = decode(new Uint8Array(Buffer.from(text, 'utf16le')));
  assert.deepEqual([read, encoding], [text, 'utf-16le']);
});

test('nothing decodes to nothing', () => {
  assert.deepEqual(decode(new Uint8Array(0)), { text: '', encoding: 'utf-8' });
});

test('law: UTF-8 and marked UTF-16 give back any text without control signs', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((one) => !/[\0-\x08\x0e-\x1f\x7f]/.test(one) && !one.startsWith('\ufeff'));
  fc.assert(
    fc.property(text, fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), (one, encoding) => {
      assert.equal(decode(marked(one, encoding)).text, one);
    }),
  );
});

test('law: any bytes decode or are refused as binary', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        assert.equal(typeof decode(bytes).text, 'string');
      } catch (error) {
        assert.ok(error instanceof BinaryError);
      }
    }),
  );
});
