/** Answers as text for a terminal. */
import type { AnswerView, ChainView, HopView, LinkView, Place } from '../protocol.ts';
import { number, safe, styles } from './common.ts';

const style = styles(process.stdout);

/** "file:line:column", or "file, cell 3:line:column" of a notebook; counted from 1 as editors show them. */
export function placeName(place: Place): string {
  const { line, character } = place.range.start;
  const cell = place.cell === undefined ? '' : `, cell ${place.cell + 1}`;
  return `${safe(place.file)}${cell}:${line + 1}:${character + 1}`;
}

/** The answer with its chains, each hop with file, line and exact words. */
export function printAnswer(answer: AnswerView, root: string): string {
  const lines: string[] = [style('bold', safe(answer.question))];
  const { direction, counts, answer: said } = answer;
  const asked = {
    forward: 'what follows (forward)',
    backward: 'what lies behind (backward)',
    bidirectional: 'both ways',
  }[direction.label];
  const sure =
    direction.by === 'person'
      ? 'as you set it'
      : direction.by === 'unsure'
        ? 'unsure, so both were walked'
        : `${Math.round(direction.scores[direction.label] * 100)} % sure`;
  lines.push(
    style(
      'dim',
      `Asks ${asked}, ${sure}. ${number(counts.links, 'link')} in ${number(counts.passagesRead, 'passage')} of ${safe(root)}.`,
    ),
    '',
  );
  if (said.kind === 'none') {
    lines.push(safe(said.text));
    for (const passage of answer.retrieved.slice(0, 3))
      lines.push(`  ${placeName(passage.place)}: “${clip(safe(passage.text), 160)}”`);
    if (answer.links.length === 0) {
      const files = new Set(answer.retrieved.map((passage) => passage.file)).size;
      lines.push(`No causal statements found in ${number(files, 'file')} near the question.`);
    }
    if (answer.chains.length > 0)
      lines.push('', style('dim', 'Chains found, too weak to answer with; see them with --force-answer.'));
  } else {
    for (const [at, chain] of answer.chains.entries()) lines.push(...printChain(chain, at + 1), '');
  }
  const against = answer.links.filter((link) => link.negated && near(link, answer.chains));
  if (said.kind !== 'none' && against.length > 0) {
    lines.push(style('bold', 'Denied in the documents'));
    for (const link of against.slice(0, 5))
      lines.push(`  ${arrow(link)}`, `      ${placeName(link.evidence)} “${safe(link.evidence.quote)}”`);
  }
  return lines.join('\n').trimEnd();
}

/** A denied link matters where it is about a concept of the chains. */
function near(link: LinkView, chains: readonly ChainView[]): boolean {
  return chains.some((chain) =>
    chain.hops.some(
      (hop) => hop.effect.concept === link.effect.concept || hop.cause.concept === link.cause.concept,
    ),
  );
}

function printChain(chain: ChainView, number: number): string[] {
  const steps = [
    style('cause', safe(chain.hops[0]!.cause.text)),
    ...chain.hops.map((hop) => style('effect', safe(hop.effect.text))),
  ];
  const lines = [`${style('bold', `Chain ${number}`)}  ${steps.join(' → ')}`];
  for (const hop of chain.hops) {
    lines.push(
      `  [${hop.number}] ${arrow(hop)}${joinNote(hop)}`,
      `      ${style('accent', placeName(hop.evidence))} “${safe(hop.evidence.quote)}”`,
    );
    if (hop.also.length > 0)
      lines.push(style('dim', `      also ${hop.also.map((link) => placeName(link.evidence)).join(', ')}`));
  }
  return lines;
}

function arrow(link: LinkView): string {
  const relation = link.relation.text === '' ? '' : ` “${safe(link.relation.text)}”`;
  const marks = `${link.negated ? ' (denied)' : ''}${link.hedged ? ' (possible)' : ''}`;
  const head = link.negated ? '⇏' : '→';
  return `${style('cause', safe(link.cause.text))} —${link.type}${relation}${head} ${style('effect', safe(link.effect.text))}${marks}`;
}

