/** A question as the client asks it: the method's options, and results as they come. */
import { abortable } from '../abort.ts';
import type { AskPartial, AskResult, AskSettings, AskStep } from '../protocol.ts';
import { type AskOptions, DEFAULT_OPTIONS, PAPER_OPTIONS } from '../sarg/options.ts';
import type { Progress } from '../sarg/pipeline.ts';
import { chainViews, conceptViews, linkView, retrievedViews } from '../view.ts';
import type { IndexProgress } from '../workspace/indexer.ts';
import type { Session } from './session.ts';

/** The question or its numbers cannot be used. */
export class AskError extends Error {
  override readonly name = 'AskError';
}

/**
 * Asks the workspace as it is: changes of files and editors are read first.
 * @throws AskError, NoFolderError, the signal's reason, what reading or the models throw
 */
export async function askWorkspace(
  session: Session,
  question: string,
  settings: AskSettings,
  signal: AbortSignal,
  onPartial: (partial: AskPartial) => void,
): Promise<AskResult> {
  if (question.trim() === '') throw new AskError('The question is empty.');
  const options = askOptions(settings);
  const tell = (step: AskStep, message: string, count?: { done: number; total: number }): void =>
    onPartial({ kind: 'progress', step, message, ...count });
  tell('index', 'Opening the index');
  const { engine, passes } = await abortable(session.open(), signal);
  const work = async (): Promise<AskResult> => {
    tell('retrieve', 'Looking for passages');
    const answered = await engine.ask(
      question,
      options,
      signal,
      (progress) => onProgress(progress, onPartial),
      (done, total) => tell('extract', `Reading passages for causes: ${done} of ${total}`, { done, total }),
    );
    signal.throwIfAborted();
    return {
      answer: session.answers.keep(engine, answered),
      view: engine.view(answered),
      folders: session.folders.views,
      waiting: engine.unembedded(),
    };
  };
  return passes.question(work, signal, (progress) =>
    tell('index', describe(progress), { done: progress.done, total: progress.total }),
  );
}

/** What a pass is doing, in words. */
export function describe({ phase, done, total }: IndexProgress): string {
  const what = { files: 'Reading files', embed: 'Embedding passages', extract: 'Looking for causes' }[phase];
  return `${what}: ${done} of ${total}`;
}

function onProgress(progress: Progress, onPartial: (partial: AskPartial) => void): void {
  switch (progress.kind) {
    case 'passages':
      onPartial({ kind: 'found', found: { retrieved: retrievedViews(progress.retrieved) } });
      onPartial({
        kind: 'progress',
        step: 'extract',
        message: `Reading ${progress.retrieved.length} passages for causes`,
      });
      break;
    case 'direction':
      onPartial({ kind: 'found', found: { direction: progress.direction } });
      break;
    case 'triples':
      onPartial({
        kind: 'progress',
        step: 'build',
        message: `Joining ${progress.triples} links of ${progress.passages} passages`,
      });
      break;
    case 'graph':
      onPartial({
        kind: 'found',
        found: { concepts: conceptViews(progress.graph.concepts), links: progress.graph.links.map(linkView) },
      });
      onPartial({ kind: 'progress', step: 'traverse', message: 'Walking the graph' });
      break;
    case 'chains':
      onPartial({ kind: 'found', found: { chains: chainViews(progress.chains, progress.graph) } });
      break;
  }
}

/** @throws AskError naming the number that is out of its bounds */
function askOptions(settings: AskSettings): AskOptions {
  const base = settings.method === 'paper' ? PAPER_OPTIONS : DEFAULT_OPTIONS;
  const within = (name: 'beamWidth' | 'chains' | 'passages' | 'maxHops', most: number): number => {
    const value = settings[name];
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new AskError(`${name} takes a whole number from 1 to ${most}; not ${value}.`);
  };
  return {
    ...base,
    direction: settings.direction,
    beam: within('beamWidth', 100),
    top: within('chains', 100),
    passages: within('passages', 1000),
    maxHops: within('maxHops', 20),
    hedged: settings.hedged,
  };
}
