import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blocksOf, growth, sourceOf } from './laws.ts';

const tex = (source: string) => blocksOf(source, 'paper.tex');

test('sections, paragraphs, items and captions are blocks; the preamble is not read', () => {
  const source = String.raw`\documentclass{article}
\usepackage[x]{y}
\title{The \emph{pump}}
\author{A. B.}
\begin{document}
\maketitle
\begin{abstract}
It failed.
\end{abstract}
\section[short]{Why}\label{w}
Frost came,
and it broke.

\subsection*{How}
\begin{itemize}
\item One
\item[Two:] more
\end{itemize}
\begin{figure}[h]\centering\includegraphics[width=1cm]{x.png}\caption{A broken \textbf{pump}.}\end{figure}
\end{document}
After.`;
  assert.deepEqual(tex(source), [
    'prose: It failed.',
    'heading1: Why',
    'prose: Frost came, and it broke.',
    'heading2: How',
    'item: One',
    'item: Two: more',
    'caption: A broken pump.',
  ]);
  assert.equal(readText(source, 'a.tex').title, 'The pump');
});

test('dressing commands keep their words, references go with the space before them', () => {
  assert.deepEqual(
    tex(
      String.raw`The \emph{old} {\bf pump} \textcolor{red}{failed} \cite[p.~3]{x}, see \href{http://x}{the log}\footnote{No.}. As \citet{y} said~\ref{z}.`,
    ),
    ['prose: The old pump failed, see the log. As said.'],
  );
});

test('a footnote after a sentence is read, one within it is left out and noted', () => {
  const { parts, notes } = readText(
    String.raw`It broke.\footnote{In \emph{May}.} The pump\footnote{Old.} stood.`,
    'a.tex',
  );
  assert.equal(parts[0]!.text, 'It broke. In May. The pump stood.');
  assert.deepEqual(notes, ['1 footnotes within sentences were left out']);
});

test('accents, letters, quotes, dashes, ties and escapes are signs', () => {
  assert.deepEqual(
    tex(
      String.raw`Caf\'e, na\"{\i}ve, \c{c}a, stra\ss e, \o{}re, 5\,\% of 100~nM --- ` +
        "``so'' 1--2 \\& \\$5 \\_x\\dots",
    ),
    ['prose: Café, naïve, ça, straße, øre, 5 % of 100 nM — “so” 1–2 & $5 _x…'],
  );
});

test('places hold over commands', () => {
  const source = "The \\emph{old}~pump \\'etait 70\\% \\alpha{}-beta.";
  const part = readText(source, 'a.tex').parts[0]!;
  assertPart(part);
  assert.equal(part.text, 'The old pump était 70% α-beta.');
  assert.equal(sourceOf(part, 'old pump était 70%'), "old}~pump \\'etait 70\\%");
});

test('inline mathematics is words, display mathematics and comments are nothing', () => {
  assert.deepEqual(
    tex(
      'With $\\beta$-catenin at 37\\(^\\circ\\)C, CO$_2$ and $x \\leq \\frac{1}{2}$, mm$^3$.% no\n\\[ x = y \\]\n$$ z $$\n\\begin{equation} a \\end{equation}\nEnd.',
    ),
    ['prose: With β-catenin at 37°C, CO2 and x ≤ 1/2, mm^3. End.'],
  );
});

test("a comment joins what it parts, and doesn't hide a blank line", () => {
  assert.deepEqual(tex('pum% x\n  p failed % y\n\nNext 5\\% day'), [
    'prose: pump failed',
    'prose: Next 5% day',
  ]);
});

test('a table gives one row a block under its headers', () => {
  const source = String.raw`\begin{table}\begin{tabular}{l r}
\toprule
Part & Loss (\%) \\
\midrule
\emph{pump} & 5 \\[2pt]
\multicolumn{2}{c}{all of it} \\ \hline
a \& b & $\alpha$ \\
\bottomrule
\end{tabular}\caption{Losses.}\end{table}`;
  assert.deepEqual(tex(source), [
    'row: Part: pump; Loss (%): 5.',
    'row: Part: all of it.',
    'row: Part: a & b; Loss (%): α.',
    'caption: Losses.',
  ]);
});

