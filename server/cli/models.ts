/** `causeway models`: what is installed, with versions, licences and whether the files are whole. */
import { type CatalogEntry, checkFiles, loadCatalog } from '../../models/catalog.ts';
import { atMost, EXIT, jsonLine, parse, writeLine } from './common.ts';

export async function modelsCommand(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } });
  atMost(positionals, 0, 'models');
  const catalog = loadCatalog();
  const rows = [catalog.embedder, catalog.tagger, catalog.direction].map((entry) => ({
    role: entry.role,
    name: entry.name,
    version: entry.version,
    licence: entry.licence,
    source: entry.source,
    bytes: entry.files.reduce((sum, file) => sum + file.size, 0),
    problem: problemOf(entry, catalog.directory(entry)),
  }));
  if (values.json) await writeLine(jsonLine(rows));
  else {
    for (const row of rows) {
      const size = `${(row.bytes / 1e6).toFixed(0)} MB`;
      await writeLine(
        `${row.role.padEnd(10)} ${row.name} ${row.version}, ${size}, ${row.licence}: ${row.problem ?? 'ready'}`,
      );
    }
  }
  return rows.every((row) => row.problem === null) ? EXIT.answered : EXIT.fault;
}

function problemOf(entry: CatalogEntry, directory: string): string | null {
  try {
    checkFiles(entry, directory);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
