/** `causeway index`: reads a folder ahead of any question. */
import {
  atMost,
  EXIT,
  FOLDER_OPTIONS,
  folderOf,
  jsonLine,
  number,
  openFolder,
  parse,
  safe,
  update,
  writeLine,
} from './common.ts';

export async function indexCommand(args: string[], signal: AbortSignal): Promise<number> {
  const { values, positionals } = parse(args, {
    ...FOLDER_OPTIONS,
    json: { type: 'boolean' },
    'no-extract': { type: 'boolean' },
  });
  atMost(positionals, 1, 'index');
  const root = folderOf(positionals[0] ?? '.');
  await using session = await openFolder(root, values, signal);
  const report = await update(session, signal, !values['no-extract']);
  const files = [...session.engine.files().values()];
  const counts = session.engine.counts();
  if (values.json) {
    await writeLine(jsonLine({ root, ...report, counts, files }));
    return EXIT.answered;
  }
  const read = files.filter((file) => file.state === 'indexed').length;
  await writeLine(
    `${safe(root)}: ${number(read, 'file')} read, ${number(report.passages, 'passage')} (${number(report.changed, 'file')} new or changed, ${report.removed} gone).`,
  );
  for (const file of files.filter((entry) => entry.notes.length > 0))
    await writeLine(`  ${safe(`${file.path}: ${file.notes.join('; ')}`)}`);
  if (read > 0 && !values['no-extract']) {
    const triples = await session.engine.triples(signal);
    await writeLine(
      triples.length === 0
        ? `No causal statements found in ${number(read, 'file')}.`
        : `${number(triples.length, 'causal link')}.`,
    );
  }
  return EXIT.answered;
}
