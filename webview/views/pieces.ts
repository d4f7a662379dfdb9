/** Small pieces that several parts of the page show. */
import { type Child, h, words } from '../dom.ts';
import type { Page } from '../page.ts';
import type { LinkView, Place } from '../protocol.ts';
import { linkSentence, placeName, quoteParts } from '../text.ts';

/** The number by which answer, chains and graph name the same hop. */
export function citation(page: Page, number: number, link: LinkView): HTMLElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'citation',
      'data-key': `cite-${number}`,
      'aria-label': `Hop ${number}: ${linkSentence(link)}. Opens ${placeName(link.evidence)}`,
      title: `${linkSentence(link)} (${placeName(link.evidence)})`,
      onclick: () => {
        page.select({ kind: 'hop', hop: number });
        page.openLink(link);
      },
      ...pointing(page, { kind: 'hop', hop: number }),
    },
    String(number),
  );
}

/** Listeners that light a target while it is pointed at or focused. */
export function pointing(page: Page, target: Parameters<Page['point']>[0]) {
  return {
    onpointerenter: () => page.point(target),
    onpointerleave: () => page.point(null),
    onfocusin: () => page.point(target),
    onfocusout: () => page.point(null),
  };
}

/** Evidence with cause, relation and effect marked, as a button that opens it. */
export function quote(page: Page, link: LinkView, key: string): HTMLElement {
  const marked: Child[] = quoteParts(link).map(({ text, role }) =>
    role ? h('mark', { class: role }, words(text)) : text,
  );
  return h(
    'button',
    {
      type: 'button',
      class: 'quote',
      'data-key': key,
      onclick: () => page.openLink(link),
    },
    h('span', { class: 'quote-text', dir: 'auto' }, marked),
    placeLine(link.evidence, link.evidence.headings),
  );
}

/** File and line, with the headings above it where there are any. */
export function placeLine(place: Place, headings: readonly string[] = []): HTMLElement {
  return h(
    'span',
    { class: 'place', title: place.file },
    h('span', { class: 'place-file' }, words(placeName(place))),
    headings.length > 0 && h('span', { class: 'place-headings' }, words(headings.join(' › '))),
  );
}

/** Whether a link is only possible, denied or contradicted, in a word each. */
export function flags(
  link: { readonly hedged: boolean; readonly negated: boolean },
  contradicted: boolean,
): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (link.hedged)
    made.push(
      h('span', { class: 'flag hedged', title: 'The text states this only as possible' }, 'possible'),
    );
  if (link.negated)
    made.push(h('span', { class: 'flag negated', title: 'The text denies this link' }, 'denied'));
  if (contradicted) {
    made.push(
      h('span', { class: 'flag contradicted', title: 'Another statement says otherwise' }, 'contradicted'),
    );
  }
  return made;
}

/** A labelled bar from 0 to 1; the number stands beside it for those who do not see the bar. */
export function meter(value: number, label: string): HTMLElement {
  const fill = h('span', { class: 'meter-fill' });
  fill.style.setProperty('inline-size', `${Math.round(Math.min(1, Math.max(0, value)) * 100)}%`);
  return h('span', { class: 'meter', role: 'img', 'aria-label': label }, fill);
}

export function actionButton(label: string, act: () => void, primary = false): HTMLElement {
  return h('button', { type: 'button', class: primary ? 'button' : 'button secondary', onclick: act }, label);
}
