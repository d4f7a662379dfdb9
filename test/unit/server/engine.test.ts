/** Hard inputs through all the rooms: a folder in memory, real readers, index, method and view; models of plain rules. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import type { SpanTriple } from '../../../models/protocol.ts';
import { printAnswer } from '../../../server/cli/print.ts';
import { Engine } from '../../../server/engine.ts';
import type { AnswerView, EvidenceView, LinkView } from '../../../server/protocol.ts';
import { DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../../server/sarg/options.ts';
import { decode } from '../../../server/workspace/encoding.ts';
import { locate } from '../../../server/workspace/places.ts';
import { FakeModels } from '../../server/fixtures/fake-models.ts';
import { MemoryFolder } from '../workspace/fakes.ts';

/** How a sentence says it: what stands first, the words between, whether the cause is first, whether it is denied. */
const RULES: readonly (readonly [RegExp, 'cause' | 'effect', negated?: true])[] = [
  [/^(.+?)( was caused by )(.+?)\.$/, 'effect'],
  [/^(.+?)( did not cause )(.+?)\.$/, 'cause', true],
  [/^(.+?)( caused )(.+?)\.$/, 'cause'],
  [/^(.+?)( because (?:of )?)(.+?)\.$/, 'effect'],
  [/^(.+?)(导致)(.+?)。$/u, 'cause'],
  [/^(.+?)(により)(.+?)。$/u, 'cause'],
];

class RuleModels extends FakeModels {
  override async tag(passages: readonly string[]): Promise<SpanTriple[][]> {
    return passages.map((passage) =>
      [...passage.matchAll(/\S[^.。\n]*[.。]/gu)].flatMap(({ 0: sentence, index }): SpanTriple[] => {
        for (const [rule, first, negated] of RULES) {
          const found = rule.exec(sentence);
          if (found === null) continue;
          const [before, words, after] = [found[1]!.length, found[2]!.length, found[3]!.length];
          const one = { start: index, end: index + before };
          const other = { start: index + before + words, end: index + before + words + after };
          const [cause, effect] = first === 'cause' ? [one, other] : [other, one];
          const relation = { start: one.end, end: other.start };
          return [
            { cause, effect, relation, type: 'causes', negated: !!negated, hedged: false, confidence: 0.9 },
          ];
        }
        return [];
      }),
    );
  }
}

interface Opened extends AsyncDisposable {
  readonly folder: MemoryFolder;
  readonly engine: Engine;
  ask(question: string, method?: 'causeway' | 'paper'): Promise<AnswerView>;
}

