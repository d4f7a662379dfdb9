/** Makes a picture that stands alone out of the drawn graph: computed colours written out, no style sheet needed. */
import type { Layout } from './layout.ts';

const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;

const MARGIN = 24;

/** SVG source of the whole graph at scale 1 with the page's background, whatever is zoomed or lit just now. */
export function graphToSvg(
  svg: SVGSVGElement,
  layout: Layout,
): { source: string; width: number; height: number } {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const width = Math.ceil(layout.width + MARGIN * 2);
  const height = Math.ceil(layout.height + MARGIN * 2);
  const lighting = svg.classList.contains('lighting');
  svg.classList.remove('lighting');
  const from = svg.querySelectorAll('*');
  const to = copy.querySelectorAll('*');
  for (const [index, element] of from.entries()) {
    const twin = to[index]!;
    const style = getComputedStyle(element);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value && value !== 'none' && value !== 'normal' && value !== 'auto')
        twin.setAttribute(property, value);
      else if (value === 'none' && (property === 'fill' || property === 'stroke'))
        twin.setAttribute(property, value);
    }
    for (const name of ['class', 'tabindex', 'role', 'aria-pressed', 'data-node', 'data-edge'])
      twin.removeAttribute(name);
  }
  svg.classList.toggle('lighting', lighting);
  for (const hit of copy.querySelectorAll('path[stroke="transparent"], path[stroke="rgba(0, 0, 0, 0)"]'))
    hit.remove();
  for (const name of ['class', 'tabindex', 'aria-describedby', 'role']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  copy.firstElementChild?.setAttribute('transform', `translate(${MARGIN},${MARGIN})`);
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  background.setAttribute('width', '100%');
  background.setAttribute('height', '100%');
  background.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(background);
  return { source: new XMLSerializer().serializeToString(copy), width, height };
}

/** The picture as a PNG at twice its size, base64 without prefix. Rejects where the page cannot draw it. */
export async function svgToPng(picture: { source: string; width: number; height: number }): Promise<string> {
  const url = URL.createObjectURL(new Blob([picture.source], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    await new Promise<void>((resolve, reject) => {
      image.addEventListener('load', () => resolve());
      image.addEventListener('error', () => reject(new Error('The graph could not be drawn as an image.')));
      image.src = url;
    });
    // Very large graphs are drawn smaller rather than not at all: browsers limit the area of a canvas.
    const scale = Math.min(2, 8000 / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The graph could not be drawn as an image.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/u, '');
  } finally {
    URL.revokeObjectURL(url);
  }
}
