/** The language server as an editor drives it: a process of its own, LSP over IPC. */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { AskPartial } from '../../server/protocol.ts';
import { LspClient } from './fixtures/lsp-client.ts';

const STORY = {
  'letter.md': '# Letter\n\nThe budget cut led to the postponed dredging.\n',
  'survey.txt': 'The postponed dredging led to the sandbank. The fog did not cause the grounding.\n',
  'report.md': '# Report\n\nThe sandbank caused the grounding of the ferry. Nobody was hurt.\n',
};
const QUESTION = 'Why was there the grounding of the ferry?';

const quotes = (result: Awaited<ReturnType<LspClient['ask']>>): string[] =>
  result.view.links.map((link) => link.evidence.quote);

describe('asking', () => {
  test('streams progress, passages, graph and chains before the answer, and the answer holds them all', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    const partials: AskPartial[] = [];
    const { view, answer, folders, waiting } = await client.ask(QUESTION, {}, partials);
    const found = partials.flatMap((partial) => (partial.kind === 'found' ? Object.keys(partial.found) : []));
    assert.ok(
      found.indexOf('retrieved') < found.indexOf('links') && found.indexOf('links') < found.indexOf('chains'),
      found.join(),
    );
    assert.ok(partials.some((partial) => partial.kind === 'progress' && partial.step === 'extract'));
    assert.deepEqual(
      view.chains[0]?.hops.map((hop) => hop.cause.text),
      ['The budget cut', 'The postponed dredging', 'The sandbank'],
    );
    assert.ok(view.links.some((link) => link.negated));
    assert.ok(view.chains.every((chain) => chain.hops.every((hop) => !hop.negated)));
    assert.equal(folders[0]?.prefix, '');
    assert.equal(waiting, 0);
    assert.notEqual(answer, '');
  });

  test('a second time reads no passage again', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ask(QUESTION);
    const { view } = await client.ask(QUESTION);
    assert.equal(view.counts.passagesExtracted, 0);
  });

  test('a cancelled question ends at once and the next one is answered', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `${at}.md`,
        `The frost of year ${at} led to the outage ${at}.\n`,
      ]),
    );
    await using client = await LspClient.start({
      folders: [many],
      settings: { extractAhead: false },
      delay: 300,
    });
    await client.ready();
    const source = new CancellationTokenSource();
    const slow = client.ask('Why the outage?', { passages: 40 }, [], source, (partial) => {
      if (partial.kind === 'progress' && partial.step === 'extract') source.cancel();
    });
    const from = performance.now();
    await assert.rejects(slow, { code: -32800 });
    const cancelled = performance.now() - from;
    const again = performance.now();
    await client.ask('Why the outage 3?', { passages: 1 });
    // Against the same machine's own speed: the cancelled one stood for 40 passages, this one reads a few.
    assert.ok(cancelled < performance.now() - again + 40 * 300, `${cancelled}`);
    assert.ok(!client.log.some((line) => /error/i.test(line)), client.log.join('\n'));
  });

  test('a cancelled question leaves the models alone: the text in hand is the last, also of the index', async () => {
    const delay = 50;
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `${at}.md`,
        `The frost of year ${at} led to the outage ${at}.\n`,
      ]),
    );
    await using client = await LspClient.start({ folders: [many], delay });
    const source = new CancellationTokenSource();
    const slow = client.ask('Why the outage?', { passages: 40 }, [], source, (partial) => {
      if (partial.kind === 'progress' && partial.step === 'extract' && (partial.done ?? 0) > 0)
        source.cancel();
    });
    await assert.rejects(slow, { code: -32800 });
    const before = client.calls();
    // Time in which more than twenty texts would be begun.
    await new Promise((resolve) => setTimeout(resolve, 25 * delay));
    assert.ok(client.calls() - before <= 1, `${client.calls() - before} of ${before}`);
    const { view } = await client.ask('Why the outage 3?', { passages: 1 });
    assert.equal(view.links.length > 0, true);
    await client.until((status) => status.state === 'ready' && status.read === 60);
  });

  test('an empty question and a number out of bounds are refused in words', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await assert.rejects(client.ask('  '), /question is empty/);
    await assert.rejects(
      client.ask(QUESTION, { beamWidth: 0 }),
      /beamWidth takes a whole number from 1 to 100; not 0/,
    );
  });

  test('without a folder it says to open one; a folder with nothing in it is no fault', async () => {
    await using none = await LspClient.start({ folders: [] });
    await assert.rejects(none.ask(QUESTION), /Open the folder/);
    assert.equal((await none.request('causeway/index', { action: 'update' })).state, 'no-folder');
    await using empty = await LspClient.start({ folders: [{}] });
    const { view } = await empty.ask(QUESTION);
    assert.equal(view.answer.kind, 'none');
    assert.equal((await empty.ready()).passages, 0);
  });
});