test("the document's own short commands print what they stand for", () => {
  const source = String.raw`\newcommand{\gba}{\textit{GBA1}} \def\er{ER} \newcommand{\two}[1]{#1} The \gba{} gene and the \er\ stress \two{x}.`;
  const part = readText(source, 'a.tex').parts[0]!;
  assert.equal(part.text, 'The GBA1 gene and the ER stress x.');
  assert.equal(sourceOf(part, 'GBA1 gene'), '\\gba{} gene');
});

test('code, pictures and the bibliography are left out', () => {
  assert.deepEqual(
    tex(
      'Seen.\n\\begin{verbatim}\n\\x{\n\\end{verbatim}\n\\begin{tikzpicture}\\draw (0,0);\\end{tikzpicture}\n\\begin{thebibliography}{9}\\bibitem{a} A.\\end{thebibliography}\n\\verb|a_b| too',
    ),
    ['prose: Seen.', 'prose: a_b too'],
  );
});

test('a faulty file is read as far as its words go, with a note', () => {
  for (const source of [
    '\\begin{itemize} \\item pump failed',
    '}}} pump failed {',
    'pump \\emph{failed',
    '\\end{x} pump $ failed',
    '\\section{pump failed',
  ]) {
    const { parts, notes } = readText(source, 'a.tex');
    assertPart(parts[0]!);
    assert.match(parts[0]!.text, /pump .*failed/);
    if (!source.includes('$')) assert.match(notes[0]!, /not matched/);
  }
});

test('a heading whose brace is never closed ends with its line and takes no sentence with it', () => {
  const source = '\\section{The {pump\nIt stopped because the fuse blew.\n\n\\caption{Next\n\nThe end.\n';
  assert.deepEqual(
    blocksOf(source, 'a.tex').map((block) => block.replace(/^heading\d/, 'heading')),
    ['heading: The pump', 'prose: It stopped because the fuse blew.', 'caption: Next', 'prose: The end.'],
  );
});

test('law: any TeX at all is read without an exception, and the map is true', () => {
  const piece = fc.constantFrom(
    '\\emph{',
    '}',
    '{',
    '[',
    ']',
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '&',
    '\\\\',
    '%',
    '\n',
    '\n\n',
    ' ',
    'word',
    '~',
    '--',
    '``',
    "''",
    "\\'e",
    '\\"{',
    '\\section{',
    '\\item',
    '\\begin{itemize}',
    '\\end{itemize}',
    '\\begin{tabular}{ll}',
    '\\end{tabular}',
    '\\caption{',
    '\\footnote{',
    '\\cite{a}',
    '\\hline',
    '\\newcommand{\\x}{y}',
    '\\x',
    '\\alpha',
    '\\verb|a|',
    '\\begin{document}',
    '\\end{document}',
    '\\title{',
    '\\',
    '\\def',
    '\\c ',
    'é',
    '🇩🇪',
    '\\multicolumn{2}{c}{',
    '\\texorpdfstring{a}{b}',
    '^',
    '_',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const part of readText(pieces.join(''), 'a.tex').parts) assertPart(part);
    }),
    { numRuns: 500 },
  );
});

test('time grows linearly: prose, braces, environments, dollars, brackets, tables', () => {
  const makers: Record<string, (units: number) => string> = {
    prose: (n) => 'The \\emph{pump} failed at $a$ \\cite{b} in May.\n\n'.repeat(n / 48),
    braces: (n) => '{'.repeat(n / 2) + '}'.repeat(n / 2),
    environments: (n) => '\\begin{a}'.repeat(n / 9),
    dollars: (n) => `${'$ a '.repeat(n / 4)}$`,
    brackets: (n) => '\\a['.repeat(n / 3),
    tables: (n) => '\\begin{tabular}{ll} a & '.repeat(n / 48) + '\\end{tabular}'.repeat(n / 48),
    rows: (n) => `\\begin{tabular}{ll} a & b \\\\ \\hline ${'a & b \\\\ '.repeat(n / 9)}\\end{tabular}`,
    headings: (n) => '\\section{'.repeat(n / 9),
    line: (n) => 'pump '.repeat(n / 5),
  };
  for (const [name, make] of Object.entries(makers)) {
    const times = growth(make, 'a.tex');
    assert.ok(times <= 5, `${name}: ${times.toFixed(1)} times for 4 times the input`);
  }
});
