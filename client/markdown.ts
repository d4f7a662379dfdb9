/** An answer as text: to paste into notes, and to read why a link was taken. */
import type { AnswerView, ExplainResult, HopView, LinkView, Place } from '../server/protocol.ts';
import { groupSigns } from '../webview/text.ts';

/** Words of a document must not become mark-up. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|~$&!]/g, '\\$&');
}

export function placeName(place: Place): string {
  const { line, character } = place.range.start;
  const cell = place.cell === undefined ? '' : `, cell ${place.cell + 1}`;
  return `${place.file}${cell}:${line + 1}:${character + 1}`;
}

export function arrow(link: LinkView): string {
  const how = link.negated ? `does not: ${link.type}` : link.hedged ? `possibly ${link.type}` : link.type;
  return `${link.cause.text} → ${link.effect.text} (${how})`;
}

/** The answer with numbered citations, each with file, line and exact words. */
export function answerMarkdown(view: AnswerView): string {
  const lines = [`**${plain(view.question)}**`, ''];
  if (view.answer.kind === 'none') lines.push(plain(view.answer.text), '');
  for (const [at, chain] of view.answer.kind === 'none' ? [] : view.chains.entries()) {
    const first = chain.hops[0];
    if (first === undefined) continue;
    lines.push(
      `${at + 1}. ${[first.cause.text, ...chain.hops.map((hop) => hop.effect.text)].map(plain).join(' → ')}`,
    );
    for (const hop of chain.hops) lines.push(`   - [${hop.number}] ${plain(arrow(hop))}`);
  }
  const hops = view.answer.kind === 'none' ? [] : view.chains.flatMap((chain) => chain.hops);
  if (hops.length > 0) lines.push('', '**Sources**', '');
  for (const hop of hops)
    lines.push(`- [${hop.number}] ${plain(placeName(hop.evidence))}: “${plain(hop.evidence.text)}”`);
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Why a hop was taken, in words. */
export function explanationMarkdown(told: ExplainResult, hop: HopView | undefined): string {
  const { link, why, rank, of, rivals } = told;
  const lines = [
    `# ${plain(arrow(link))}`,
    '',
    `> ${plain(link.evidence.text)}`,
    '',
    plain(placeName(link.evidence)),
    '',
  ];
  if (link.negated) lines.push('The text denies this link, so it is never part of a chain.', '');
  if (link.hedged) lines.push('The text states this link as possible only.', '');
  if (hop?.join?.kind === 'taken-as-same')
    lines.push(
      `Joined to the hop before by taking “${plain(hop.join.from)}” and “${plain(hop.join.to)}” as the same thing (likeness ${hop.join.similarity.toFixed(2)}).`,
      '',
    );
  if (why === null)
    lines.push(
      of > 0
        ? 'This method walks by likeness alone and judges no links.'
        : 'How this link was judged is not known any more. Ask again to see it.',
      '',
    );
  else {
    const probability = 1 / (1 + Math.exp(-why.logOdds));
    lines.push(
      `Judged ${Math.round(probability * 100)} % likely to belong to the answer${of > 0 ? `: place ${rank} of ${of} links` : ''}.`,
      '',
    );
    lines.push('| sign | weight |', '|---|---:|');
    for (const [name, value] of groupSigns(why.parts))
      lines.push(`| ${plain(name)} | ${value >= 0 ? '+' : ''}${value.toFixed(2)} |`);
    lines.push('');
  }
  if (hop && hop.also.length > 0) {
    lines.push('## Also stated', '');
    for (const other of hop.also)
      lines.push(`- ${plain(placeName(other.evidence))}: “${plain(other.evidence.text)}”`);
    lines.push('');
  }
  if (rivals.length > 0) {
    lines.push('## Links beside it', '');
    for (const { link: other, logOdds } of rivals) {
      const odds = logOdds === null ? '' : `, ${Math.round(100 / (1 + Math.exp(-logOdds)))} %`;
      lines.push(`- ${plain(arrow(other))}: ${plain(placeName(other.evidence))}${odds}`);
    }
    lines.push('');
  }
  lines.push(`Read by ${plain(link.extractor)}, ${Math.round(link.confidence * 100)} % sure.`);
  return `${lines.join('\n')}\n`;
}