describe('looking further', () => {
  test('explains a link with its place among the others and its rivals', async () => {
    await using client = await LspClient.start({
      folders: [{ ...STORY, 'other.md': 'The storm led to the sandbank.\n' }],
    });
    const { answer, view } = await client.ask(QUESTION);
    const hop = view.chains[0]!.hops.find((candidate) => candidate.effect.text === 'the sandbank')!;
    const told = await client.request('causeway/explain', { answer, link: hop.id });
    assert.equal(told.link.evidence.quote, hop.evidence.quote);
    assert.ok(told.rank >= 1 && told.rank <= told.of);
    assert.ok(told.rivals.some(({ link }) => /storm|dredging/.test(link.cause.text)));
    await assert.rejects(client.request('causeway/explain', { answer, link: 9999 }), /no link 9999/);
    await assert.rejects(client.request('causeway/explain', { answer: 'gone', link: 0 }), /Ask again/);
  });

  test('expands a concept by links that the answer did not read, and keeps its ids', async () => {
    const more = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [`m${at}.md`, `The sandbank led to the closed pier ${at}.\n`]),
    );
    await using client = await LspClient.start({ folders: [{ ...STORY, ...more }] });
    const { answer, view } = await client.ask('the budget cut', { passages: 1 });
    const concept = view.concepts.find(({ name }) => /dredging/.test(name));
    assert.ok(concept, view.concepts.map(({ name }) => name).join());
    const { links, concepts } = await client.request('causeway/expand', { answer, concept: concept.id });
    assert.ok(links.length > 0);
    const known = new Set([...view.concepts, ...concepts].map(({ id }) => id));
    const ids = new Set(view.links.map(({ id }) => id));
    for (const link of links) {
      assert.ok(link.cause.concept === concept.id || link.effect.concept === concept.id);
      assert.ok(known.has(link.cause.concept) && known.has(link.effect.concept));
      assert.ok(!ids.has(link.id));
    }
    const again = await client.request('causeway/expand', { answer, concept: concept.id });
    assert.deepEqual(again.links, []);
  });
});