async function open(files: Readonly<Record<string, string | Uint8Array>>): Promise<Opened> {
  const folder = new MemoryFolder(files);
  const engine = await Engine.open({
    root: '/notes',
    indexPath: ':memory:',
    models: new RuleModels(),
    folder,
  });
  await engine.update({ extractAll: true });
  return {
    folder,
    engine,
    async ask(question, method = 'causeway') {
      const options = { ...(method === 'paper' ? PAPER_OPTIONS : DEFAULT_OPTIONS), answerAbove: 0 };
      return engine.view(await engine.ask(question, options));
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

const edge = ({ cause, effect }: Pick<LinkView, 'cause' | 'effect'>): string =>
  `${cause.text} > ${effect.text}`;
const place = ({ file, range: { start, end } }: EvidenceView): string =>
  `${file}:${start.line}:${start.character}-${end.line}:${end.character}`;

describe('"Zinc shortage caused apple rot." and its passive, whose effect sorts first', () => {
  for (const [form, text] of [
    ['active', 'Zinc shortage caused apple rot.'],
    ['passive', 'Apple rot was caused by zinc shortage.'],
  ] as const) {
    test(`${form}: cause to effect in the index, the view, the prompt, the answer and the printed page`, async () => {
      await using notes = await open({ 'orchard.md': `${text}\n` });
      const triples = await notes.engine.triples();
      assert.deepEqual(
        triples.map(({ cause, effect }) => `${cause.text} > ${effect.text}`.toLowerCase()),
        ['zinc shortage > apple rot'],
      );
      for (const method of ['causeway', 'paper'] as const) {
        const view = await notes.ask('Why was there apple rot?', method);
        assert.deepEqual(view.links.map(edge).join().toLowerCase(), 'zinc shortage > apple rot');
        assert.deepEqual(
          view.chains.map(({ hops }) => hops.map(edge).join().toLowerCase()),
          ['zinc shortage > apple rot'],
        );
        assert.match(view.context, /⟨1:zinc shortage⟩/i);
        assert.match(view.context, /⟪1:apple rot⟫/i);
        const page = printAnswer(view, '/notes').split('\n');
        const chain = page.find((line) => line.startsWith('Chain 1'))!;
        const hop = page.find((line) => line.includes('[1]'))!;
        for (const line of [chain, hop])
          assert.ok(line.search(/zinc shortage/i) < line.search(/apple rot/i), line);
        assert.match(view.answer.text, /^zinc shortage leads to apple rot \[1\]/i);
      }
    });
  }
});

describe('the same text in every encoding', () => {
  const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
    utf8: (text) => Buffer.from(text),
    'utf8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
    utf16le: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    utf16be: (text) => iconv.encode(text, 'utf16-be', { addBOM: true }),
    'utf16le without a mark': (text) => Buffer.from(text, 'utf16le'),
  };
  const texts: Readonly<Record<string, readonly [legacy: string, text: string]>> = {
    western: [
      'windows-1252',
      'Café notes – “Tuesday”.\r\n\r\nThe café’s flood was caused by frost in the pipe.\r\n',
    ],
    Chinese: ['gbk', '泵房记录。\n\n管道里的霜冻导致水泵停止运行。\n'],
    Japanese: ['shift_jis', 'ポンプの記録です。\n\nケーブルのこおりによりポンプがとまった。\n'],
  };
  for (const [language, [legacy, text]] of Object.entries(texts)) {
    test(`${language}: the same links, at the same places, with the words that stand there`, async () => {
      const files = Object.fromEntries([
        ...Object.entries(encodings).map(([name, encode]) => [`${name}.txt`, encode(text)] as const),
        [`${legacy}.txt`, iconv.encode(text, legacy)] as const,
      ]);
      await using notes = await open(files);
      assert.deepEqual(
        [...notes.engine.files().values()].filter(({ state }) => state !== 'indexed'),
        [],
      );
      const found = new Map<string, string[]>();
      const { triples, resolution } = await notes.engine.concepts();
      assert.equal(resolution.concepts.length, 2, 'one concept each, however the file was written');
      for (const { passage, cause, effect, evidence } of triples) {
        const places = [cause.span, effect.span, evidence].map((span) => locate(passage, span));
        const source = decode(files[passage.file]!).text;
        for (const {
          offsets: { start, end },
          quote,
        } of places)
          assert.equal(source.slice(start, end), quote);
        assert.equal(places[0]!.quote, cause.text);
        found.set(
          passage.file,
          places.map(({ offsets, range }) => JSON.stringify([offsets, range])),
        );
      }
      assert.equal(found.size, 6, 'one link in each file');
      assert.equal(new Set([...found.values()].map((places) => places.join())).size, 1);
    });
  }

  test('a binary that is named .txt is listed with its reason, and the rest is answered from', async () => {
    const picture = Uint8Array.from({ length: 900 }, (_, at) => (at * 73) % 256);
    await using notes = await open({
      'frost.md': 'The pump stopped because of frost.\n',
      'photo.txt': picture,
    });
    const { state, reason } = notes.engine.files().get('photo.txt')!;
    assert.equal(state, 'failed');
    assert.match(reason!, /not text/);
    assert.equal((await notes.ask('Why did the pump stop?')).answer.kind, 'composed');
  });
});

test('a cause that was edited away is in no answer: only the new edge, at its place', async () => {
  await using notes = await open({ 'log.md': '# Log\n\nThe outage began because of frost.\n' });
  assert.deepEqual((await notes.ask('Why did the outage begin?')).links.map(edge), [
    'frost > The outage began',
  ]);
  notes.folder.write('log.md', '# Log\n\nNew.\n\nThe outage began because of a broken relay.\n');
  await notes.engine.update({ extractAll: true });
  const view = await notes.ask('Why did the outage begin?');
  assert.deepEqual(view.links.map(edge), ['a broken relay > The outage began']);
  assert.equal(place(view.links[0]!.evidence), 'log.md:4:0-4:43');
  assert.ok(!JSON.stringify(view).includes('frost'));
});

test('what the documents deny is shown as denied and is on no chain', async () => {
  await using notes = await open({
    'audit.md': 'The valve did not cause the leak. The leak was caused by a cracked seal.\n',
  });
  const view = await notes.ask('What caused the leak?');
  assert.ok(view.links.some(({ negated, cause }) => negated && cause.text === 'The valve'));
  assert.deepEqual(
    view.chains.map(({ hops }) => hops.map(edge).join()),
    ['a cracked seal > The leak'],
  );
  assert.match(
    printAnswer(view, '/notes'),
    /Denied in the documents[\s\S]*The valve .*⇏ the leak \(denied\)/,
  );
});

test('"A causes B. B causes C. C causes A." and "A causes A" end, with no concept and no chain twice', async () => {
  await using notes = await open({
    'ring.md': 'Debt caused worry. Worry caused illness. Illness caused debt. Debt caused debt.\n',
  });
  for (const method of ['causeway', 'paper'] as const)
    for (const question of ['Why is there illness?', 'What does debt cause?']) {
      const { chains } = await notes.ask(question, method);
      assert.ok(chains.length > 0);
      const told = chains.map(({ hops }) => [
        hops[0]!.cause.concept,
        ...hops.map((hop) => hop.effect.concept),
      ]);
      for (const chain of told) assert.equal(new Set(chain).size, chain.length, 'no concept twice');
      const names = told.map((chain) => `,${chain.join()},`);
      assert.equal(new Set(names).size, names.length);
    }
});

test('folders with nothing to say are no fault: a short note, an empty file, headings only', async () => {
  await using notes = await open({
    'note.md': 'Call Jana about the old pump',
    'empty.md': '',
    'plan.md': '# One\n\n## Two\n',
  });
  const view = await notes.ask('Why did the pump stop?');
  assert.equal(view.answer.kind, 'none');
  assert.deepEqual([view.links, view.chains], [[], []]);
  assert.match(printAnswer(view, '/notes'), /No causal statements found/);
});

test('a file that may not be read is listed with the reason, and the rest is read', {
  skip: process.getuid?.() === 0 && 'the superuser may read everything',
}, async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-engine-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'open.md'), 'The pump stopped because of frost.\n');
  writeFileSync(join(root, 'shut.md'), 'The dog woke because of rain.\n', { mode: 0 });
  await using engine = await Engine.open({ root, indexPath: ':memory:', models: new RuleModels() });
  const { failed, passages } = await engine.update();
  assert.deepEqual([failed, passages], [[{ file: 'shut.md', reason: 'no permission to read the file' }], 1]);
});

test('a folder that is gone is named, with the reason, and its index stays', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'causeway-engine-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'a.md'), 'The pump stopped because of frost.\n');
  await using engine = await Engine.open({ root, indexPath: ':memory:', models: new RuleModels() });
  await engine.update();
  rmSync(root, { recursive: true });
  await assert.rejects(engine.update(), (error: Error) => {
    assert.equal(error.name, 'FolderError');
    assert.ok(error.message.includes(root) && error.message.includes('is gone'), error.message);
    return true;
  });
  assert.equal(engine.counts().passages, 1);
});