function joinNote(hop: HopView): string {
  if (hop.join?.kind !== 'taken-as-same') return '';
  return style(
    'dim',
    `  (“${safe(hop.join.from)}” taken as the same as “${safe(hop.join.to)}”, ${hop.join.similarity.toFixed(2)})`,
  );
}

/** A wording as people compare it. */
function plain(text: string): string {
  return safe(text).toLowerCase();
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`;
}

/** Why the chains were found: direction, starts, what speaks for each hop, joins, merges. */
export function explainAnswer(answer: AnswerView): string {
  const lines = [style('bold', safe(answer.question)), ''];
  const scores = Object.entries(answer.direction.scores).map(
    ([label, score]) => `${label} ${score.toFixed(3)}`,
  );
  lines.push(`Direction: ${answer.direction.label} (${answer.direction.by}); ${scores.join(', ')}`);
  lines.push(
    `Read: ${answer.counts.passagesRead} passages in ${number(answer.counts.rounds + 1, 'round')}, ` +
      `${answer.counts.passagesExtracted} of them for the first time; links ${answer.counts.links}, ` +
      `concepts ${answer.counts.concepts}; triples ${answer.counts.triplesExtracted} read now, ${answer.counts.triplesFromCache} known; ` +
      `expansions ${answer.counts.expansions}`,
  );
  lines.push(
    `Answered: ${answer.answer.kind}, probability that the chains answer ${answer.answer.confidence.toFixed(2)}`,
    '',
  );
  const names = new Map(answer.concepts.map((concept) => [concept.id, concept]));
  lines.push('Concepts that match the question:');
  if (answer.starts.length === 0) lines.push('  none over the threshold');
  for (const start of answer.starts) {
    lines.push(
      `  ${safe(names.get(start.concept)?.name ?? '')} by “${safe(start.phrase)}” (${start.similarity.toFixed(2)})`,
    );
  }
  for (const [at, chain] of answer.chains.entries()) {
    const parts = Object.entries(chain.parts).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    lines.push(
      '',
      `${style('bold', `Chain ${at + 1}`)} score ${chain.score.toFixed(2)} = ${parts.join(' + ')}`,
    );
    for (const hop of chain.hops) {
      lines.push(
        `  [${hop.number}] ${arrow(hop)}`,
        `      ${placeName(hop.evidence)} “${safe(hop.evidence.quote)}”`,
      );
      if (hop.join?.kind === 'taken-as-same') {
        lines.push(
          `      joined: “${safe(hop.join.from)}” taken as the same as “${safe(hop.join.to)}”, ` +
            `similarity ${hop.join.similarity.toFixed(2)}, price ${hop.join.price.toFixed(2)}`,
        );
      } else if (hop.join)
        lines.push(`      joined: the same concept, ${safe(names.get(hop.join.concept)?.name ?? '')}`);
      if (hop.why) {
        const strongest = Object.entries(hop.why.parts)
          .filter(([name]) => name !== 'bias')
          .sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))
          .slice(0, 5)
          .map(([name, value]) => `${name} ${value >= 0 ? '+' : ''}${value.toFixed(2)}`);
        lines.push(`      chosen by: log-odds ${hop.why.logOdds.toFixed(2)}; ${strongest.join(', ')}`);
      }
      for (const end of [hop.cause, hop.effect]) {
        const merged = (names.get(end.concept)?.mentions ?? []).filter(
          (mention) => plain(mention.text) !== plain(end.text),
        );
        const seen = new Set<string>();
        for (const mention of merged) {
          if (seen.has(plain(mention.text))) continue;
          seen.add(plain(mention.text));
          lines.push(
            `      same concept: “${safe(end.text)}” and “${safe(mention.text)}” (${mention.reason}, ${placeName(mention.place)})`,
          );
        }
      }
    }
  }
  lines.push(
    '',
    `Time: ${Object.entries(answer.timings)
      .map(([step, ms]) => `${step} ${ms} ms`)
      .join(', ')}`,
  );
  return lines.join('\n');
}