describe('keeping in step', () => {
  test('an unsaved text is preferred over the file, and the file again once the editor closes', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ask(QUESTION);
    const edited = STORY['letter.md'].replace('The budget cut', 'The new law');
    await client.openText('letter.md', STORY['letter.md']);
    await client.changeText('letter.md', edited);
    const unsaved = await client.ask(QUESTION);
    assert.ok(quotes(unsaved).some((quote) => quote.startsWith('The new law')));
    assert.ok(!quotes(unsaved).some((quote) => quote.startsWith('The budget cut')));
    assert.deepEqual(client.changed.at(-1), ['letter.md']);
    await client.closeText('letter.md');
    assert.ok(quotes(await client.ask(QUESTION)).some((quote) => quote.startsWith('The budget cut')));
  });

  test('opening a file of another encoding and line ends is no change', async () => {
    const text = 'The heat led to the drought.\nThe drought caused the fire.\n';
    const bytes = Buffer.from(`\ufeff${text.replaceAll('\n', '\r\n')}`, 'utf16le');
    await using client = await LspClient.start({ folders: [{ 'old.txt': bytes }] });
    await client.ready();
    client.changed.length = 0;
    await client.openText('old.txt', text);
    assert.equal((await client.ask('Why the fire?')).view.counts.passagesExtracted, 0);
    assert.deepEqual(client.changed, []);
  });

  test('an edited file gives only its new links; a deleted one gives none', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ask(QUESTION);
    client.write('letter.md', 'The broken relay led to the postponed dredging.\n');
    await client.watched(['letter.md']);
    const after = quotes(await client.ask(QUESTION));
    assert.ok(
      after.some((quote) => quote.includes('relay')) && !after.some((quote) => quote.includes('budget')),
    );
    rmSync(path.join(client.roots[0]!, 'letter.md'));
    await client.watched(['letter.md']);
    assert.ok(!quotes(await client.ask(QUESTION)).some((quote) => quote.includes('relay')));
  });

  test('a burst of 3,000 changes is one pass', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ready();
    const passes = async (): Promise<number> => (await client.request('causeway/diagnostics', {})).passes;
    const before = await passes();
    const files = Array.from({ length: 3000 }, (_, at) => `branch/${at}.md`);
    for (let from = 0; from < files.length; from += 100) await client.watched(files.slice(from, from + 100));
    client.write('branch/1.md', 'The thaw led to the flood.\n');
    await client.until((status) => status.state === 'ready' && status.files === 4);
    assert.equal((await passes()) - before, 1);
  });

  test('pausing holds the index, a question is still answered by what is there, and resuming goes on', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`${at}.md`, `The rain ${at} led to the mud ${at}.\n`]),
    );
    await using client = await LspClient.start({ folders: [many], delay: 50 });
    await client.request('causeway/index', { action: 'update' });
    await client.until((status) => status.pass?.phase === 'extract' && status.read > 0);
    await client.request('causeway/index', { action: 'pause' });
    const { read } = await client.until((status) => status.state === 'paused');
    assert.ok(read < 60);
    assert.equal((await client.ask('Why the mud 5?', { passages: 3 })).view.chains.length > 0, true);
    assert.equal((await client.request('causeway/index', { action: 'status' })).state, 'paused');
    await client.request('causeway/index', { action: 'resume' });
    const { read: all, links } = await client.until((status) => status.state === 'ready');
    assert.equal(all, 60);
    assert.equal(links, 60);
  });

  test('rebuilding forgets and reads everything again', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ready();
    await client.request('causeway/index', { action: 'rebuild' });
    const { files, links } = await client.until((status) => status.state === 'ready');
    assert.equal(files, 3);
    assert.equal(links, 4);
  });

  test('a killed server leaves an index that the next one goes on with', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    await client.ask(QUESTION);
    client.process.kill('SIGKILL');
    await new Promise((resolve) => client.process.once('exit', resolve));
    await client.launch();
    const { view } = await client.ask(QUESTION);
    assert.equal(view.counts.passagesExtracted, 0);
    assert.equal(view.chains[0]?.hops.length, 3);
  });

  test('files that cannot be read are listed with the reason', async () => {
    await using client = await LspClient.start({
      folders: [{ ...STORY, 'photo.txt': new Uint8Array([0, 1, 2, 255, 0, 0]) }],
    });
    await client.ready();
    const { documents } = await client.request('causeway/documents', {});
    const bad = documents.find(({ file }) => file === 'photo.txt');
    assert.equal(bad?.state, 'failed');
    assert.match(bad?.reason ?? '', /\w/);
    assert.equal(documents.filter(({ state }) => state === 'indexed').length, 3);
  });
});

describe('folders', () => {
  test('several are asked as one: a chain runs through both, and names say which folder', async () => {
    const { 'letter.md': letter, ...rest } = STORY;
    await using client = await LspClient.start({ folders: [{ 'letter.md': letter }, rest] });
    const { view, folders } = await client.ask(QUESTION);
    assert.deepEqual(
      folders.map(({ prefix }) => prefix),
      ['notes/', 'notes (2)/'],
    );
    assert.deepEqual(
      view.chains[0]?.hops.map((hop) => hop.evidence.file),
      ['notes/letter.md', 'notes (2)/survey.txt', 'notes (2)/report.md'],
    );
  });

  test('a folder taken away takes its links along, and what stays is not read again', async () => {
    await using client = await LspClient.start({
      folders: [STORY, { 'b.md': 'The tax led to the budget cut.\n' }],
    });
    assert.equal((await client.ask(QUESTION)).view.chains[0]?.hops.length, 4);
    client.roots.pop();
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [] },
    });
    await client.until((status) => status.folders.length === 1);
    const { view } = await client.ask(QUESTION);
    assert.equal(view.counts.passagesExtracted, 0);
    assert.deepEqual(
      view.chains[0]?.hops.map((hop) => hop.evidence.file),
      ['letter.md', 'survey.txt', 'report.md'],
    );
  });

  test('globs of the settings decide, at once when they change', async () => {
    await using client = await LspClient.start({ folders: [STORY], settings: { exclude: ['**/*.txt'] } });
    assert.equal((await client.ready()).files, 2);
    await client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { exclude: [] },
    });
    await client.until((status) => status.state === 'ready' && status.files === 3);
  });

  test('nothing is opened or written before the first need', async () => {
    await using client = await LspClient.start({ folders: [STORY] });
    assert.equal((await client.request('causeway/index', { action: 'status' })).state, 'closed');
    assert.equal(existsSync(path.join(client.home, 'index')), false);
  });
});
