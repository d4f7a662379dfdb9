/**
 * Tokens of a TeX source with their places and with braces and environments matched. One pass, linear, and without
 * faults: what doesn't match is a plain sign. (A grammar for TeX backtracks, and took seconds for a paper.)
 */

export type TexKind =
  | 'text'
  | 'space'
  /** Ends a paragraph. */
  | 'paragraph'
  | 'command'
  | 'open'
  | 'close'
  | 'bracket'
  | 'cell'
  | 'tie'
  | 'quote'
  | 'dash'
  | 'begin'
  | 'end'
  /** Inline mathematics, with its delimiters. */
  | 'math'
  /** Verbatim words within a line. */
  | 'verbatim'
  /** Comments, display mathematics, code: no prose. */
  | 'nothing';

export interface TexToken {
  readonly kind: TexKind;
  readonly start: number;
  readonly end: number;
  /** Of a command or an environment. */
  readonly name: string;
  /** Index of the token that ends what this one begins, or -1. */
  match: number;
}

/** Environments whose content is no prose. */
const SILENT = new Set(
  (
    'equation align alignat flalign gather multline eqnarray displaymath math dmath verbatim Verbatim lstlisting ' +
    'minted tikzpicture pgfpicture picture circuitikz thebibliography comment filecontents algorithm algorithmic ' +
    'algorithm2e cslreferences CSLReferences forest axis'
  ).split(' '),
);

const TOKEN =
  /(%)|(\s+)|\\([a-zA-Z]+)\*?|(\\[\s\S])|([{}[\]&~])|(\$\$?)|(``|'')|(-{2,3})|([^\\{}[\]&~%$\s`'-]+|[`'-]+?)/y;
const NAME = /[ \t]*\{([^{}\s]{1,60})\}/y;
const COMMENT = /%[^\n]*(?:\n[ \t]*(?![ \t\r\n]))?/y;

const BRACKETS: Readonly<Record<string, TexKind>> = {
  '{': 'open',
  '}': 'close',
  '[': 'bracket',
  ']': 'bracket',
  '&': 'cell',
  '~': 'tie',
};

/** Splits a TeX source into tokens. Never throws. */
export function texTokens(source: string): TexToken[] {
  const tokens: TexToken[] = [];
  const missing = new Set<string>();
  let at = 0;
  const push = (kind: TexKind, end: number, name = '') => {
    tokens.push({ kind, start: at, end, name, match: -1 });
    at = end;
  };
  /** End of the first `text` from `from`; a text that is missing is looked for once. */
  const after = (text: string, from: number): number => {
    if (missing.has(text)) return -1;
    const found = source.indexOf(text, from);
    if (found < 0) missing.add(text);
    return found < 0 ? -1 : found + text.length;
  };

  while (at < source.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (match === null) {
      at += 1;
      continue;
    }
    const [all, comment, space, command, symbol, bracket, dollars, quote, dash] = match;
    const end = at + all.length;
    if (comment !== undefined) {
      COMMENT.lastIndex = at;
      push('nothing', at + (COMMENT.exec(source)?.[0].length ?? 1));
    } else if (space !== undefined) {
      push((space.match(/\n/g)?.length ?? 0) > 1 ? 'paragraph' : 'space', end);
    } else if (command === 'begin' || command === 'end') {
      NAME.lastIndex = end;
      const name = NAME.exec(source);
      if (name === null) push('nothing', end);
      else environment(command, name[1]!, end + name[0].length);
    } else if ((command === 'verb' || command === 'lstinline') && /[^\sa-zA-Z*{[]/.test(source[end] ?? ' ')) {
      const close = source.slice(end + 1, end + 1000).indexOf(source[end]!);
      push(close < 0 ? 'command' : 'verbatim', close < 0 ? end : end + close + 2, command);
    } else if (command !== undefined) push('command', end, command);
    else if (symbol === '\\(') region('math', '\\)', end);
    else if (symbol === '\\[') region('nothing', '\\]', end);
    else if (symbol !== undefined) push('command', end, symbol.slice(1));
    else if (bracket !== undefined) push(BRACKETS[bracket]!, end);
    else if (dollars === '$$') region('nothing', '$$', end);
    else if (dollars !== undefined) inlineMath(end);
    else if (quote !== undefined) push('quote', end);
    else if (dash !== undefined) push('dash', end);
    else push('text', end);
  }
  matchUp(tokens);
  return tokens;

  function environment(command: 'begin' | 'end', name: string, end: number): void {
    const plain = name.replace(/\*$/, '');
    const close = command === 'begin' && SILENT.has(plain) ? after(`\\end{${name}}`, end) : -1;
    if (close >= 0) push('nothing', close, plain);
    else push(command, end, plain);
  }

  function region(kind: TexKind, closer: string, end: number): void {
    const close = after(closer, end);
    if (close >= 0) push(kind, close);
    else push('nothing', end);
  }

  /** A dollar that isn't closed before the paragraph ends is a dollar. */
  function inlineMath(end: number): void {
    // A paragraph's end is looked for within reach only, so that many dollars cost no more than their reach.
    const reach = source.slice(end, end + 2000);
    const stop = reach.search(/\n[ \t]*\r?\n/);
    const close = /(?<!\\)\$/.exec(stop < 0 ? reach : reach.slice(0, stop));
    if (close === null) push('text', end);
    else push('math', end + close.index + 1);
  }
}

function matchUp(tokens: TexToken[]): void {
  const braces: number[] = [];
  const environments: number[] = [];
  const open = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'open') braces.push(i);
    else if (token.kind === 'close') {
      const from = braces.pop();
      if (from !== undefined) {
        tokens[from]!.match = i;
        token.match = from;
      }
    } else if (token.kind === 'begin') {
      environments.push(i);
      open.set(token.name, (open.get(token.name) ?? 0) + 1);
    } else if (token.kind === 'end' && (open.get(token.name) ?? 0) > 0) {
      // Those left open inside end with it.
      for (let from = environments.pop(); from !== undefined; from = environments.pop()) {
        const { name } = tokens[from]!;
        open.set(name, open.get(name)! - 1);
        if (name !== token.name) continue;
        tokens[from]!.match = i;
        token.match = from;
        break;
      }
    }
  }
}
