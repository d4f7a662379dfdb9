import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AskOptions, DEFAULT_OPTIONS, PAPER_OPTIONS } from '../../../server/sarg/options.ts';
import { type Answered, ask, type Progress, type Sources } from '../../../server/sarg/pipeline.ts';
import type { Triple } from '../../../server/sarg/types.ts';
import { marked, memorySources, namesOf, passageOf, tripleOf } from './fakes.ts';

const DOOR = marked('«The bell rang» because ‹the door opened›.', { file: 'bell.md' });
const BELL = marked('«The dog woke» because ‹the bell rang›.', { file: 'dog.md' });
const QUESTION = 'Why did the dog wake?';
/** Answers wherever there is a chain: what the verdict weighs is not what is tested here. */
const ANYWAY: AskOptions = { ...DEFAULT_OPTIONS, answerAbove: 0 };
const PAPER: AskOptions = { ...PAPER_OPTIONS, threshold: 0.3 };

function chainsOf(answered: Answered): string[] {
  return answered.chains.map((chain) => namesOf(answered.graph, chain.hops).join(' > ').toLowerCase());
}

test('"Why did the dog wake?" is two hops over two files, both cited', async () => {
  const answered = await ask(QUESTION, memorySources([DOOR, BELL]), PAPER);
  assert.deepEqual(chainsOf(answered), ['the door opened > the bell rang > the dog woke']);
  const files = answered.chains[0]!.hops.map((hop) => answered.graph.links[hop.link]!.triple.passage.file);
  assert.deepEqual(files, ['bell.md', 'dog.md']);
  assert.equal(answered.answer.kind, 'composed');
  assert.deepEqual(
    answered.answer.sentences.flatMap((sentence) => sentence.cites),
    [1, 2],
  );
  assert.match(answered.context, /^\[1\] ⟪1:The bell rang⟫ because ⟨1:the door opened⟩\.\n\[2\]/);
});

for (const [name, options] of [
  ['causeway', ANYWAY],
  ['paper', PAPER],
] as const) {
  test(`${name}: no chain is shown twice, and the hops cited are those shown`, async () => {
    const answered = await ask(QUESTION, memorySources([DOOR, BELL]), options);
    assert.ok(answered.chains.length > 0);
    const paths = answered.chains.map((chain) => chain.hops.map((hop) => hop.link).join());
    assert.equal(new Set(paths).size, paths.length);
    const hops = answered.chains.flatMap((chain) => chain.hops).length;
    for (const cite of answered.answer.sentences.flatMap((sentence) => sentence.cites))
      assert.ok(cite >= 1 && cite <= hops);
  });

  test(`${name}: a denied link is in the graph and in no chain`, async () => {
    const denied = marked('The audit found no link between ‹the new valve› and «the dog woke».', {
      file: 'audit.md',
      negated: true,
    });
    const answered = await ask(QUESTION, memorySources([DOOR, BELL, denied]), options);
    assert.ok(answered.graph.links.some((link) => link.triple.negated));
    for (const chain of answered.chains)
      assert.ok(chain.hops.every((hop) => !answered.graph.links[hop.link]!.triple.negated));
  });

  test(`${name}: circles give finite chains without a concept twice`, async () => {
    const circle = [
      tripleOf('dog wakes', 'bell rings'),
      tripleOf('bell rings', 'door opens'),
      tripleOf('door opens', 'dog wakes'),
    ].map(
      (triple, at): Triple => ({
        ...triple,
        passage: { ...triple.passage, id: `circle#${at}` as Triple['passage']['id'] },
      }),
    );
    const answered = await ask(QUESTION, memorySources(circle), options);
    assert.ok(answered.chains.length > 0);
    for (const chain of answered.chains) {
      const passed = namesOf(answered.graph, chain.hops);
      assert.equal(new Set(passed).size, passed.length);
    }
  });

  test(`${name}: the same question twice gives the same answer`, async () => {
    const run = async () => {
      const { chains, answer, context, counts } = await ask(QUESTION, memorySources([BELL, DOOR]), options);
      return { chains, answer, context, counts };
    };
    assert.deepEqual(await run(), await run());
  });

  for (const [what, triples, extra] of [
    [
      'documents without causal statements',
      [],
      [passageOf('The dog is brown.', 'dog.md'), passageOf('Bells are loud.', 'bell.md')],
    ],
    ['no documents', [], []],
  ] as const) {
    test(`${name}: ${what}: the documents do not say`, async () => {
      const answered = await ask(QUESTION, memorySources(triples, { extra }), options);
      assert.equal(answered.answer.kind, 'none');
      assert.equal(answered.answer.confidence, 0);
      assert.deepEqual(answered.chains, []);
      assert.match(answered.answer.text, extra.length > 0 ? /dog\.md/ : /Nothing in them comes near/);
    });
  }

  test(`${name}: nothing but a denial: the documents do not say`, async () => {
    const denied = marked('‹The door› did not wake «the dog».', { negated: true });
    const answered = await ask(QUESTION, memorySources([denied]), options);
    assert.equal(answered.answer.kind, 'none');
    assert.deepEqual(answered.chains, []);
    assert.equal(answered.graph.links.length, 1);
  });
}

test('where the probability is too low, the chains stay and the answer is that the documents do not say', async () => {
  const answered = await ask(QUESTION, memorySources([DOOR, BELL]), { ...ANYWAY, answerAbove: 1.01 });
  assert.equal(answered.answer.kind, 'none');
  assert.ok(answered.chains.length > 0);
});

test('progress comes in the order of the steps', async () => {
  const kinds: Progress['kind'][] = [];
  await ask(QUESTION, memorySources([DOOR, BELL]), ANYWAY, undefined, (progress) =>
    kinds.push(progress.kind),
  );
  assert.deepEqual(kinds, ['passages', 'direction', 'triples', 'graph', 'chains']);
});

