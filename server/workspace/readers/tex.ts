/** TeX and LaTeX: the prose of the document's body. */
import type { ReadDocument, Reader } from '../types.ts';
import { TextBuilder } from './builder.ts';
import { type TexToken, texTokens } from './tex-tokens.ts';
import { TexWalk } from './tex-walk.ts';
import { titleFromHeadings, titleFromName } from './title.ts';

const LONGEST_OWN = 80;

/** Reads TeX. A faulty file is read as far as its words go. */
export const texReader: Reader = {
  name: 'TeX',
  extensions: ['.tex', '.latex', '.ltx'],
  read(source: string, file: string): ReadDocument {
    const tokens = texTokens(source);
    const notes: string[] = [];
    const faults = tokens.filter(isFault).length;
    if (faults > 0)
      notes.push(
        `${faults} braces or environments are not matched; the text around them was read as it stands`,
      );

    const own = ownCommands(tokens, source);
    const begin = tokens.findIndex((token) => token.kind === 'begin' && token.name === 'document');
    const from = begin < 0 ? 0 : begin + 1;
    const end = begin < 0 ? -1 : tokens[begin]!.match;
    const out = new TextBuilder(source);
    const hasChapters = tokens.some((token) => token.kind === 'command' && token.name === 'chapter');
    const walk = new TexWalk(out, tokens, own, { sectionBase: hasChapters ? 0 : 1 });
    walk.run(from, end < 0 ? tokens.length : end);
    if (walk.notesLeftOut > 0) notes.push(`${walk.notesLeftOut} footnotes within sentences were left out`);

    const part = out.part();
    const title = titleOf(tokens, source, own) ?? titleFromHeadings(part) ?? titleFromName(file);
    if (part.text === '') return { title, parts: [], notes: [...notes, 'no text'] };
    return { title, parts: [part], notes };
  },
};

function isFault({ kind, match }: TexToken): boolean {
  return match < 0 && (kind === 'open' || kind === 'close' || kind === 'begin' || kind === 'end');
}

function titleOf(
  tokens: readonly TexToken[],
  source: string,
  own: ReadonlyMap<string, string>,
): string | undefined {
  const at = tokens.findIndex((token) => token.kind === 'command' && token.name === 'title');
  if (at < 0) return undefined;
  const text = argument(tokens, source, own, at + 1);
  return text === '' ? undefined : text;
}

/** What the document's own commands print, for those that take no arguments and print a few words. */
function ownCommands(tokens: readonly TexToken[], source: string): Map<string, string> {
  const own = new Map<string, string>();
  for (let i = 0; i < tokens.length; i += 1) {
    const { kind, name } = tokens[i]!;
    if (kind !== 'command') continue;
    if (name === 'def') {
      const defined = tokens[i + 1];
      if (defined?.kind === 'command' && tokens[i + 2]?.kind === 'open') set(defined.name, i + 2);
    } else if (/^(?:re)?newcommand$|^providecommand$/.test(name)) {
      let at = i + 1;
      const braced = tokens[at]?.kind === 'open';
      if (braced) at += 1;
      const defined = tokens[at];
      if (defined?.kind !== 'command') continue;
      const body = at + (braced ? 2 : 1);
      // A "[1]" here would be the number of its arguments.
      if (tokens[body]?.kind === 'open') set(defined.name, body);
    }
  }
  return own;

  function set(name: string, body: number): void {
    if (tokens[body]!.match < 0 || tokens[tokens[body]!.match]!.start - tokens[body]!.end > 4 * LONGEST_OWN)
      return;
    const text = argument(tokens, source, own, body);
    if (text !== '' && text.length <= LONGEST_OWN) own.set(name, text);
  }
}

/** The text of the first brace group from token `at`. */
function argument(
  tokens: readonly TexToken[],
  source: string,
  own: ReadonlyMap<string, string>,
  at: number,
): string {
  let open = at;
  while (open < tokens.length && tokens[open]!.kind !== 'open' && open < at + 40) open += 1;
  const token = tokens[open];
  if (token?.kind !== 'open' || token.match < 0) return '';
  const out = new TextBuilder(source);
  new TexWalk(out, tokens, own, { inline: true }).run(open + 1, token.match);
  return out.part().text;
}
