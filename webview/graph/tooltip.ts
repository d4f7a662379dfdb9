/** The full words of what is pointed at: what labels had to cut can always be read here. */
import type { ZoomTransform } from 'd3-zoom';
import { h } from '../dom.ts';
import { describeEdge, describeNode } from './describe.ts';
import type { Picture } from './scene.ts';
import type { Spot } from './walk.ts';

export class Tooltip {
  readonly element: HTMLElement;

  constructor() {
    this.element = h('div', { class: 'tooltip', role: 'presentation', hidden: true });
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Shows below the spot, or above it where there is no room. `box` is the size of the graph's frame. */
  show(picture: Picture, spot: Spot, transform: ZoomTransform, box: { width: number; height: number }): void {
    const { layout, known, graph, cards } = picture;
    const point = spot.kind === 'node' ? layout.nodes.get(spot.id) : layout.edges.get(spot.id)?.middle;
    if (!point) return;
    this.element.hidden = false;
    if (spot.kind === 'node') {
      const text = describeNode(known.nodes.get(spot.id)!, graph.hiddenNeighbours.get(spot.id) ?? 0);
      this.element.replaceChildren(h('div', { dir: 'auto' }, text));
    } else {
      const edge = known.edges.get(spot.id)!;
      const quote = edge.links[0]?.evidence.text;
      this.element.replaceChildren(h('div', { dir: 'auto' }, describeEdge(edge, known)));
      if (quote) this.element.append(h('div', { class: 'tooltip-quote', dir: 'auto' }, quote));
    }
    const reach = (spot.kind === 'node' ? cards.get(spot.id)!.height / 2 : 12) * transform.k + 10;
    const [x, y] = transform.apply([point[0], point[1]]);
    const own = this.element.getBoundingClientRect();
    const below = y + reach + own.height < box.height || y < box.height / 2;
    const left = Math.max(4, Math.min(box.width - own.width - 4, x - own.width / 2));
    const top = below ? y + reach : Math.max(4, y - reach - own.height);
    this.element.style.setProperty('left', `${Math.round(left)}px`);
    this.element.style.setProperty('top', `${Math.round(top)}px`);
  }
}
