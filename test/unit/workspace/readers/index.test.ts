import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readDocument,
  readerFor,
  readText,
  supportedExtensions,
} from '../../../../server/workspace/readers/index.ts';
import { assertPart } from './laws.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('readers are chosen by extension, whatever its case and the folder', () => {
  assert.equal(readerFor('a/b.MD')?.name, 'Markdown');
  assert.equal(readerFor('C:\\notes\\x.Tex')?.name, 'TeX');
  assert.equal(readerFor('a.md/file'), undefined);
  assert.equal(readerFor('.md'), undefined);
  for (const extension of ['.md', '.txt', '.html', '.csv', '.tex', '.ipynb'])
    assert.ok(supportedExtensions.includes(extension));
});

test('an empty file of any format is no fault', () => {
  for (const extension of supportedExtensions) {
    const { parts, notes } = readDocument(new Uint8Array(0), `x/empty${extension}`);
    assert.deepEqual(parts, [], extension);
    assert.equal(notes.length, 1, extension);
  }
});

test('unknown formats, large files and binaries are refused with a reason that names no more than it knows', () => {
  assert.throws(() => readDocument(bytes('x'), 'a.exe'), {
    name: 'UnreadableError',
    file: 'a.exe',
    message: 'unknown format: .exe',
  });
  assert.throws(() => readText('x', 'Makefile'), { message: 'unknown format: the name has no extension' });
  assert.throws(() => readDocument(bytes('x'.repeat(3 << 20)), 'a.txt', { maxBytes: 1 << 20 }), {
    message: 'too large: 3.0 MB, the limit is 1.0 MB',
  });
  assert.throws(() => readDocument(new Uint8Array([65, 0, 1, 2, 0, 3, 66, 9]), 'a.txt'), {
    name: 'UnreadableError',
    message: /not text: it holds NUL bytes/,
  });
  assert.throws(() => readDocument(bytes('%PDF-1.7 x'), 'a.txt'), {
    name: 'UnreadableError',
    message: /PDF/,
  });
});

test('hostile names are names', () => {
  const file = '<img src=x onerror=alert(1)>.md';
  assert.equal(readText('text', file).title, '<img src=x onerror=alert(1)>');
  assert.equal(readText('text', '../../__proto__.md').title, '__proto__');
});

test('NUL bytes in unsaved text break no reader', () => {
  for (const extension of supportedExtensions.filter((one) => one !== '.ipynb')) {
    for (const part of readText('The \0pump\0 failed.\n\nA,\0B\n1,2\n', `a${extension}`).parts) {
      assertPart(part);
      assert.doesNotMatch(part.text, /\0/);
    }
  }
});

test('one line of 1 MB is read whole by every reader of text', () => {
  const line = 'The pump failed because the valve leaked. '.repeat(25_000);
  for (const extension of ['.md', '.txt', '.html', '.tex', '.csv']) {
    const { parts } = readText(line, `a${extension}`);
    assert.equal(parts[0]!.text.replace(/\.$/, '').length, line.trim().length - 1, extension);
  }
});
