import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blocksOf, growth, sourceOf } from './laws.ts';

const md = (source: string) => blocksOf(source, 'note.md');

test('headings, paragraphs, items and quotes are blocks of their kind', () => {
  assert.deepEqual(
    md('# One\n\nTwo\nlines.\n\nSub\n---\n\n- a\n- b *c*\n\n  d\n\n> quoted\n> on\n\n1. first\n\nTop\n===\n'),
    [
      'heading1: One',
      'prose: Two lines.',
      'heading2: Sub',
      'item: a',
      'item: b c',
      'item: d',
      'prose: quoted on',
      'item: first',
      'heading1: Top',
    ],
  );
});

test('a table gives one row a block, its cells under their headers', () => {
  assert.deepEqual(
    md('| Test | *Result* |\n|---|:-:|\n| pump | **failed** |\n| valve | |\n| a \\| b | 5 &lt; 6. |\n'),
    ['row: Test: pump; Result: failed.', 'row: Test: valve.', 'row: Test: a | b; Result: 5 < 6.'],
  );
});

test('a table of a head only is a row itself', () => {
  assert.deepEqual(md('| a | b |\n|---|---|\n'), ['row: a; b.']);
});

test('front matter, code blocks, formulas, comments, definitions and rules are not prose', () => {
  const source =
    '---\ntitle: "The title"\n---\n\n```js\nconst x = 1;\n```\n\n    indented code\n\n$$\nx = y\n$$\n\n<!-- hidden\n\ntext -->\n\n[ref]: http://x "t"\n\n---\n\nSeen.\n';
  assert.deepEqual(md(source), ['prose: Seen.']);
  assert.equal(readText(source, 'note.md').title, 'The title');
});

test('an unclosed fence hides the rest, and nothing breaks', () => {
  assert.deepEqual(md('Seen.\n\n```\ncode\n\nstill code\n'), ['prose: Seen.']);
});

test('links keep their words, not their targets, pictures their description if it is one', () => {
  assert.deepEqual(
    md(
      'See [the report](http://x/y "t"), [two][ref], ![a b](x.png) and ![pump after the frost](y.png).\n\n[ref]: http://z\n',
    ),
    ['prose: See the report, two, and pump after the frost.'],
  );
});

test('a link whose definition stands far away is a link', () => {
  const filler = 'A line of prose with *marks*.\n\n'.repeat(400);
  const blocks = md(`See the [report][PM 1].\n\n${filler}[pm  1]: http://x\n`);
  assert.equal(blocks[0], 'prose: See the report.');
});

test('wiki links keep their label, embeds and callout marks go', () => {
  assert.deepEqual(
    md(
      '[[Hashprice|hashprice]] fell after [[Halving#2024]] and [[Fees]]. ![[pic.png]]\n\n> [!note] Mind\n> this\n',
    ),
    ['prose: hashprice fell after Halving and Fees.', 'prose: Mind this'],
  );
});

test('footnote marks go, footnotes stay', () => {
  assert.deepEqual(md('Frost[^1] broke it.\n\n[^1]: In *January*.\n'), [
    'prose: Frost broke it.',
    'prose: In January.',
  ]);
});

test('inline code, escapes, entities and hard breaks are text', () => {
  assert.deepEqual(md('a `b c` \\*d\\* &eacute; e\\\nf  \ng<br>h ~5 km\n'), [
    'prose: a b c *d* é e f g h ~5 km',
  ]);
});

test('struck-through text is left out and noted', () => {
  const document = readText('It ~~did not cause~~ caused it.', 'note.md');
  assert.equal(document.parts[0]!.text, 'It caused it.');
  assert.deepEqual(document.notes, ['struck-through text was left out']);
});

test('money is no mathematics, and simple mathematics is words', () => {
  assert.deepEqual(md('A loss of $118,000, and *then* $60,000.\n\nWith $\\alpha_1 \\leq 5$ it holds.\n'), [
    'prose: A loss of $118,000, and then $60,000.',
    'prose: With α_1 ≤ 5 it holds.',
  ]);
});

test('formulas, citations, attributes and commands for print are left out, an index of a word stays', () => {
  assert.deepEqual(
    md(
      '# Head {#h .c}\n\n\\newpage\n\nCO$_2$ rose [@Kelly2010; @Lee], A$^1$ fell [see -@X].\n\n$\nx \\\\ \\{y\\}\n$\n\n\\begin{align*}\na &= b\n\\end{align*}\n\n$\\{a\\}$ ends.\n',
    ),
    ['heading1: Head', 'prose: CO_2 rose, A^1 fell.', 'prose: {a} ends.'],
  );
});

test('the words of an HTML block are read, its tags and hidden parts are not', () => {
  assert.deepEqual(
    md(
      '<div align="center">\n  <b>Pump</b> failed &amp; stopped\n</div>\n\n<script>\nx()\n\ny()\n</script>\n\nEnd.\n',
    ),
    ['prose: Pump failed & stopped', 'prose: End.'],
  );
  assert.deepEqual(md('> <p>In a\n> quote</p>\n'), ['prose: In a quote']);
});

test('places hold over marks, entities, CRLF and quotes', () => {
  const source = '# H\r\n\r\n> The **pump\r\n> failed** &amp; *stopped*.\r\n';
  const part = readText(source, 'a.md').parts[0]!;
  assertPart(part);
  assert.equal(sourceOf(part, 'pump failed'), 'pump\r\n> failed');
  assert.equal(sourceOf(part, 'failed & stopped'), 'failed** &amp; *stopped');
});

