import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkFiles, loadCatalog } from '../../../models/catalog.ts';
import { CatalogError, ModelFileError } from '../../../models/errors.ts';

const models = join(import.meta.dirname, '../../../models');

test('every file that the catalog lists is there with its size and hash', () => {
  const catalog = loadCatalog();
  for (const entry of [catalog.embedder, catalog.tagger, catalog.direction]) {
    for (const { file, size, sha256 } of entry.files) {
      const content = readFileSync(join(catalog.directory(entry), file));
      assert.equal(content.length, size, file);
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256, file);
    }
  }
  const listed = catalog.embedder.files.map(({ file }) => file);
  assert.ok(listed.includes(catalog.embedder.model) && listed.includes(catalog.embedder.tokenizer));
});

test('every file of the catalog stands with its hash in the table of provenance', () => {
  const table = readFileSync(join(models, 'weights/README.md'), 'utf8');
  const { embedder, tagger, direction } = loadCatalog();
  for (const entry of [embedder, tagger, direction]) {
    for (const { file, size, sha256 } of entry.files) {
      const row = table.split('\n').find((line) => line.includes(`${entry.directory}/${file}`));
      assert.ok(row?.includes(sha256) && row.includes(String(size)), `${entry.directory}/${file}`);
    }
  }
});

test('a file that is missing or cut is named with what to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-catalog-'));
  try {
    mkdirSync(join(folder, 'weights/embedder'), { recursive: true });
    writeFileSync(join(folder, 'catalog.json'), readFileSync(join(models, 'catalog.json')));
    const catalog = loadCatalog(folder);
    const directory = catalog.directory(catalog.embedder);
    const refuse = (pattern: RegExp) =>
      assert.throws(
        () => checkFiles(catalog.embedder, directory),
        (error: Error) =>
          error instanceof ModelFileError &&
          error.message.includes(join(directory, 'model.onnx')) &&
          /Restore it/.test(error.message) &&
          pattern.test(error.message),
      );
    refuse(/is missing/);
    writeFileSync(join(directory, 'model.onnx'), 'version https://git-lfs.example/spec/v1');
    refuse(/has 39 bytes instead of \d+/);
    assert.equal(catalog.tagger.version, 'missing');
    assert.throws(() => checkFiles(catalog.tagger, catalog.directory(catalog.tagger)), /tagger's .*missing/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a catalog that is missing, damaged or lacks a role is named with the reason', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-catalog-'));
  try {
    const refuse = (content: string | null, pattern: RegExp) => {
      if (content !== null) writeFileSync(join(folder, 'catalog.json'), content);
      assert.throws(
        () => loadCatalog(folder),
        (error: Error) =>
          error instanceof CatalogError && error.message.includes(folder) && pattern.test(error.message),
      );
    };
    refuse(null, /ENOENT/);
    refuse('{"models": [', /JSON/);
    refuse('{}', /no list/);
    refuse('{"models": []}', /lists no (embedder|tagger|direction)/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
