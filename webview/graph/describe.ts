/** Nodes and edges in words, for names and tooltips. Pure. */
import { count, linkSentence, percent, placeName } from '../text.ts';
import type { Edge, Knowledge, Node } from './knowledge.ts';

export function describeNode(node: Node, hiddenNeighbours: number): string {
  const facts = [node.name, count(node.mentions, 'mention')];
  if (node.start) facts.push('the search started here');
  if (node.chains.length > 0)
    facts.push(
      `on ${list(
        'chain',
        node.chains.map((chain) => chain + 1),
      )}`,
    );
  if (hiddenNeighbours > 0) facts.push(`${count(hiddenNeighbours, 'neighbour')} not shown`);
  return `${facts.join(', ')}.`;
}

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

function list(what: string, numbers: readonly number[]): string {
  return `${what}${numbers.length === 1 ? '' : 's'} ${numbers.join(' and ')}`;
}