test('a phrase after emoji with modifiers, flags, combining accents and right-to-left text is found exactly', () => {
  const source = '👩🏽‍🔧🇩🇪 e\u0301te\u0301 שלום **the frost** caused it';
  const part = readText(source, 'a.md').parts[0]!;
  assertPart(part);
  assert.equal(sourceOf(part, 'the frost'), 'the frost');
  assert.equal(part.source.indexOf('the frost'), source.indexOf('the frost'));
});

test('Chinese is read without spaces at line breaks', () => {
  assert.deepEqual(md('# 故障\n\n水泵因为\n轴承缺油而停机。\n'), [
    'heading1: 故障',
    'prose: 水泵因为轴承缺油而停机。',
  ]);
});

test('an empty file gives no parts and a note, one of headings only gives headings', () => {
  assert.deepEqual(readText('', 'a.md'), { title: 'a', parts: [], notes: ['no text'] });
  assert.deepEqual(md('# A\n\n## B\n'), ['heading1: A', 'heading2: B']);
});

test('the title comes from front matter, else from the first of the highest headings, else from the name', () => {
  assert.equal(readText('## Sub\n\n# Main\n', 'x/a.md').title, 'Main');
  assert.equal(readText('text', 'x/some note.md').title, 'some note');
});

test('what is too deep or too long for the parser is read as plain text, noted', () => {
  for (const source of [`${'>'.repeat(200)} deep`, '[]'.repeat(20_000), `${'- '.repeat(200)}deep`]) {
    const { parts, notes } = readText(`${source}\n\nEnd *here*.\n`, 'a.md');
    assert.match(parts[0]!.text, /End here\.$/);
    assert.match(notes[0]!, /read as plain text/);
    for (const part of parts) assertPart(part);
  }
});

test('a paragraph of thousands of marks that pair with none is read as plain text, at once and whole', () => {
  for (const source of ['*a_ '.repeat(3000), '*a_\n'.repeat(3000), `x${'_'.repeat(16_000)}y`]) {
    const before = process.cpuUsage();
    const { parts } = readText(`${source}\n\nThe end.\n`, 'a.md');
    const { user, system } = process.cpuUsage(before);
    // It was a minute: the parser holds each mark against all before it.
    assert.ok(user + system < 5e6, `${(user + system) / 1e6} s`);
    assert.ok(parts[0]!.text.endsWith('The end.'));
    assert.ok(parts[0]!.text.length > 0.7 * source.length, 'no words are lost');
    assertPart(parts[0]!);
  }
});

test('names with underscores and tables of many marks are still read as Markdown', () => {
  const names = `Set ${'`a` some_long_name '.repeat(400)}to *on*.\n`;
  const table = `| a | b |\n|---|---|\n${'| *x* | **y** |\n'.repeat(300)}`;
  for (const source of [names, table]) {
    const { parts, notes } = readText(source, 'a.md');
    assert.deepEqual(notes, []);
    assert.ok(!parts[0]!.text.includes('*'));
  }
});

const SNIPPETS = [
  'Plain words here.',
  'two\nlines',
  '*em* and **strong**',
  '# Head',
  '- a\n- b',
  '- a\n\n  more',
  '1. x\n2. y',
  '> quote\n> more',
  '```\ncode\n\ncode\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '<div>html</div>',
  '<!-- c\n\nd -->',
  '[l](u) [[w|x]]',
  'Set\n===',
  'a\n---',
  '---',
  '$x$ and $$y$$',
  '$$\nz\n$$',
  '~~s~~ &amp; \\*',
  '    code',
  '"Quoted" start.',
  '水泵停了。',
  '🇩🇪 x',
  '`` a ` b ``',
  'a  \nb',
  '+ plus\n+ two',
  '~~~\nx\n~~~',
  'Term: value',
  '* * *',
];

test('law: any document of these pieces keeps the map true, and is read as its pieces are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...SNIPPETS), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      (pieces, eol) => {
        // A heading at the margin between the pieces ends whatever is open.
        const blocks = md(`# Cut\n\n${pieces.join('\n\n# Cut\n\n')}`.replaceAll('\n', eol));
        const alone = pieces.flatMap((piece) => md(`# Cut\n\n${piece}`.replaceAll('\n', eol)));
        assert.deepEqual(blocks, alone);
      },
    ),
  );
});

test('law: any text at all is read without an exception, and the map is true', () => {
  const sign = fc.constantFrom(...'ab \n\t*_`[]()<>!#|-+~$\\&;:.{}"\'=1é水🇩\r\0\u00ad');
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 120 }), (source) => {
      for (const part of readText(source, 'a.md').parts) assertPart(part);
    }),
    { numRuns: 500 },
  );
});

test('time grows linearly: prose, one line, brackets, quotes, fences, lists', () => {
  const sentence = 'The *pump* failed because the valve leaked. ';
  const makers: Record<string, (units: number) => string> = {
    prose: (n) => `${sentence.repeat(4)}\n\n`.repeat(n / 180),
    line: (n) => sentence.repeat(n / 44),
    brackets: (n) => '[]'.repeat(n / 2),
    quotes: (n) => `${'>'.repeat(200)} text\n`.repeat(n / 206),
    fence: (n) => `\`\`\`\n${sentence.repeat(n / 44)}`,
    list: (n) => '- item\n'.repeat(n / 7),
    dollars: (n) => '$a '.repeat(n / 3),
    emphasis: (n) => '*a_ '.repeat(n / 4),
    'lines of emphasis': (n) => '*a_\n'.repeat(n / 4),
  };
  for (const [name, make] of Object.entries(makers)) {
    const times = growth(make, 'a.md');
    assert.ok(times <= 5, `${name}: ${times.toFixed(1)} times for 4 times the input`);
  }
});
