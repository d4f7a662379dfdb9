/**
 * What is tested inside the extension host: `run()` is the contract of @vscode/test-electron, so the same suite serves
 * the served VS Code here and a desktop one elsewhere. Expects the extension to be there and the example to be open.
 * Writes figures to CAUSEWAY_FIGURES, if that names a file.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Exports } from '../../../client/extension.ts';

const QUESTION = 'What led to the ferry outage in March?';
const NOTEBOOK_QUESTION = 'What followed from skipping the service of the tide gauge?';
const figures: Record<string, unknown> = {};

async function extension(): Promise<vscode.Extension<Exports>> {
  const found = vscode.extensions.getExtension<Exports>('causeway.causeway');
  assert.ok(found, 'the extension is not installed');
  return found;
}

const tests: Record<string, () => Promise<void>> = {
  async 'activates by itself when it is needed'() {
    const found = await extension();
    const from = performance.now();
    const { causeway } = await found.activate();
    figures['activate'] = performance.now() - from;
    figures['activation'] = causeway.activation;
    assert.equal(found.isActive, true);
  },

  async 'every command of the package exists'() {
    const found = await extension();
    const { contributes } = found.packageJSON as { contributes: { commands: { command: string }[] } };
    const there = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands
      .map(({ command }) => command)
      .filter((command) => !there.has(command));
    assert.deepEqual(missing, []);
  },

  async 'a hop opened by command selects exactly its words'() {
    const { causeway } = (await extension()).exports;
    const from = performance.now();
    const first = new Promise<number>((resolve) => {
      const listener = causeway.onPartial(({ partial }) => {
        if (partial.kind !== 'found' || !partial.found.chains?.length) return;
        listener.dispose();
        resolve(performance.now() - from);
      });
    });
    const end = await causeway.ask(QUESTION);
    figures['coldFirstChain'] = await first;
    figures['coldAnswer'] = performance.now() - from;
    assert.equal(end.kind, 'answer', 'message' in end ? end.message : '');
    const warm = performance.now();
    await causeway.ask(QUESTION);
    figures['warmAnswer'] = performance.now() - warm;
    const hop = causeway.answer!.view.chains[0]!.hops[0]!;
    await vscode.commands.executeCommand('causeway.openHop', { kind: 'hop', hop, parent: null });
    const editor = vscode.window.activeTextEditor;
    assert.equal(
      editor?.document.getText(editor.selection).replaceAll('\r\n', '\n'),
      hop.evidence.quote.replaceAll('\r\n', '\n'),
    );
  },

  async 'a hop in a notebook opens its cell and selects exactly its words'() {
    const { causeway } = (await extension()).exports;
    await causeway.ask(NOTEBOOK_QUESTION);
    const hops = causeway.answer!.view.chains.flatMap((chain) => chain.hops);
    const hop = hops.find(({ evidence }) => evidence.file.endsWith('.ipynb'));
    assert.ok(hop, hops.map(({ evidence }) => evidence.file).join());
    await vscode.commands.executeCommand('causeway.openHop', { kind: 'hop', hop, parent: null });
    const { cell, quote } = hop.evidence;
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    const document = notebook?.cellAt(cell!).document;
    const editor = vscode.window.visibleTextEditors.find((shown) => shown.document === document);
    assert.equal(editor?.document.getText(editor.selection), quote);
  },

  async 'why a hop was taken is shown as a page that nobody has to save'() {
    const { causeway } = (await extension()).exports;
    const hop = causeway.answer!.view.chains[0]!.hops[0]!;
    await vscode.commands.executeCommand('causeway.explainHop', { kind: 'hop', hop, parent: null });
    const labels = (): string[] =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    for (let tries = 0; tries < 300 && !labels().some((label) => /Why hop/.test(label)); tries++)
      await new Promise((resolve) => setTimeout(resolve, 100));
    assert.ok(
      labels().some((label) => /Why hop/.test(label)),
      labels().join(),
    );
    assert.ok(vscode.workspace.textDocuments.every(({ isDirty }) => !isDirty));
  },

  async 'the graph is exported as SVG, as PNG and as JSON'() {
    const { causeway, panel } = (await extension()).exports;
    const { view } = causeway.answer!;
    const { graphBytes } = await import('../../../client/export.ts');
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const svg = text(await graphBytes(view, panel, 'svg'));
    assert.match(svg, /^<svg [^>]*xmlns=/);
    assert.ok(svg.includes(view.chains[0]!.hops[0]!.cause.text.split(' ')[0]!));
    const png = await graphBytes(view, panel, 'png');
    assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    assert.deepEqual(
      JSON.parse(text(await graphBytes(view, panel, 'json'))),
      JSON.parse(JSON.stringify(view)),
    );
  },

  async 'a question that is stopped ends as cancelled'() {
    const { causeway } = (await extension()).exports;
    const asked = causeway.ask('Why did the harbourmaster resign?');
    causeway.cancel();
    assert.equal((await asked).kind, 'cancelled');
  },

  async 'settings out of bounds are brought within them'() {
    const { causeway } = (await extension()).exports;
    const settings = vscode.workspace.getConfiguration('causeway');
    await settings.update('ask.chains', 99, vscode.ConfigurationTarget.Global);
    try {
      const end = await causeway.ask(QUESTION);
      assert.equal(end.kind === 'answer' && end.answer.options.chains, 10);
    } finally {
      await settings.update('ask.chains', undefined, vscode.ConfigurationTarget.Global);
    }
  },

  async 'the report for a fault names no document and no question'() {
    await vscode.commands.executeCommand('causeway.copyDiagnostics');
    const { causeway } = (await extension()).exports;
    const { pid, memory, models } = await causeway.request('causeway/diagnostics', {});
    Object.assign(figures, {
      serverMemory: memory,
      hostMemory: process.memoryUsage().rss,
      serverPid: pid,
      modelsPid: models.pid,
    });
    const { diagnosticReport } = await import('../../../client/export.ts');
    const report = await diagnosticReport(causeway);
    assert.match(report, /"server"/);
    assert.doesNotMatch(report, /ferry|\.md|\.tex/);
  },

  async 'fifty questions leave no memory behind'() {
    if (!process.env['CAUSEWAY_FIGURES_LONG']) return;
    const { causeway } = (await extension()).exports;
    const memory = async (): Promise<number[]> => {
      const { memory: server } = await causeway.request('causeway/diagnostics', {});
      return [process.memoryUsage().rss, server];
    };
    for (let at = 0; at < 10; at++) await causeway.ask(`${QUESTION} ${at}`);
    const before = await memory();
    for (let at = 0; at < 50; at++) await causeway.ask(`${QUESTION} ${at}`);
    figures['memoryBefore'] = before;
    figures['memoryAfter'] = await memory();
  },
};

export async function run(): Promise<void> {
  const failed: string[] = [];
  const passed: string[] = [];
  const file = process.env['CAUSEWAY_FIGURES'];
  for (const [name, act] of Object.entries(tests)) {
    try {
      await act();
      passed.push(name);
      console.log(`ok: ${name}`);
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      console.error(`not ok: ${failed.at(-1)}`);
    }
    // After each, so that a test that hangs is known by the one before it.
    if (file) writeFileSync(file, JSON.stringify({ passed, failed, figures }, null, 2));
  }
  if (failed.length > 0) throw new Error(failed.join('\n'));
}
