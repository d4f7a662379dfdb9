import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  ASK_OPTIONS,
  askOptions,
  atMost,
  CliError,
  folderOf,
  HELP,
  jsonLine,
  number,
  parse,
  safe,
  styles,
} from '../../../server/cli/common.ts';
import { DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../../server/sarg/options.ts';

const optionsOf = (...args: string[]) => askOptions(parse(args, ASK_OPTIONS).values);

test('without options the method has its default numbers, with --method paper those of the paper', () => {
  assert.deepEqual(optionsOf(), DEFAULT_OPTIONS);
  assert.deepEqual(optionsOf('--method', 'paper'), PAPER_OPTIONS);
});

test('each option sets its number and nothing else', () => {
  assert.deepEqual(
    optionsOf(
      ...'--beam 5 --top 4 --passages 30 --more 0 --threshold 0.5 --hops 2 --direction forward'.split(' '),
    ),
    {
      ...DEFAULT_OPTIONS,
      beam: 5,
      top: 4,
      passages: 30,
      morePassages: 0,
      threshold: 0.5,
      maxHops: 2,
      direction: 'forward',
    },
  );
  assert.deepEqual(optionsOf('--no-hedged', '--no-joins', '--no-resolve', '--force-answer'), {
    ...DEFAULT_OPTIONS,
    hedged: false,
    joins: false,
    resolve: false,
    answerAbove: 0,
  });
});

test('the paper has no joins, whatever is said', () => {
  assert.equal(optionsOf('--method', 'paper').joins, false);
});

test('a wrong value is an error that names the option, what it takes and what was given', () => {
  for (const [option, ...values] of [
    ['beam', '0', '101', '1.5', '1e1', '0x5', ' 5 ', '', 'three', '-1'],
    ['hops', '21'],
    ['passages', '1001', 'NaN'],
    ['more', '-1', ''],
    ['threshold', '2', 'x', '', ' '],
    ['method', 'papers', ''],
    ['direction', 'up'],
    ['extractor', 'llm'],
  ] as const) {
    for (const value of values) {
      assert.throws(
        () => optionsOf(`--${option}=${value}`),
        (error) =>
          error instanceof CliError &&
          error.message.includes(`--${option}`) &&
          error.message.includes(`"${value}"`),
        `--${option}=${value}`,
      );
    }
  }
});

test('an option that does not exist, or lacks its value, is named', () => {
  for (const [args, named] of [
    [['--frob'], '--frob'],
    [['--beam'], '--beam'],
    [['--json=yes'], '--json'],
    [['-x'], '-x'],
  ] as const) {
    assert.throws(
      () => parse([...args], ASK_OPTIONS),
      (error) => error instanceof CliError && error.message.includes(named),
    );
  }
});

test('the help tells every option of ask', () => {
  for (const option of Object.keys(ASK_OPTIONS)) assert.ok(HELP.includes(`--${option}`), option);
});

test('what a command has no use for is named', () => {
  atMost(['a'], 1, 'index');
  assert.throws(
    () => atMost(['a', 'b'], 1, 'index'),
    (error) => error instanceof CliError && /index.*"b"/.test(error.message),
  );
});

test('a folder that is missing, or a file, is told from one that is there', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-folder-'));
  context.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'note.md'), 'x');
  assert.equal(folderOf(root), root);
  assert.throws(() => folderOf(join(root, 'none')), /There is no folder .*none/);
  assert.throws(() => folderOf(join(root, 'note.md')), /note\.md is a file/);
});

/** What a terminal would act on. */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('a text made safe holds nothing that a terminal acts on, and keeps its words', () => {
  assert.equal(safe('the \u001b[31mlamp\n broke\u009b \u202egnp'), 'the [31mlamp broke gnp');
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !ACTIVE.test(safe(text))));
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z水ä]+$/)),
      (words) => safe(words.join('\n')) === safe(words.join(' ')),
    ),
  );
});

test('a JSON line holds nothing that a terminal acts on, and reads back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const line = jsonLine({ texts });
      assert.ok(!ACTIVE.test(line));
      assert.deepEqual(JSON.parse(line), { texts });
    }),
  );
});

test('colours are for a terminal alone, and not where NO_COLOR is set', (context) => {
  const before = process.env['NO_COLOR'];
  context.after(() => {
    if (before === undefined) delete process.env['NO_COLOR'];
    else process.env['NO_COLOR'] = before;
  });
  delete process.env['NO_COLOR'];
  assert.equal(styles({ isTTY: true })('bold', 'x'), '\u001b[1mx\u001b[0m');
  assert.equal(styles({})('bold', 'x'), 'x');
  process.env['NO_COLOR'] = '1';
  assert.equal(styles({ isTTY: true })('bold', 'x'), 'x');
});

test('one is one and more are more', () => {
  assert.deepEqual(
    [number(1, 'file'), number(0, 'file'), number(2, 'file')],
    ['1 file', '0 files', '2 files'],
  );
});