/** Passages enough that the first retrieval leaves some over. */
const MANY = Array.from({ length: 12 }, (_, at) =>
  tripleOf(at === 0 ? 'dog waking' : `thing${at} starting`, `thing${at + 1} starting`, {
    file: `many${at}.md`,
  }),
);

test('a second round reads passages for the concepts reached, and says so', async () => {
  const sources = memorySources(MANY);
  const rounds: number[] = [];
  const options = { ...ANYWAY, passages: 3, morePassages: 2, rounds: 1 };
  const answered = await ask('What follows from the dog waking?', sources, options, undefined, (progress) => {
    if (progress.kind === 'triples') rounds.push(progress.round);
  });
  assert.deepEqual(rounds, [0, 1]);
  assert.deepEqual(
    sources.calls.filter((call) => call !== 'direct'),
    ['retrieve', 'triples', 'mentioning', 'triples'],
  );
  assert.deepEqual(
    answered.retrieved.map((entry) => entry.round),
    [0, 0, 0, 1, 1],
  );
  assert.equal(new Set(answered.retrieved.map((entry) => entry.passage.id)).size, 5);
  assert.equal(answered.counts.rounds, 1);
});

test('no second round without room, without rounds, or without a link', async () => {
  for (const options of [
    { ...ANYWAY, passages: 3, morePassages: 0 },
    { ...ANYWAY, passages: 3, rounds: 0 },
    { ...PAPER, passages: 3 },
  ]) {
    const sources = memorySources(MANY);
    const answered = await ask('What follows from the dog waking?', sources, options);
    assert.ok(!sources.calls.includes('mentioning'));
    assert.equal(answered.counts.rounds, 0);
  }
  const sources = memorySources([], { extra: MANY.map((triple) => triple.passage) });
  await ask('What follows from the dog waking?', sources, { ...ANYWAY, passages: 3 });
  assert.ok(!sources.calls.includes('mentioning'));
});

test('counts tell passages read and failed, triples read now and known, concepts, links and expansions', async () => {
  const sources = memorySources([DOOR, BELL], { failing: 1, extra: [passageOf('The cat slept.', 'cat.md')] });
  const first = await ask(QUESTION, sources, ANYWAY);
  assert.deepEqual(
    { ...first.counts, expansions: 0 },
    {
      passagesRead: 3,
      passagesExtracted: 3,
      passagesFailed: 1,
      triplesExtracted: 2,
      triplesFromCache: 0,
      concepts: 3,
      links: 2,
      expansions: 0,
      rounds: 0,
    },
  );
  assert.ok(first.counts.expansions > 0);
  const again = await ask(QUESTION, sources, ANYWAY);
  const { passagesExtracted, triplesExtracted, triplesFromCache } = again.counts;
  assert.deepEqual([passagesExtracted, triplesExtracted, triplesFromCache], [0, 0, 2]);
});

test('every step has its time', async () => {
  const { timings } = await ask(QUESTION, memorySources([DOOR, BELL]), ANYWAY);
  for (const step of [
    'retrieve',
    'direct',
    'match',
    'extract',
    'resolve',
    'build',
    'traverse',
    'compile',
    'answer',
  ]) {
    assert.ok(timings[step]! >= 0, step);
  }
});

test('doubtful triples are left out below the confidence asked', async () => {
  const doubtful = { ...DOOR, confidence: 0.2 };
  const answered = await ask(QUESTION, memorySources([doubtful, BELL]), { ...ANYWAY, minConfidence: 0.5 });
  assert.equal(answered.graph.links.length, 1);
});

/** The sources with one call that does something before it answers. */
function disturbed(step: string, before: () => void): Sources {
  const sources = memorySources(MANY);
  const wrap =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      if (name === step) before();
      return call(...args);
    };
  let embeds = 0;
  return {
    ...sources,
    retriever: {
      retrieve: wrap('retrieve', (...args) => sources.retriever.retrieve(...args)),
      mentioning: wrap('mentioning', (...args) => sources.retriever.mentioning(...args)),
    },
    triples: { triples: wrap('triples', (...args) => sources.triples.triples(...args)) },
    director: { direct: wrap('direct', (...args) => sources.director.direct(...args)) },
    embedder: {
      dimensions: sources.embedder.dimensions,
      embed: (texts) => {
        embeds++;
        if (step === `embed ${embeds}`) before();
        return sources.embedder.embed(texts);
      },
    },
  };
}

test('cancelled in any step, a question rejects with the reason and goes no further', async () => {
  for (const step of [
    'retrieve',
    'direct',
    'triples',
    'mentioning',
    'embed 1',
    'embed 2',
    'embed 3',
    'embed 4',
  ]) {
    const controller = new AbortController();
    const reason = new Error(`stopped in ${step}`);
    let reached = false;
    const sources = disturbed(step, () => {
      reached = true;
      controller.abort(reason);
    });
    const after: string[] = [];
    const options = { ...ANYWAY, passages: 3, morePassages: 2 };
    await assert.rejects(
      ask('What follows from the dog waking?', sources, options, controller.signal, (progress) => {
        if (controller.signal.aborted) after.push(progress.kind);
      }),
      reason,
    );
    assert.ok(reached, step);
    assert.deepEqual(after, [], step);
  }
});

test('a fault of a source is the fault of the question', async () => {
  for (const step of ['retrieve', 'direct', 'triples', 'embed 1']) {
    const fault = new Error(`broken ${step}`);
    await assert.rejects(
      ask(
        QUESTION,
        disturbed(step, () => {
          throw fault;
        }),
        ANYWAY,
      ),
      fault,
    );
  }
});
