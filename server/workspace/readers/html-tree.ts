/**
 * A light tree of an HTML source, built on parse5's tokenizer: text stays in the order of the source and has its exact
 * place, depth is bounded, and the work is linear, which a conforming tree can't promise (it moves misnested text).
 */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';

export interface HtmlText {
  readonly start: number;
  end: number;
}

export interface HtmlElement {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  children: (HtmlElement | HtmlText)[];
}

const DEEPEST = 300;

const VOID = words('area base br col embed hr img input link meta param source track wbr');
const RCDATA = words('title textarea');
const RAWTEXT = words('style xmp iframe noembed noframes');
const CLOSES_PARAGRAPH = words(
  `address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
   main nav ol p pre section table ul`,
);
/** What a start tag ends, and the element that the search for it stops at. */
const IMPLIED_ENDS: Readonly<
  Record<string, readonly [ends: ReadonlySet<string>, within: ReadonlySet<string>]>
> = {
  li: [words('li'), words('ul ol menu')],
  dt: [words('dt dd'), words('dl')],
  dd: [words('dt dd'), words('dl')],
  td: [words('td th'), words('tr table')],
  th: [words('td th'), words('tr table')],
  tr: [words('tr'), words('table')],
  tbody: [words('thead tbody tfoot caption'), words('table')],
  tfoot: [words('thead tbody tfoot caption'), words('table')],
  thead: [words('caption'), words('table')],
};
const PARAGRAPH = words('p');
const PARAGRAPH_SCOPE = words('td th table caption button');

/** Whether a node is text. */
export function isText(node: HtmlElement | HtmlText): node is HtmlText {
  return 'start' in node;
}

/** Parses `html`; the places of its text are shifted by `offset`. Never throws. */
export function parseHtml(html: string, offset = 0): HtmlElement {
  const root: HtmlElement = { tag: '#root', attributes: new Map(), children: [] };
  const stack: HtmlElement[] = [root];
  let paragraphs = 0;
  let tooDeep = 0;

  const popTo = (index: number) => {
    for (const element of stack.splice(index)) if (element.tag === 'p') paragraphs -= 1;
  };
  const endImplied = (ends: ReadonlySet<string>, within: ReadonlySet<string>) => {
    for (let i = stack.length - 1; i > 0; i -= 1) {
      const { tag } = stack[i]!;
      if (ends.has(tag)) return popTo(i);
      if (within.has(tag)) return;
    }
  };
  const addText = (token: Token.CharacterToken) => {
    const start = token.location!.startOffset + offset;
    const end = token.location!.endOffset + offset;
    const siblings = stack.at(-1)!.children;
    const last = siblings.at(-1);
    // White space comes as tokens of its own, and the border beside an entity is not to be relied on.
    if (last !== undefined && isText(last) && last.end === start) last.end = end;
    else siblings.push({ start, end });
  };

  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onComment() {},
      onDoctype() {},
      onEof() {},
      onNullCharacter() {},
      onCharacter: addText,
      onWhitespaceCharacter: addText,
      onStartTag({ tagName, attrs, selfClosing }) {
        if (RCDATA.has(tagName)) tokenizer.state = TokenizerMode.RCDATA;
        else if (RAWTEXT.has(tagName)) tokenizer.state = TokenizerMode.RAWTEXT;
        else if (tagName === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA;
        if (paragraphs > 0 && CLOSES_PARAGRAPH.has(tagName)) endImplied(PARAGRAPH, PARAGRAPH_SCOPE);
        const implied = Object.hasOwn(IMPLIED_ENDS, tagName) ? IMPLIED_ENDS[tagName] : undefined;
        if (implied !== undefined) endImplied(...implied);
        const element: HtmlElement = {
          tag: tagName,
          attributes: new Map(attrs.map(({ name, value }) => [name, value])),
          children: [],
        };
        stack.at(-1)!.children.push(element);
        if (VOID.has(tagName) || (selfClosing && !CLOSES_PARAGRAPH.has(tagName))) return;
        if (stack.length >= DEEPEST) {
          tooDeep += 1;
          return;
        }
        stack.push(element);
        if (tagName === 'p') paragraphs += 1;
      },
      onEndTag({ tagName }) {
        if (tooDeep > 0) {
          tooDeep -= 1;
          return;
        }
        for (let i = stack.length - 1; i > 0; i -= 1) {
          const { tag } = stack[i]!;
          if (tag === tagName) return popTo(i);
          // A stray end tag inside a cell doesn't end the table around it.
          if ((tag === 'td' || tag === 'th') && !/^(?:tr|table|thead|tbody|tfoot)$/.test(tagName)) return;
        }
      },
    },
  );
  tokenizer.write(html, true);
  return root;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
