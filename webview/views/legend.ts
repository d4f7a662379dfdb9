/** What the forms mean, and at the same time the filter by type and by document. */

import { LINK_TYPES } from '../../models/protocol.ts';
import { h, refill, s } from '../dom.ts';
import { ARROWS } from '../graph/shapes.ts';
import type { Page, Part } from '../page.ts';
import type { LinkType } from '../protocol.ts';
import { knowledge, type State } from '../state.ts';
import { TYPE_NAMES } from '../text.ts';

export function legend(page: Page): Part {
  const element = h('div', {
    class: 'legend',
    id: 'graph-legend',
    role: 'group',
    'aria-label': 'Legend and filter',
    hidden: true,
  });
  return {
    element,
    update(state, before) {
      element.hidden = !state.look.legend;
      if (element.hidden) return;
      if (
        before !== null &&
        before.look === state.look &&
        before.found === state.found &&
        before.extra === state.extra
      )
        return;
      const known = knowledge(state);
      const counts = new Map<LinkType, number>();
      const files = new Map<string, number>();
      for (const link of known.links.values()) {
        counts.set(link.type, (counts.get(link.type) ?? 0) + 1);
        files.set(link.evidence.file, (files.get(link.evidence.file) ?? 0) + 1);
      }
      refill(
        element,
        h(
          'fieldset',
          {},
          h('legend', { class: 'small-title' }, 'Types'),
          LINK_TYPES.filter((type) => counts.has(type)).map((type) =>
            typeBox(page, state, type, counts.get(type)!),
          ),
        ),
        h(
          'fieldset',
          { class: 'files' },
          h('legend', { class: 'small-title' }, 'Documents'),
          [...files].sort().map(([file, number]) => fileBox(page, state, file, number)),
        ),
        h('div', { class: 'signs' }, h('h3', { class: 'small-title' }, 'Signs'), h('ul', {}, signs())),
      );
    },
  };
}

function typeBox(page: Page, state: State, type: LinkType, number: number): HTMLElement {
  const { hiddenTypes } = state.look;
  return box(
    `type-${type}`,
    !hiddenTypes.includes(type),
    (on) =>
      page.look({ hiddenTypes: on ? hiddenTypes.filter((other) => other !== type) : [...hiddenTypes, type] }),
    [sample(type), TYPE_NAMES[type], h('span', { class: 'count' }, String(number))],
  );
}

function fileBox(page: Page, state: State, file: string, number: number): HTMLElement {
  const { hiddenFiles } = state.look;
  return box(
    `file-${file}`,
    !hiddenFiles.includes(file),
    (on) =>
      page.look({ hiddenFiles: on ? hiddenFiles.filter((other) => other !== file) : [...hiddenFiles, file] }),
    [h('bdi', { class: 'file-name', title: file }, file), h('span', { class: 'count' }, String(number))],
  );
}

function box(
  key: string,
  checked: boolean,
  change: (on: boolean) => void,
  label: (Element | string)[],
): HTMLElement {
  const input = h('input', {
    type: 'checkbox',
    checked,
    'data-key': key,
    onchange: () => change(input.checked),
  });
  return h('label', { class: 'check' }, input, label);
}

/** A short arrow of the type's form. */
function sample(type: LinkType): SVGSVGElement {
  const form = ARROWS[type];
  const sign = form.sign
    ? s(
        'g',
        { class: 'sign', transform: 'translate(21,8)' },
        s('circle', { r: 5.5 }),
        s('path', { d: form.sign === '+' ? 'M-3,0H3M0,-3V3' : 'M-3,0H3' }),
      )
    : null;
  return s(
    'svg',
    { class: 'sample', width: 40, height: 16, viewBox: '0 0 40 16', 'aria-hidden': 'true' },
    s(
      'g',
      { class: `edge on-chain ${form.family}` },
      s('path', { class: 'line', d: `M2,8 H${38 - form.inset}`, 'stroke-width': form.width }),
      s(
        'g',
        { transform: 'translate(38,8)' },
        s('path', { class: form.filled ? 'head filled' : 'head', d: form.head }),
      ),
      sign,
    ),
  );
}

function signs(): HTMLElement[] {
  const picture = (...children: SVGElement[]) =>
    s(
      'svg',
      { class: 'sample', width: 40, height: 16, viewBox: '0 0 40 16', 'aria-hidden': 'true' },
      children,
    );
  const edge = (className: string, ...children: SVGElement[]) =>
    picture(
      s(
        'g',
        { class: `edge on-chain drives ${className}` },
        s('path', { class: 'line', d: 'M2,8 H38', 'stroke-width': 1.75 }),
        children,
      ),
    );
  const item = (sample: SVGElement, label: string) => h('li', {}, sample, label);
  return [
    item(edge('hedged'), 'Possible: the text is not sure'),
    item(
      edge(
        'negated',
        s(
          'g',
          { class: 'cross', transform: 'translate(20,8)' },
          s('circle', { r: 7 }),
          s('path', { d: 'M-3.5,-3.5 L3.5,3.5 M-3.5,3.5 L3.5,-3.5' }),
        ),
      ),
      'Denied: never part of a chain',
    ),
    item(
      edge(
        'contradicted',
        s(
          'g',
          { class: 'clash', transform: 'translate(20,8)' },
          s('path', { d: 'M0,-7.5 L7.5,6 L-7.5,6 Z' }),
          s('path', { class: 'bang', d: 'M0,-3 V1.5 M0,3.4 V4.2' }),
        ),
      ),
      'Contradicted: texts disagree',
    ),
    item(
      picture(
        s(
          'g',
          { class: 'edge join on-chain relates' },
          s('path', { class: 'line', d: 'M2,8 H38', 'stroke-width': 1.25 }),
        ),
      ),
      'Taken as the same thing',
    ),
    item(
      picture(s('g', { class: 'node start' }, s('circle', { class: 'start-dot', cx: 20, cy: 8, r: 4.5 }))),
      'The search started here',
    ),
    item(
      picture(
        s(
          'g',
          { class: 'node' },
          s('rect', { class: 'card', x: 2, y: 4, width: 12, height: 8, rx: 2 }),
          s('rect', { class: 'card', x: 20, y: 1.5, width: 18, height: 13, rx: 3 }),
        ),
      ),
      'Larger: mentioned more often',
    ),
  ];
}
