/** What TeX commands mean to a reader of the text. */

/** Sectioning commands, outermost first. */
export const SECTIONS: Readonly<Record<string, number>> = {
  part: 1,
  chapter: 1,
  section: 2,
  subsection: 3,
  subsubsection: 4,
  paragraph: 5,
  subparagraph: 6,
};

/** Commands that print nothing of their arguments. */
export const SILENT_COMMANDS: ReadonlySet<string> = words(`
  cite citep citet citealp citealt citeauthor citeyear citeyearpar nocite parencite textcite autocite footcite
  supercite fullcite citenum citetext ref eqref pageref autoref cref Cref vref nameref label tag includegraphics
  includepdf input include subfile bibliography bibliographystyle addbibresource printbibliography vspace hspace
  vskip hskip setlength addtolength setcounter addtocounter newcounter newlength pagestyle thispagestyle
  pagenumbering documentclass usepackage RequirePackage PassOptionsToPackage newcommand renewcommand
  providecommand newenvironment renewenvironment DeclareMathOperator newtheorem theoremstyle hypersetup geometry
  definecolor color pagecolor graphicspath author date thanks affil affiliation email institute index todo
  footnotemark footnotetext cline cmidrule specialrule arrayrulecolor rowcolor cellcolor
  columncolor fontsize selectfont enlargethispage captionsetup tableofcontents listoffigures listoftables
  phantomsection addcontentsline markboth markright rule bibitem floatplacement urlstyle setstretch
  linespread hyphenation marginpar sidenote title subtitle glsadd newacronym newglossaryentry acrodef hfill vfill
  pgfplotsset usetikzlibrary lstset setmainfont titleformat titlespacing setlist doi orcid ORCID keywordname`);

/** Of the silent ones, those that stand in a sentence: the space before them goes with them. */
export const REFERENCES: ReadonlySet<string> = words(`
  cite citep citet citealp citealt citeauthor citeyear citeyearpar nocite parencite textcite autocite footcite
  supercite fullcite citenum ref eqref pageref autoref cref Cref vref nameref label footnotemark index todo footnote`);

/** How many leading arguments in braces are no text. */
export const LEADING_SILENT: Readonly<Record<string, number>> = {
  href: 1,
  hypertarget: 1,
  hyperlink: 1,
  textcolor: 1,
  colorbox: 1,
  fcolorbox: 2,
  parbox: 1,
  raisebox: 1,
  scalebox: 1,
  resizebox: 2,
  rotatebox: 1,
  multicolumn: 2,
  multirow: 2,
  foreignlanguage: 1,
  adjustbox: 1,
  shortstack: 0,
  SI: 0,
  qty: 0,
  frac: 0,
};

/** Commands that end the paragraph. */
export const PARAGRAPH_COMMANDS: ReadonlySet<string> = words(
  'par newpage clearpage cleardoublepage pagebreak maketitle appendix bigskip medskip smallskip',
);

/** Spaces and line breaks. */
export const SPACE_COMMANDS: ReadonlySet<string> = words(
  '\\ , ; : ! > quad qquad newline linebreak space enspace thinspace hline toprule midrule bottomrule',
);

/** Letters and signs that a text command prints; mathematics has its own. */
export const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ss: 'ß',
    o: 'ø',
    O: 'Ø',
    l: 'ł',
    L: 'Ł',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    aa: 'å',
    AA: 'Å',
    i: 'ı',
    j: 'ȷ',
    dh: 'ð',
    DH: 'Ð',
    th: 'þ',
    TH: 'Þ',
    S: '§',
    P: '¶',
    copyright: '©',
    pounds: '£',
    euro: '€',
    texteuro: '€',
    EUR: '€',
    textdegree: '°',
    textcelsius: '°C',
    textmu: 'µ',
    micro: 'µ',
    dag: '†',
    ddag: '‡',
    textdagger: '†',
    textbackslash: '\\',
    textasciitilde: '~',
    textasciicircum: '^',
    textquoteright: '’',
    textquoteleft: '‘',
    textquotedblleft: '“',
    textquotedblright: '”',
    textendash: '–',
    textemdash: '—',
    textbullet: '•',
    textellipsis: '…',
    textregistered: '®',
    texttrademark: '™',
    textless: '<',
    textgreater: '>',
    textbar: '|',
    textunderscore: '_',
    textpm: '±',
    texttimes: '×',
    textonehalf: '½',
    LaTeX: 'LaTeX',
    LaTeXe: 'LaTeX2e',
    TeX: 'TeX',
    XeLaTeX: 'XeLaTeX',
    BibTeX: 'BibTeX',
  }),
);

/** Combining marks of the accent commands. */
export const ACCENTS: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331',
};

export const LISTS: ReadonlySet<string> = words(
  'itemize enumerate description compactitem compactenum inparaenum',
);

/** Tables, with the number of arguments in braces before the rows. */
export const TABLES: Readonly<Record<string, number>> = {
  tabular: 1,
  tabularx: 2,
  tabulary: 2,
  longtable: 1,
  longtabu: 1,
  tabu: 1,
  supertabular: 1,
  tblr: 1,
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
