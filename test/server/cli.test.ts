import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { SpanTriple } from '../../models/protocol.ts';
import type { AnswerView, LinkView } from '../../server/protocol.ts';
import { type CliRun, type CliSettings, causeway } from './fixtures/cli.ts';

/** Only against hanging, so that a busy machine does not fail a test. */
const LIMIT = 600_000;
/** What a terminal would act on, line ends aside. */
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const root = mkdtempSync(join(tmpdir(), 'causeway-cli-'));
after(() => rmSync(root, { recursive: true, force: true }));
const cache = join(root, 'cache');

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(root, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const run = (args: readonly string[], settings: CliSettings = {}): Promise<CliRun> =>
  causeway(args, { cwd: root, ...settings, env: { CAUSEWAY_CACHE: cache, ...settings.env } });

const TAG = '<img src=x onerror=alert(1)>.md';
const ESCAPES = 'bad\u001b]0;owned\u0007name.txt';
const STORY = folder('story', {
  'bell.md': '# Evening\n\nThe bell rang because the door opened.\n',
  'dog.md': '# Night\n\nThe dog woke because the bell rang.\n',
  [TAG]: '# Tags\n\nThe <b>lamp</b> broke because the &lt;script&gt; ran.\n',
  'signs.txt': 'The signal failed \u001b[31m because the relay \u009b2J burnt \u202eout.\n',
  [ESCAPES]: '\u0000\u0001\u0002\u0000PNG\u0000\u0000',
});
const QUESTIONS = ['Why did the dog wake?', 'What made the signal fail?', 'Why did the lamp break?'];
writeFileSync(
  join(root, 'questions.jsonl'),
  `\ufeff${QUESTIONS.map((question) => JSON.stringify({ question, id: 'x' })).join('\r\n')}\r\n\r\n`,
);

/** Every text of a JSON value. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object')
    for (const own of Object.values(value)) yield* textsOf(own);
}

function checkLink(link: LinkView): void {
  for (const end of ['cause', 'effect', 'relation'] as const) assert.equal(typeof link[end].text, 'string');
  assert.equal(typeof link.type, 'string');
  assert.equal(typeof link.negated, 'boolean');
  assert.equal(typeof link.hedged, 'boolean');
  const { evidence } = link;
  assert.equal(typeof evidence.file, 'string');
  assert.equal(typeof evidence.quote, 'string');
  for (const side of ['start', 'end'] as const) {
    assert.ok(
      Number.isInteger(evidence.range[side].line) && Number.isInteger(evidence.range[side].character),
    );
    assert.ok(Number.isInteger(evidence.offsets[side]));
  }
}

test('--questions --json gives one answer a line in the order asked, with every key that score.py reads', {
  timeout: LIMIT,
}, async () => {
  const { code, stdout, stderr } = await run(['ask', '--questions', 'questions.jsonl', '--json', STORY]);
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith('\n'));
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AnswerView);
  assert.deepEqual(
    answers.map((answer) => answer.question),
    QUESTIONS,
  );
  for (const answer of answers) {
    assert.match(answer.direction.label, /^(forward|backward|bidirectional)$/);
    assert.ok(answer.retrieved.length > 0);
    for (const passage of answer.retrieved) {
      assert.equal(typeof passage.file, 'string');
      assert.equal(typeof passage.text, 'string');
    }
    assert.ok(answer.links.length > 0);
    for (const link of answer.links) checkLink(link);
    for (const chain of answer.chains) {
      assert.equal(typeof chain.score, 'number');
      assert.ok(chain.hops.length > 0);
      for (const hop of chain.hops) checkLink(hop);
    }
    assert.equal(typeof answer.context, 'string');
    assert.match(answer.answer.kind, /^(composed|none)$/);
    assert.equal(typeof answer.answer.text, 'string');
    for (const name of [
      'passagesRead',
      'passagesExtracted',
      'triplesExtracted',
      'triplesFromCache',
      'concepts',
      'links',
      'expansions',
    ] as const) {
      assert.ok(Number.isInteger(answer.counts[name]), name);
    }
    for (const model of ['embedder', 'direction', 'extractor'] as const) {
      assert.ok(answer.models[model].name && answer.models[model].version, model);
    }
    assert.ok(Object.values(answer.timings).every((time) => time >= 0));
  }
  assert.equal(answers[1]!.counts.passagesExtracted, 0, 'the second question reads no passage again');

  // Names and words are data: they stand in the JSON as they are, and nothing in it acts on a terminal.
  assert.doesNotMatch(stdout, ACTIVE);
  const texts = new Set(textsOf(answers));
  assert.ok(texts.has(TAG));
  assert.ok([...texts].some((text) => text.includes('failed \u001b[31m because the relay \u009b2J')));

  // What could not be read is told on standard error alone, harmlessly.
  assert.match(stderr, /^not read: bad\]0;ownedname\.txt: /);
  assert.doesNotMatch(stderr, ACTIVE);

  // The index is in the cache, none in the folder of the documents.
  assert.ok(
    readdirSync(cache).some((name) => /^story-[0-9a-f]{16}\.sqlite$/.test(name)),
    readdirSync(cache).join(),
  );
  assert.equal(readdirSync(STORY).length, 5);
});

test('an answer as text: chains with file, line and words; exit code 0; nothing on standard error when quiet', {
  timeout: LIMIT,
}, async () => {
  const { code, stdout, stderr } = await run(['ask', QUESTIONS[0]!, STORY, '--force-answer', '--quiet']);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  assert.match(stdout, /dog\.md:3:1 “The dog woke because the bell rang\.”/);
  assert.match(stdout, /bell\.md:3:1 “The bell rang because the door opened\.”/);
  assert.doesNotMatch(stdout, ACTIVE);
});

test('control characters and tags of documents are printed as harmless text', {
  timeout: LIMIT,
}, async () => {
  const { code, stdout } = await run([
    'explain',
    QUESTIONS[1]!,
    STORY,
    '--force-answer',
    '--hops',
    '1',
    '--top',
    '9',
  ]);
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, ACTIVE);
  assert.match(stdout, /signs\.txt:1:1 “The signal failed \[31m because the relay 2J burnt out\.”/);
});

test('a reader that goes away ends the command quietly', { timeout: LIMIT }, async () => {
  const { code, stderr } = await run(['graph', STORY, '--quiet'], { deaf: true });
  assert.deepEqual([code, stderr], [0, '']);
});

test('a folder without causal statements: the index says so, and the documents do not say', {
  timeout: LIMIT,
}, async () => {
  const thin = folder('thin', {
    'note.md': 'The pump is old and green.',
    'empty.txt': '',
    'heads.md': '# One\n\n## Two\n',
  });
  const indexed = await run(['index', thin]);
  assert.equal(indexed.code, 0, indexed.stderr);
  assert.match(indexed.stdout, /: 3 files read, 1 passage \(3 files new or changed, 0 gone\)\./);
  assert.match(indexed.stdout, /No causal statements found in 3 files\.\n$/);
  const asked = await run(['ask', 'Why did the pump fail?', thin]);
  assert.equal(asked.code, 3, asked.stderr);
  assert.match(asked.stdout, /Your documents do not say/);
  assert.match(asked.stdout, /note\.md:1:1: “The pump is old and green\.”/);
  assert.match(asked.stdout, /No causal statements found/);
});

test('an empty folder: the documents do not say, and what can be read is told', {
  timeout: LIMIT,
}, async () => {
  const { code, stdout, stderr } = await run(['ask', 'Why?', folder('empty', {}), '--index', ':memory:']);
  assert.equal(code, 3, stderr);
  assert.match(stdout, /Your documents do not say\. Nothing in them comes near the question\./);
  assert.match(stderr, /No readable text in .*empty\. Causeway reads \.md/);
});

test('wrong usage is exit code 2, with what was wrong on standard error', { timeout: LIMIT }, async () => {
  for (const [args, said] of [
    [['constructor'], /no command "constructor"/],
    [['ask', 'Why?', STORY, '--frob'], /--frob/],
    [['ask', 'Why?', `${root}/\u001b[2Jx`], /There is no folder .*\[2Jx/],
  ] as const) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, ACTIVE);
  }
  const { code, stdout } = await run([]);
  assert.equal(code, 2);
  assert.match(stdout, /^causeway: asks a folder/);
});

test('help is exit code 0, of a command too', { timeout: LIMIT }, async () => {
  for (const args of [['--help'], ['ask', '-h']]) {
    const { code, stdout } = await run(args);
    assert.equal(code, 0);
    assert.match(stdout, /^causeway: asks a folder[\s\S]*Exit codes: 0 answered, 3/);
  }
});

test('a fault is exit code 1, with its reason', { timeout: LIMIT }, async () => {
  const { code, stdout, stderr } = await run([
    'index',
    STORY,
    '--index',
    join(STORY, 'dog.md', 'index.sqlite'),
  ]);
  assert.deepEqual([code, stdout], [1, ''], stderr);
  assert.match(stderr, /^causeway: .*index\.sqlite/);
});

test('the models are listed with versions and licences, each whole', { timeout: LIMIT }, async () => {
  const { code, stdout } = await run(['models', '--json']);
  assert.equal(code, 0, stdout);
  const rows = JSON.parse(stdout) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map((row) => row['role']),
    ['embedder', 'tagger', 'direction'],
  );
  for (const row of rows)
    assert.ok(row['name'] && row['version'] && row['licence'] && row['problem'] === null);
});

test('extract reads records in order, spans are places in their text', { timeout: LIMIT }, async () => {
  const texts = ['The bell rang because the door opened.', '', 'Nothing here.'];
  const input = texts.map((text, id) => JSON.stringify({ id: `t${id}`, text })).join('\n');
  const { code, stdout, stderr } = await run(['extract', '--jsonl'], { input });
  assert.equal(code, 0, stderr);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; triples: SpanTriple[] });
  assert.deepEqual(
    rows.map((row) => row.id),
    ['t0', 't1', 't2'],
  );
  const [triple] = rows[0]!.triples;
  const words = (span: { start: number; end: number }) => texts[0]!.slice(span.start, span.end);
  assert.match(words(triple!.cause), /door opened/);
  assert.match(words(triple!.effect), /bell rang/);
  assert.deepEqual([rows[1]!.triples, rows[2]!.triples], [[], []]);
});

test('extract leaves out links of less confidence than asked for', { timeout: LIMIT }, async () => {
  const text = 'The bell rang because the door opened. The dog, it seems, may have woken from that.';
  const confidences = async (...options: string[]) => {
    const input = JSON.stringify({ id: 'a', text });
    const { code, stdout, stderr } = await run(['extract', '--jsonl', ...options], { input });
    assert.equal(code, 0, stderr);
    return (JSON.parse(stdout) as { triples: SpanTriple[] }).triples.map((triple) => triple.confidence);
  };
  const all = await confidences('--min-confidence', '0');
  assert.ok(all.length > 0);
  const most = Math.max(...all);
  assert.deepEqual(
    await confidences('--min-confidence', String(most)),
    all.filter((value) => value >= most),
  );
  assert.deepEqual(await confidences('--min-confidence', '1'), []);
});

test('a line of the input that is no record is named', { timeout: LIMIT }, async () => {
  for (const [input, said] of [
    ['\n{oops\n', /Standard input, line 2: not JSON/],
    ['null\n', /line 1: no "query"/],
    ['{"query": 3}\n', /line 1: no "query"/],
  ] as const) {
    const { code, stderr } = await run(['direct', '--jsonl'], { input, open: true });
    assert.equal(code, 2, stderr);
    assert.match(stderr, said);
  }
});

test('an interrupt ends a command that waits for input', { timeout: LIMIT }, async () => {
  // A whole group of lines, so that they are answered while more could come.
  const input = '{"query": "Why did the dog wake?"}\n'.repeat(64);
  const { code, stdout, stderr } = await run(['direct', '--jsonl'], {
    input,
    open: true,
    interrupt: true,
  });
  assert.equal(code, 1);
  assert.match(stderr, /^causeway: stopped/);
  const first = JSON.parse(stdout.split('\n')[0]!) as {
    query: string;
    label: string;
    scores: Record<string, number>;
  };
  assert.equal(first.query, 'Why did the dog wake?');
  assert.equal(first.label, 'backward');
  assert.ok(Math.abs(Object.values(first.scores).reduce((sum, score) => sum + score, 0) - 1) < 1e-6);
});
