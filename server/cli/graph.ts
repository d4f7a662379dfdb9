/** `causeway graph`: every link found in a folder, as JSON lines. */
import { build } from '../sarg/build.ts';
import type { ConceptId } from '../sarg/types.ts';
import { linkView } from '../view.ts';
import {
  atMost,
  EXIT,
  FOLDER_OPTIONS,
  folderOf,
  jsonLine,
  openFolder,
  parse,
  update,
  writeLine,
} from './common.ts';

export async function graphCommand(args: string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parse(args, FOLDER_OPTIONS);
  atMost(positionals, 1, 'graph');
  const root = folderOf(positionals[0] ?? '.');
  await using session = await openFolder(root, values, signal);
  await update(session, signal, true);
  const { triples, resolution } = await session.engine.concepts(signal);
  const graph = build(triples, resolution);
  const name = (id: ConceptId): string => graph.concepts[id]!.name;
  for (const link of graph.links) {
    await writeLine(
      jsonLine({ ...linkView(link), causeConcept: name(link.cause), effectConcept: name(link.effect) }),
    );
  }
  return EXIT.answered;
}
