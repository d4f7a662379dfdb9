/** Nodes and edges in words, for names and tooltips. Pure. */
import { count, linkSentence, percent, placeName } from '../text.ts';
import type { Card, EdgeTag } from './cards.ts';
import type { Edge, Knowledge, Node } from './knowledge.ts';

/** A concept with what there is to know about it. */
export function describeNode(node: Node, hiddenNeighbours: number): string {
  return `${node.name}, ${nodeFacts(node, hiddenNeighbours)}.`;
}

/** A concept's accessible name: it begins with what is written on the card, so that it can be called by it. */
export function nameNode(node: Node, card: Card, hiddenNeighbours: number): string {
  const lines = card.lines.map((line, index) => (card.spaces[index] ? `${line} ` : line));
  const written = [lines.join('')];
  if (node.mentions > 1) written.push(`×${node.mentions}`);
  if (hiddenNeighbours > 0) written.push(`+${hiddenNeighbours}`);
  const name = card.cut ? `${node.name}, ` : '';
  return `${written.join(', ')}: ${name}${nodeFacts(node, hiddenNeighbours)}.`;
}

function nodeFacts(node: Node, hiddenNeighbours: number): string {
  const facts = [count(node.mentions, 'mention')];
  if (node.start) facts.push('the search started here');
  if (node.chains.length > 0) {
    facts.push(
      `on ${list(
        'chain',
        node.chains.map((chain) => chain + 1),
      )}`,
    );
  }
  if (hiddenNeighbours > 0) facts.push(`${count(hiddenNeighbours, 'neighbour')} not shown`);
  return facts.join(', ');
}

/** A link as a sentence with its hops, its doubts and its place. */
export function describeEdge(edge: Edge, known: Knowledge): string {
  const link = edge.links[0];
  if (!link) {
    const from = known.nodes.get(edge.source)?.name ?? '';
    const to = known.nodes.get(edge.target)?.name ?? '';
    const similarity = edge.similarity === null ? '' : `, similarity ${percent(edge.similarity)}`;
    return `“${from}” is taken as the same as “${to}”${similarity}.`;
  }
  const facts = [linkSentence(link)];
  if (edge.hops.length > 0) facts.push(list('hop', edge.hops));
  if (edge.hedged) facts.push('stated only as possible');
  if (edge.negated) facts.push('denied by the text, never part of a chain');
  if (edge.contradicted) facts.push('contradicted elsewhere');
  facts.push(edge.links.length > 1 ? `stated ${edge.links.length} times` : placeName(link.evidence));
  return `${facts.join(', ')}.`;
}

/** An edge's accessible name: it begins with what is written on it. */
export function nameEdge(edge: Edge, tag: EdgeTag | undefined, known: Knowledge): string {
  const written = tag ? [...tag.chips.map((chip) => chip.text), tag.text].filter((text) => text !== '') : [];
  const name = written.length > 0 ? `${written.join(', ')}: ` : '';
  return `${name}${describeEdge(edge, known)}`;
}

function list(what: string, numbers: readonly number[]): string {
  return `${what}${numbers.length === 1 ? '' : 's'} ${numbers.join(' and ')}`;
}
