/**
 * `npm run bench:large [-- PASSAGES]`: what a warm question costs over a large folder, step by step, at a quarter of
 * its passages and at all of them (10,000 unless said). The folder is made of the evaluation folders' own sentences with
 * words exchanged between them; its models need no weights, since what is measured is what lies around them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Models } from '../../models/client.ts';
import type { Direction, ModelsInfo, SpanTriple } from '../../models/protocol.ts';
import { Engine } from '../../server/engine.ts';
import { DEFAULT_OPTIONS } from '../../server/sarg/options.ts';
import type { FileInFolder, Folder } from '../../server/workspace/folder.ts';
import { allWorkspaces } from '../eval/workspaces.ts';
import { random, unitVector } from './synthetic.ts';

const DIMENSIONS = 384;
const SENTENCES_A_PASSAGE = 8;
const PASSAGES_A_FILE = 40;
/** One word in so many is exchanged for another. */
const EXCHANGED = 5;
const QUESTIONS = 12;
const RUNS = 3;

/** Every sentence of the evaluation folders' Markdown and plain text. */
function realSentences(): string[] {
  return allWorkspaces().flatMap(({ root }) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|txt)$/.test(file))
      .sort()
      .flatMap(
        (file) => readFileSync(path.join(root, file), 'utf8').match(/\p{Lu}[^.!?\n|#<>*`]{30,300}\./gu) ?? [],
      ),
  );
}

/** Files of passages in memory, each sentence a real one with some words of others. */
class LargeFolder implements Folder {
  readonly #files = new Map<string, Uint8Array>();
  readonly #next = random(3);
  readonly #sentences = realSentences();
  readonly #words = this.#sentences.flatMap((sentence) => sentence.match(/\p{Ll}{4,}/gu) ?? []);

  grow(passages: number): void {
    for (let file = this.#files.size; file * PASSAGES_A_FILE < passages; file++) {
      const paragraphs = Array.from({ length: PASSAGES_A_FILE }, (_, at) => {
        const sentences = Array.from({ length: SENTENCES_A_PASSAGE }, () => this.#sentence());
        return `## Part ${at}\n\n${sentences.join(' ')}`;
      });
      this.#files.set(`${file}.md`, Buffer.from(`# File ${file}\n\n${paragraphs.join('\n\n')}\n`));
    }
  }

  #sentence(): string {
    return this.#one(this.#sentences).replace(/\p{Ll}{4,}/gu, (word) =>
      this.#next() * EXCHANGED < 1 ? this.#one(this.#words) : word,
    );
  }

  #one(list: readonly string[]): string {
    return list[Math.floor(this.#next() * list.length)]!;
  }

  async list(): ReturnType<Folder['list']> {
    const files = [...this.#files].map(
      ([name, { length }]): FileInFolder => ({ path: name, size: length, mtime: 1 }),
    );
    return { files, skipped: [] };
  }

  async read(file: string): Promise<Uint8Array> {
    return this.#files.get(file)!;
  }
}

/** Vectors as sums over words, around one common direction as a real embedder's are; a link in every sentence. */
class WordModels implements Models {
  readonly dimensions = DIMENSIONS;
  readonly #words = new Map<string, Float32Array>();
  readonly #common = unitVector(DIMENSIONS, 1);

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => {
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const vector = this.#common.map((value) => value * Math.sqrt(words.length));
      for (const word of words) {
        const own = this.#wordVector(word);
        for (let at = 0; at < DIMENSIONS; at++) vector[at]! += own[at]!;
      }
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    });
  }

  #wordVector(word: string): Float32Array {
    let vector = this.#words.get(word);
    if (vector === undefined) {
      vector = unitVector(DIMENSIONS, this.#words.size + 2);
      this.#words.set(word, vector);
    }
    return vector;
  }

  async tag(passages: readonly string[]): Promise<SpanTriple[][]> {
    return passages.map((passage) =>
      [...passage.matchAll(/(\S+(?: \S+){3}) ([^.]+?) (\S+(?: \S+){3})\./g)].map((match): SpanTriple => {
        const [start, end] = [match.index, match.index + match[0].length - 1];
        return {
          cause: { start, end: start + match[1]!.length },
          relation: null,
          effect: { start: end - match[3]!.length, end },
          type: 'causes',
          negated: false,
          hedged: false,
          confidence: 0.8,
        };
      }),
    );
  }

  async direct(queries: readonly string[]): Promise<Direction[]> {
    return queries.map(() => ({
      label: 'backward',
      scores: { forward: 0.05, backward: 0.9, bidirectional: 0.05 },
    }));
  }

  async info(): Promise<ModelsInfo> {
    const identity = { name: 'words', version: '1' };
    return {
      embedder: { ...identity, dimensions: DIMENSIONS },
      direction: identity,
      tagger: identity,
      threads: 1,
      node: process.version,
      pid: process.pid,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Processor milliseconds of this process, which other work on the machine disturbs less than time does. */
function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1]!;

const most = Number(process.argv[2] ?? 10_000);
const questions = allWorkspaces()
  .flatMap((workspace) => workspace.questions.slice(0, 2).map((entry) => entry.question))
  .slice(0, QUESTIONS);
const folder = new LargeFolder();
await using models = new WordModels();
await using engine = await Engine.open({ root: '.', indexPath: ':memory:', models, folder });
for (const passages of [most / 4, most]) {
  folder.grow(passages);
  const report = await engine.update();
  for (const question of questions) await engine.ask(question, DEFAULT_OPTIONS);
  const costs: number[] = [];
  const steps = new Map<string, number[]>();
  let links = 0;
  for (let run = 0; run < RUNS; run++) {
    for (const question of questions) {
      const before = cpu();
      const answered = await engine.ask(question, DEFAULT_OPTIONS);
      costs.push(cpu() - before);
      links = Math.max(links, answered.graph.links.length);
      for (const [step, time] of Object.entries(answered.timings))
        steps.set(step, [...(steps.get(step) ?? []), time]);
    }
  }
  const detail = [...steps].map(([step, times]) => `${step} ${median(times).toFixed(1)}`).join(', ');
  console.log(
    `${report.passages} passages: ${median(costs).toFixed(0)} ms of processor time in the median, ` +
      `${Math.max(...costs).toFixed(0)} at most; up to ${links} links; ms a step: ${detail}`,
  );
}
