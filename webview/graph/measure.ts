/** What only the browser can tell the graph: how wide a text is, and whether motion is wanted. */
import type { MeasureAt } from './cards.ts';

export function reducedMotion(): boolean {
  return (
    matchMedia('(prefers-reduced-motion: reduce)').matches ||
    document.body.classList.contains('vscode-reduce-motion')
  );
}

/** Measures with the page's own font. A canvas needs no layout, so hundreds of names cost a few milliseconds. */
export function measurer(): MeasureAt {
  const context = document.createElement('canvas').getContext('2d')!;
  const family = getComputedStyle(document.body).fontFamily || 'sans-serif';
  const widths = new Map<string, number>();
  return (size, bold) => (text) => {
    const key = `${size}|${bold}|${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context.font = `${bold ? 600 : 400} ${size}px ${family}`;
      width = context.measureText(text).width;
      if (widths.size > 20_000) widths.clear();
      widths.set(key, width);
    }
    return width;
  };
}
