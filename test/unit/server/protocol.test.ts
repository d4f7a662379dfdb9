/** docs/PROTOCOL.md and server/protocol.ts say the same. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..', '..', '..');
const source = readFileSync(path.join(root, 'server', 'protocol.ts'), 'utf8');
const OWN = 'Requests and notifications of our own';

/** Shapes behind the marker of our own messages: name to fields. Methods of the tables of messages apart. */
function typed(): { shapes: Map<string, string[]>; methods: string[] } {
  const file = ts.createSourceFile('protocol.ts', source, ts.ScriptTarget.Latest, true);
  const shapes = new Map<string, string[]>();
  const methods: string[] = [];
  const from = source.indexOf(OWN);
  assert.ok(from > 0);
  for (const statement of file.statements) {
    if (statement.getStart() < from) continue;
    if (ts.isInterfaceDeclaration(statement)) {
      const names = statement.members.map((member) => member.name!.getText().replaceAll("'", ''));
      if (/^Server(Requests|Notifications)$/.test(statement.name.text)) methods.push(...names);
      else shapes.set(statement.name.text, names);
    } else if (ts.isTypeAliasDeclaration(statement) && ts.isUnionTypeNode(statement.type)) {
      const members = statement.type.types.filter(ts.isTypeLiteralNode).flatMap((part) => part.members);
      if (members.length > 0)
        shapes.set(statement.name.text, [...new Set(members.map((member) => member.name!.getText()))]);
    }
  }
  return { shapes, methods };
}

/** Sections of the document: shapes with the fields of their tables, and methods. */
function described(): { shapes: Map<string, string[]>; methods: string[] } {
  const text = readFileSync(path.join(root, 'docs', 'PROTOCOL.md'), 'utf8');
  const shapes = new Map<string, string[]>();
  const methods: string[] = [];
  for (const section of text.split(/^### /m).slice(1)) {
    const heading = section.split('\n', 1)[0]!.trim();
    if (heading.startsWith('`')) methods.push(heading.replaceAll('`', ''));
    else
      shapes.set(
        heading,
        [...section.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]!),
      );
  }
  return { shapes, methods };
}

test('every request and notification is described, and none that does not exist', () => {
  assert.deepEqual(described().methods.toSorted(), typed().methods.toSorted());
});

test('every shape is described field by field, in its order', () => {
  const { shapes } = typed();
  const told = described().shapes;
  assert.deepEqual([...told.keys()].toSorted(), [...shapes.keys()].toSorted());
  for (const [name, fields] of shapes) assert.deepEqual(told.get(name), fields, name);
});

test('every request states its parameters, its result and its partial results', () => {
  const file = ts.createSourceFile('protocol.ts', source, ts.ScriptTarget.Latest, true);
  const requests = file.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'ServerRequests')!;
  for (const member of requests.members) {
    assert.ok(ts.isPropertySignature(member) && member.type && ts.isTypeLiteralNode(member.type));
    assert.deepEqual(
      member.type.members.map((part) => part.name!.getText()),
      ['params', 'result', 'partial'],
    );
  }
});
