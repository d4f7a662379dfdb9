/** What a document is called. */
import { posix } from 'node:path';
import type { DocumentPart } from '../types.ts';

/** The first heading of the highest level that the part has, or undefined without headings. */
export function titleFromHeadings(part: DocumentPart): string | undefined {
  let best: DocumentPart['blocks'][number] | undefined;
  for (const block of part.blocks) {
    if (block.kind !== 'heading') continue;
    if (best === undefined || (block.level ?? 1) < (best.level ?? 1)) best = block;
  }
  return best === undefined ? undefined : part.text.slice(best.span.start, best.span.end);
}

/** The file's name without folder and extension. */
export function titleFromName(file: string): string {
  const base = posix.basename(file.replaceAll('\\', '/'));
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}
