import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readText } from '../../../../server/workspace/readers/index.ts';
import { assertPart, blocksOf, growth, sourceOf } from './laws.ts';

const html = (source: string) => blocksOf(source, 'page.html');

test('headings, paragraphs, items and captions are blocks, white space is collapsed', () => {
  assert.deepEqual(
    html(
      '<h1>One</h1><p>Two\n  <b>th</b>ree<br>four<ul><li>a<li>b<p>c</ul><figure><figcaption>Cap</figcaption></figure>loose',
    ),
    [
      'heading1: One',
      'prose: Two three four',
      'item: a',
      'item: b',
      'item: c',
      'caption: Cap',
      'prose: loose',
    ],
  );
});

test('entities are signs, and the words around them keep their places', () => {
  const source = '<p>below &minus;2.5 &amp; a&lt;b &copy2024 &zzz; x&nbsp;y &#x1F600;</p>';
  assert.deepEqual(html(source), ['prose: below −2.5 & a<b ©2024 &zzz; x y 😀']);
  const part = readText(source, 'a.html').parts[0]!;
  assert.equal(sourceOf(part, 'below −2.5 & a'), 'below &minus;2.5 &amp; a');
});

test('scripts, styles, code blocks, hidden and struck parts are left out', () => {
  assert.deepEqual(
    html(
      '<head><title>T</title><style>p{}</style></head><script>if (a<b) "<p>x</p>"</script><pre>code</pre><p hidden>h</p><p style="display:none">d</p><p>a <del>not</del> b<sup><a href="#f1">1</a></sup> <code>c</code></p><!-- no -->',
    ),
    ['prose: a b c'],
  );
});

test('navigation, header, footer and aside are left out, but not where they are all there is', () => {
  assert.deepEqual(
    html(
      '<header><h1>Title</h1></header><nav>Home</nav><main><p>The pump failed.</p></main><aside>ads</aside><footer>(c)</footer>',
    ),
    ['prose: The pump failed.'],
  );
  assert.deepEqual(html('<header>Site</header><p>The pump failed.</p><footer>(c)</footer>'), [
    'prose: The pump failed.',
  ]);
  assert.deepEqual(html('<footer>The pump failed.</footer>'), ['prose: The pump failed.']);
});

test('a table gives one row a block under its headers, also with spans', () => {
  assert.deepEqual(
    html(
      '<table><caption>Tests</caption><thead><tr><th>Part<th colspan=2>Result</thead><tr><td rowspan=2>pump<td>failed<td>twice<tr><td>mended<td></table>',
    ),
    ['caption: Tests', 'row: Part: pump; Result: failed; Result: twice.', 'row: Result: mended.'],
  );
});

test('a table that lays out the page is read as the page', () => {
  assert.deepEqual(html('<table><tr><td><h2>Menu</h2></td><td><p>The pump failed.</p></td></tr></table>'), [
    'heading2: Menu',
    'prose: The pump failed.',
  ]);
});

test('misnested and unclosed tags lose no words and keep their order', () => {
  assert.deepEqual(html('<p>a <b>b <i>c</b> d</i><table>e<tr><td>f<td>g</table><div>h'), [
    'prose: a b c d',
    'row: f; g.',
    'prose: h',
  ]);
  assert.deepEqual(html('</div></p>a<p>b'), ['prose: a', 'prose: b']);
});

test("the title is the page's, else its first heading, else the name", () => {
  assert.equal(readText('<title>A &amp; B</title><h1>C</h1>', 'x.html').title, 'A & B');
  assert.equal(readText('<h2>C</h2>', 'x.html').title, 'C');
  assert.equal(readText('<p>c', 'x.html').title, 'x');
});

test('an attribute that would run is no text', () => {
  assert.deepEqual(html('<img src=x onerror=alert(1)><a href="command:x">the frost</a>'), [
    'prose: the frost',
  ]);
});

test('law: any markup at all is read without an exception, and the map is true', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<b>',
    '</b>',
    '<table>',
    '</table>',
    '<tr>',
    '<td>',
    '<th>',
    '<li>',
    '<ul>',
    '</ul>',
    '<br/>',
    '<h2>',
    '</h2>',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '</>',
    '<',
    '&',
    '&amp;',
    '&eacute',
    ';',
    'word',
    ' ',
    '\r\n',
    '🇩🇪',
    '<title>',
    '</title>',
    '<main>',
    '\0',
    '<svg/>',
    '<textarea>',
    '<![CDATA[',
    ']]>',
    'é',
    '="',
    '>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const part of readText(pieces.join(''), 'a.html').parts) assertPart(part);
    }),
    { numRuns: 500 },
  );
});

test('time grows linearly: paragraphs, depth, unclosed formatting, nested tables', () => {
  const makers: Record<string, (units: number) => string> = {
    paragraphs: (n) => '<p>The <b>pump</b> failed &amp; leaked.</p>'.repeat(n / 39),
    depth: (n) => '<div>'.repeat(n / 5),
    formatting: (n) => '<b>x'.repeat(n / 4),
    tables: (n) => '<table><tr><td>a<td>'.repeat(n / 20),
    rows: (n) => `<table>${'<tr><td>a<td>b'.repeat(n / 14)}`,
    line: (n) => 'pump '.repeat(n / 5),
    comments: (n) => '<!--'.repeat(n / 4),
  };
  for (const [name, make] of Object.entries(makers)) {
    const times = growth(make, 'a.html');
    assert.ok(times <= 5, `${name}: ${times.toFixed(1)} times for 4 times the input`);
  }
});
