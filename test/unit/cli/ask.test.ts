import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { askCommand } from '../../../server/cli/ask.ts';
import { CliError } from '../../../server/cli/common.ts';
import { graphCommand } from '../../../server/cli/graph.ts';
import { indexCommand } from '../../../server/cli/index.ts';
import { directCommand, extractCommand } from '../../../server/cli/measure.ts';

const root = mkdtempSync(join(tmpdir(), 'causeway-ask-'));
after(() => rmSync(root, { recursive: true }));
const never = new AbortController().signal;

function file(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
}

/** Holds that the call fails by its usage, before anything is opened, and says what is wrong. */
async function assertWrong(call: Promise<number>, said: RegExp): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof CliError, String(error));
    assert.match(error.message, said);
    return true;
  });
}

test('a question that is none, or comes without quotes, is refused', async () => {
  await assertWrong(askCommand([' ', root], never, 'ask'), /question is empty/);
  await assertWrong(askCommand(['Why', 'did', 'it'], never, 'ask'), /question in quotes/);
});

test('a wrong number is refused before the folder is looked at', async () => {
  await assertWrong(
    askCommand(['Why?', join(root, 'none'), '--beam', '0'], never, 'ask'),
    /--beam takes a whole number from 1 to 100; not "0"/,
  );
});

test('a folder that is missing, or a file, is refused by its name', async () => {
  await assertWrong(askCommand(['Why?', join(root, 'none')], never, 'ask'), /There is no folder .*none/);
  const note = file('note.md', 'x');
  for (const command of [indexCommand, graphCommand])
    await assertWrong(command([note], never), /note\.md is a file/);
});

test('a file of questions that cannot be used is named with the line', async () => {
  for (const [name, text, said] of [
    ['broken', '{"question": "Why?"}\n{oops\n', /broken\.jsonl, line 2: not JSON/],
    ['other', '{"query": "Why?"}\n', /other\.jsonl, line 1: no "question"/],
    ['null', '\nnull\n', /null\.jsonl, line 2: no "question"/],
    ['blank', '{"question": "  "}', /blank\.jsonl, line 1: no "question"/],
    ['none', '\r\n\n', /none\.jsonl holds no question/],
  ] as const) {
    await assertWrong(askCommand(['--questions', file(`${name}.jsonl`, text), root], never, 'ask'), said);
  }
  await assertWrong(
    askCommand(['--questions', join(root, 'gone.jsonl'), root], never, 'ask'),
    /gone\.jsonl cannot be read/,
  );
  await assertWrong(askCommand(['--questions', 'x', 'Why?', root], never, 'ask'), /name only the folder/);
});

test('what a command has no use for is refused by its name', async () => {
  await assertWrong(indexCommand([root, 'more'], never), /index has no use for "more"/);
  await assertWrong(graphCommand([root, 'more'], never), /graph has no use for "more"/);
  await assertWrong(extractCommand(['--jsonl', 'x'], never), /extract has no use for "x"/);
  await assertWrong(directCommand([], never), /direct reads JSON Lines .*--jsonl/);
});
