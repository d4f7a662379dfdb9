/** Evaluation workspaces: a folder of documents with questions and the gold reasoning for each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DirectionLabel } from '../../models/protocol.ts';

export interface GoldNode {
  readonly node: string;
  readonly aliases: readonly string[];
}

export interface GoldEdge {
  readonly cause: string;
  readonly effect: string;
  readonly doc: string;
  readonly quote: string;
}

export interface GoldQuestion {
  readonly id: string;
  readonly question: string;
  readonly direction: DirectionLabel;
  readonly kind: 'chain' | 'branching' | 'comparison' | 'negated' | 'unanswerable' | 'numeric';
  readonly answer: string;
  readonly key_facts?: readonly string[];
  readonly chain?: readonly GoldNode[];
  readonly chains?: readonly (readonly GoldNode[])[];
  readonly edges: readonly GoldEdge[];
}

export interface Workspace {
  readonly name: string;
  readonly root: string;
  readonly questions: readonly GoldQuestion[];
}

const HERE = import.meta.dirname;

/** The folder's questions. */
export function loadWorkspace(root: string): Workspace {
  const questions = readFileSync(path.join(root, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as GoldQuestion);
  return { name: path.basename(root), root, questions };
}

/** Every workspace of the repository, by name. */
export function allWorkspaces(): Workspace[] {
  const folders = [path.join(HERE, 'workspaces'), path.join(HERE, '..', '..', 'examples')];
  return folders
    .flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((name) => path.join(folder, name)),
    )
    .filter((root) => existsSync(path.join(root, 'questions.jsonl')))
    .map(loadWorkspace);
}
