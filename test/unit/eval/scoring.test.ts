import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { AnswerView } from '../../../server/protocol.ts';
import { FIGURES, meanScores, scoreAnswer } from '../../eval/scoring.ts';
import { type GoldQuestion, loadWorkspace } from '../../eval/workspaces.ts';

const EVAL = path.join(import.meta.dirname, '..', '..', 'eval');
const python = spawnSync('python3', ['--version']).status === 0;

/** An answer made from the gold, spoiled more the higher the number: what a scorer meets. */
function answerFrom(question: GoldQuestion, spoil: number): AnswerView {
  const wording = (node: string): string => {
    const found = [question.chain ?? [], ...(question.chains ?? [])]
      .flat()
      .find((entry) => entry.node === node);
    return found?.aliases[spoil % Math.max(found.aliases.length, 1)] ?? node;
  };
  const links = question.edges.map((edge, id) => {
    const [cause, effect] = id % 5 === spoil ? [edge.effect, edge.cause] : [edge.cause, edge.effect];
    return {
      id,
      cause: { text: wording(cause) },
      relation: { text: 'led to' },
      effect: { text: wording(effect) },
      type: 'causes',
      negated: id % 7 === spoil,
      hedged: false,
      evidence: { file: id % 4 === spoil ? 'docs/other.md' : edge.doc, quote: edge.quote },
    };
  });
  const kept = links.filter((_, at) => at % 3 !== spoil);
  return {
    question: question.question,
    direction: { label: spoil % 2 === 0 ? question.direction : 'forward' },
    retrieved: question.edges.map((edge) => ({ file: edge.doc, text: `${edge.quote} and some more` })),
    links,
    chains: [
      { score: 1, hops: kept },
      { score: 0.5, hops: links.slice(0, 1) },
    ],
    context: question.edges.map((edge) => edge.quote).join('\n'),
    answer: { kind: spoil === 1 ? 'none' : 'composed', text: question.answer },
  } as unknown as AnswerView;
}

test('the figures are those of score.py, to the third digit', {
  skip: python ? false : 'python3 is not installed',
}, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-scoring-'));
  try {
    for (const name of ['gaucher', 'real-operations']) {
      const { root, questions } = loadWorkspace(path.join(EVAL, 'workspaces', name));
      for (const spoil of [0, 1, 2]) {
        const answers = questions.map((question) => answerFrom(question, spoil));
        const file = path.join(folder, 'answers.jsonl');
        writeFileSync(file, answers.map((answer) => JSON.stringify(answer)).join('\n'));
        const line = execFileSync('python3', [path.join(EVAL, 'score.py'), root, file], {
          encoding: 'utf8',
        }).trim();
        const mean = meanScores(questions.map((question, at) => scoreAnswer(question, answers[at]!)));
        const ours = FIGURES.filter((figure) => figure in mean).map(
          (figure) => `${figure}=${mean[figure]!.toFixed(3)}`,
        );
        assert.equal(ours.join(' '), line);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('gold chains score 1 on links, chains and paths', () => {
  const { questions } = loadWorkspace(path.join(EVAL, 'workspaces', 'bitcoin'));
  const rows = questions.map((question) => {
    const answer = answerFrom(question, 99);
    const links = answer.links.map((link, at) => ({
      ...link,
      negated: false,
      cause: { ...link.cause, text: question.edges[at]!.cause },
      effect: { ...link.effect, text: question.edges[at]!.effect },
    }));
    const chains = (question.chains ?? [question.chain ?? []]).map((chain) => ({
      score: 1,
      parts: {},
      hops: chain
        .slice(1)
        .flatMap((node, at) =>
          links.filter(
            (_, index) =>
              question.edges[index]!.cause === chain[at]!.node && question.edges[index]!.effect === node.node,
          ),
        ),
    }));
    return scoreAnswer(question, { ...answer, links, chains } as unknown as AnswerView);
  });
  const mean = meanScores(rows);
  assert.deepEqual([mean['links'], mean['chains@3'], mean['path@3']], [1, 1, 1]);
});
