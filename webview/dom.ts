/** The only way this page makes elements: text goes in as text nodes, never as markup. */

type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
export type Child = globalThis.Node | string | null | undefined | false;

/** An HTML element. Attributes that are functions named on… become listeners; null, undefined and false are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly (Child | readonly Child[])[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  apply(element, attributes);
  append(element, children);
  return element;
}

function apply(element: Element, attributes: Readonly<Record<string, Attribute>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    // ARIA states are words: "false" says something else than leaving it out.
    if (typeof value === 'boolean' && name.startsWith('aria-')) {
      element.setAttribute(name, String(value));
      continue;
    }
    if (value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as (event: Event) => void);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element: Element, children: readonly (Child | readonly Child[])[]): void {
  for (const child of children.flat() as Child[]) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Replaces all children, keeping the focus where an element with the same `data-key` comes back. */
export function refill(element: Element, ...children: readonly (Child | readonly Child[])[]): void {
  const active = document.activeElement;
  const key = active && element.contains(active) ? active.getAttribute('data-key') : null;
  element.replaceChildren();
  append(element, children);
  if (key !== null) {
    for (const candidate of element.querySelectorAll<HTMLElement>('[data-key]')) {
      if (candidate.getAttribute('data-key') === key) candidate.focus({ preventScroll: true });
    }
  }
}

/** Document text as it runs in its own direction, kept apart from the text around it. */
export function words(text: string, className?: string): HTMLElement {
  return h('bdi', { class: className ?? null }, text);
}

const ICONS = {
  ask: 'M2.5 8h10.2M8.6 3.8 12.8 8l-4.2 4.2',
  stop: 'M4.5 4.5h7v7h-7z',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  options:
    'M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5M9.5 3.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2zM6.5 9.4a1.6 1.6 0 1 1 0 3.2 1.6 1.6 0 0 1 0-3.2z',
  filter: 'M2.5 3.5h11L9.3 8.6v4.2l-2.6-1.3V8.6z',
  search: 'M7 2.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4zM10.2 10.2l3.3 3.3',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11v.6',
  error: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13.2 2.2v2.9h-2.9',
  why: 'M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2zM6.2 6.4c0-2.4 3.7-2.3 3.7 0 0 1.4-1.8 1.5-1.8 2.9M8.1 11v.7',
  open: 'M9.5 2.5h4v4M13.5 2.5 8 8M11.5 9v4.5h-9v-9H7',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  graph:
    'M2.3 5h4.4v6H2.3zM10 2.3h3.7v4H10zM10 9.7h3.7v4H10zM6.7 8C8.6 8 8 4.3 10 4.3M6.7 8c1.9 0 1.3 3.7 3.3 3.7',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3.5v9',
  right: 'M2.5 8h11M9.7 4.2 13.5 8l-3.8 3.8',
  down: 'M8 2.5v11M4.2 9.7 8 13.5l3.8-3.8',
  expand: 'M3 8h2.5M5.5 8c2.5 0 2-4.5 4.5-4.5h3M5.5 8c2.5 0 2 4.5 4.5 4.5h3',
  check: 'M3 8.5 6.5 12 13 4.5',
} as const;

export type IconName = keyof typeof ICONS;

/** A 16 px line icon, decoration only. */
export function icon(name: IconName): SVGSVGElement {
  return s(
    'svg',
    { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    s('path', { d: ICONS[name] }),
  );
}
