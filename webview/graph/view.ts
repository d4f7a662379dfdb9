/** The graph on the page: draws, zooms, lights, and hands on what the person does. Owns its elements and listeners. */
import { select } from 'd3-selection';
import { type D3ZoomEvent, zoom, zoomIdentity, zoomTransform } from 'd3-zoom';
import { h, icon, s } from '../dom.ts';
import { card, type MeasureAt, tag } from './cards.ts';
import { graphToSvg } from './export.ts';
import { type Framing, home, neededHeight, READABLE, whole } from './framing.ts';
import type { Knowledge } from './knowledge.ts';
import { type Flow, type Layout, layOut } from './layout.ts';
import type { Light } from './light.ts';
import { measurer, reducedMotion } from './measure.ts';
import { drawScene, type Picture } from './scene.ts';
import { ARROWS } from './shapes.ts';
import { Tooltip } from './tooltip.ts';
import type { VisibleGraph } from './visible.ts';
import { type Spot, type Step, walk } from './walk.ts';

export interface GraphListener {
  /** Click or Enter. */
  activate(spot: Spot): void;
  expand(concept: number): void;
  /** Pointer or focus came to something, or left. */
  point(spot: Spot | null): void;
  moved(transform: Framing | null): void;
  escape(): void;
}

const KEYS: Readonly<Record<string, Step>> = {
  ArrowLeft: 'back',
  ArrowRight: 'on',
  ArrowUp: 'previous',
  ArrowDown: 'next',
  Home: 'first',
  End: 'last',
};

export class GraphView {
  readonly element: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #scene: SVGGElement;
  readonly #tooltip = new Tooltip();
  readonly #listener: GraphListener;
  readonly #zoom = zoom<SVGSVGElement, unknown>();
  readonly #resize: ResizeObserver;
  #picture: Picture | null = null;
  /** Kept in view when the size changes: the first view, everything, or what the person chose. */
  #framing: 'home' | 'whole' | 'own' = 'home';
  #spot: Spot | null = null;
  #measure: MeasureAt;
  #size = { width: 0, height: 0 };

  constructor(listener: GraphListener) {
    this.#listener = listener;
    this.#measure = measurer();
    this.#scene = s('g', { class: 'scene' }, s('g', { class: 'edges' }), s('g', { class: 'nodes' }));
    this.#svg = s(
      'svg',
      { class: 'graph-svg', role: 'group', tabindex: -1, 'aria-describedby': 'graph-keys' },
      this.#scene,
    );
    const button = (name: 'plus' | 'minus' | 'fit', label: string, act: () => void) =>
      h(
        'button',
        { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick: act },
        icon(name),
      );
    this.element = h(
      'div',
      { class: 'graph' },
      this.#svg,
      h(
        'div',
        { class: 'graph-zoom', role: 'group', 'aria-label': 'Zoom' },
        button('plus', 'Zoom in', () => this.zoomBy(1.3)),
        button('minus', 'Zoom out', () => this.zoomBy(1 / 1.3)),
        button('fit', 'Fit the whole graph', () => this.fit(true)),
      ),
      this.#tooltip.element,
      h(
        'p',
        { id: 'graph-keys', class: 'visually-hidden' },
        'Left and right follow links, up and down go to siblings, Enter opens the words, E shows neighbours, plus and minus zoom, 0 fits.',
      ),
    );
    this.#listen();
    this.#resize = new ResizeObserver(() => this.#resized());
    this.#resize.observe(this.element);
  }

  dispose(): void {
    this.#resize.disconnect();
    this.element.remove();
  }

  /** Which way the graph flows for a setting: `auto` goes down where left to right would need endless panning. */
  flowFor(setting: 'auto' | Flow): Flow {
    if (setting !== 'auto') return setting;
    return this.element.clientWidth > 0 && this.element.clientWidth < 460 ? 'down' : 'right';
  }

  /** Draws; keeps the person's zoom unless there is none yet, or `refit`. */
  draw(known: Knowledge, graph: VisibleGraph, flow: Flow, keepAt: Framing | null, refit: boolean): void {
    const narrow = flow === 'down' && this.element.clientWidth < 460;
    const room = narrow ? { name: 96, relation: 74 } : { name: 128, relation: 124 };
    const cards = new Map(graph.nodes.map((node) => [node.id, card(node, this.#measure, room)]));
    const tags = new Map(
      graph.edges.flatMap((edge) => {
        const made = tag(edge, this.#measure, room);
        return made ? [[edge.id, made] as const] : [];
      }),
    );
    const layout = layOut(
      graph.nodes.map((node) => ({
        id: node.id,
        width: cards.get(node.id)!.width,
        height: cards.get(node.id)!.height,
      })),
      graph.edges.map((edge) => {
        const label = tags.get(edge.id);
        return {
          id: edge.id,
          source: edge.source,
          target: edge.target,
          weight: edge.chains.length > 0 ? 10 / (1 + edge.chains[0]!) + 4 : edge.negated ? 0.5 : 1,
          ...(label
            ? {
                label: {
                  width: label.width + (edge.type && ARROWS[edge.type].sign && flow === 'right' ? 26 : 10),
                  height: label.height + (flow === 'down' && edge.type && ARROWS[edge.type].sign ? 14 : 0),
                },
              }
            : {}),
        };
      }),
      flow,
      {
        along: flow === 'right' ? 22 : 24,
        across: flow === 'right' ? 22 : 18,
        wrapAt: narrow ? Number.MAX_SAFE_INTEGER : Math.max(900, this.element.clientWidth),
      },
    );
    const before = this.#picture;
    // A fading layer for each of hundreds of nodes costs more than it pleases.
    this.#svg.classList.toggle('many', graph.nodes.length > 120);
    this.#picture = { known, graph, layout, cards, tags, flow };
    const animate = before !== null && before.flow === flow && !reducedMotion();
    drawScene(this.#scene, this.#picture, animate);
    this.#svg.setAttribute(
      'aria-label',
      `Reasoning graph: ${graph.nodes.length} concepts, ${graph.edges.length} links`,
    );
    this.#rove();
    this.#adaptHeight(layout);
    // An overview where only dots can be seen shows nothing; then the first chain is the better start.
    if (refit && whole(layout, this.#box()).k > 0.2) this.fit(false);
    else if (refit) this.#home(true);
    else if (keepAt) this.#go(keepAt, false, 'own');
    else this.#home(before === null);
  }

  /** Everything in view. */
  fit(animate: boolean): void {
    const { layout } = this.#picture ?? {};
    if (!layout) return;
    this.#go(whole(layout, this.#box()), animate, 'whole');
  }

  zoomBy(factor: number): void {
    const current = zoomTransform(this.#svg);
    const { width, height } = this.#box();
    const k = Math.min(3, Math.max(0.1, current.k * factor));
    const [x, y] = current.invert([width / 2, height / 2]);
    this.#go({ k, x: width / 2 - x * k, y: height / 2 - y * k }, true, 'own');
  }

  /** Lights some and dims the rest; null lights all alike. */
  light(light: Light | null): void {
    this.#svg.classList.toggle('lighting', light !== null);
    for (const element of this.#scene.querySelectorAll<SVGGElement>('g.node, g.edge')) {
      const node = element.dataset.node;
      const lit =
        light !== null &&
        (node !== undefined ? light.nodes.has(Number(node)) : light.edges.has(element.dataset.edge!));
      element.classList.toggle('lit', lit);
    }
  }

  /** Marks as selected, as found by the search, and as under the editor's cursor. */
  mark(selected: Spot | null, matches: ReadonlySet<number>, cursor: ReadonlySet<string>): void {
    for (const element of this.#scene.querySelectorAll<SVGGElement>('g.node, g.edge')) {
      const { node, edge } = element.dataset;
      const isSelected =
        selected !== null && (selected.kind === 'node' ? node === String(selected.id) : edge === selected.id);
      element.classList.toggle('selected', isSelected);
      // Writing only what changes keeps 300 nodes fluid.
      if (element.getAttribute('aria-pressed') !== String(isSelected)) {
        element.setAttribute('aria-pressed', String(isSelected));
      }
      element.classList.toggle('match', node !== undefined && matches.has(Number(node)));
      element.classList.toggle('under-cursor', edge !== undefined && cursor.has(edge));
    }
  }

  /** Pans so that this can be seen; does nothing where it already is. */
  reveal(spot: Spot): void {
    const layout = this.#picture?.layout;
    if (!layout) return;
    const point = spot.kind === 'node' ? layout.nodes.get(spot.id) : layout.edges.get(spot.id)?.middle;
    if (!point) return;
    const current = zoomTransform(this.#svg);
    const { width, height } = this.#box();
    const [x, y] = current.apply([point[0], point[1]]);
    const k = Math.max(current.k, READABLE);
    if (x > 60 && x < width - 60 && y > 30 && y < height - 30 && k === current.k) return;
    this.#go({ k, x: width / 2 - point[0] * k, y: height / 2 - point[1] * k }, true, 'own');
  }

  /** The keyboard's focus onto a node or an edge. */
  focus(spot: Spot): void {
    this.#spot = spot;
    this.#rove();
    this.#find(spot)?.focus({ preventScroll: true });
    this.reveal(spot);
  }

  /** The graph as it is drawn, as a picture that stands alone. */
  toSvg(): { source: string; width: number; height: number } | null {
    return this.#picture && graphToSvg(this.#svg, this.#picture.layout);
  }

  #find(spot: Spot): SVGGElement | null {
    const wanted = spot.kind === 'node' ? String(spot.id) : spot.id;
    for (const element of this.#scene.querySelectorAll<SVGGElement>(
      spot.kind === 'node' ? 'g.node' : 'g.edge',
    )) {
      if ((spot.kind === 'node' ? element.dataset.node : element.dataset.edge) === wanted) return element;
    }
    return null;
  }

  /** Exactly one node or edge is in the tab order. */
  #rove(): void {
    const graph = this.#picture?.graph;
    if (!graph) return;
    const here = this.#spot && this.#find(this.#spot);
    if (!here) {
      const first = graph.edges.find((edge) => edge.hops.includes(1));
      const id = first?.source ?? graph.nodes[0]?.id;
      this.#spot = id === undefined ? null : { kind: 'node', id };
    }
    for (const element of this.#scene.querySelectorAll('[tabindex="0"]'))
      element.setAttribute('tabindex', '-1');
    if (this.#spot) this.#find(this.#spot)?.setAttribute('tabindex', '0');
  }

  #box(): { width: number; height: number } {
    return { width: this.element.clientWidth || 600, height: this.element.clientHeight || 320 };
  }

  /** The frame is as high as its graph needs, within bounds that CSS sets. */
  #adaptHeight(layout: Layout): void {
    const needs = neededHeight(layout, this.element.clientWidth || 600);
    this.element.style.setProperty('--graph-needs', `${needs}px`);
  }

  #home(first: boolean): void {
    const { layout, graph, flow, cards } = this.#picture!;
    const lead = graph.edges.find((edge) => edge.hops.includes(1))?.source ?? graph.nodes[0]?.id;
    const point = lead === undefined ? undefined : layout.nodes.get(lead);
    const start = point ? { point, size: cards.get(lead!)! } : null;
    this.#go(home(layout, start, flow, this.#box()), !first, 'home');
  }

  #go(framing: Framing, animate: boolean, how: 'home' | 'whole' | 'own'): void {
    const to = zoomIdentity.translate(framing.x, framing.y).scale(framing.k);
    const target = select(this.#svg);
    this.#framing = how;
    if (animate && !reducedMotion()) target.transition().duration(200).call(this.#zoom.transform, to);
    else target.interrupt().call(this.#zoom.transform, to);
    this.#listener.moved(how === 'own' ? framing : null);
  }

  #resized(): void {
    const { width, height } = this.#box();
    if (width === this.#size.width && height === this.#size.height) return;
    this.#size = { width, height };
    if (!this.#picture) return;
    this.#adaptHeight(this.#picture.layout);
    if (this.#framing === 'whole') this.fit(false);
    else if (this.#framing === 'home') this.#home(true);
  }

  #listen(): void {
    this.#zoom
      .scaleExtent([0.1, 3])
      // The wheel scrolls the page; it zooms with Ctrl, or once the graph has been clicked into.
      .filter((event: WheelEvent & MouseEvent) =>
        event.type === 'wheel'
          ? event.ctrlKey || event.metaKey || this.#svg.contains(document.activeElement)
          : !event.button && !event.ctrlKey,
      )
      .on('start', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        if (event.sourceEvent) this.#tooltip.hide();
      })
      .on('zoom', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.#scene.setAttribute('transform', event.transform.toString());
        // From afar names cannot be read; then the chains' course is what the picture has to tell.
        this.#svg.classList.toggle('far', event.transform.k < 0.5);
      })
      .on('end', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        if (!event.sourceEvent) return;
        this.#framing = 'own';
        const { k, x, y } = event.transform;
        this.#listener.moved({ k, x, y });
      });
    select(this.#svg).call(this.#zoom).on('dblclick.zoom', null);

    this.#svg.addEventListener('pointerdown', (event) => {
      if (event.target === this.#svg) this.#svg.focus({ preventScroll: true });
    });
    this.#svg.addEventListener('click', (event) => {
      const more = (event.target as Element).closest('.badge.more');
      const spot = this.#spotOf(event.target);
      if (!spot) return;
      this.#spot = spot;
      this.#rove();
      if (more && spot.kind === 'node') this.#listener.expand(spot.id);
      else this.#listener.activate(spot);
    });
    this.#svg.addEventListener('pointerover', (event) => this.#point(event.target));
    this.#svg.addEventListener('pointerleave', () => this.#point(null));
    this.#svg.addEventListener('focusin', (event) => {
      const spot = this.#spotOf(event.target);
      if (spot) this.#spot = spot;
      this.#rove();
      if ((event.target as Element).matches(':focus-visible')) this.#point(event.target);
    });
    this.#svg.addEventListener('focusout', () => this.#point(null));
    this.#svg.addEventListener('keydown', (event) => this.#key(event));
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const spot = this.#spotOf(event.target) ?? this.#spot;
    const picture = this.#picture;
    if (!picture) return;
    const step = KEYS[event.key];
    if (step && spot) {
      const to = walk(spot, step, picture.graph, picture.layout);
      if (to) this.focus(to);
    } else if ((event.key === 'Enter' || event.key === ' ') && spot) this.#listener.activate(spot);
    else if (event.key === 'e' && spot?.kind === 'node') this.#listener.expand(spot.id);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1.3);
    else if (event.key === '-') this.zoomBy(1 / 1.3);
    else if (event.key === '0') this.fit(true);
    else if (event.key === 'Escape') this.#listener.escape();
    else return;
    event.preventDefault();
  }

  #spotOf(target: EventTarget | null): Spot | null {
    const group = target instanceof Element ? target.closest<SVGGElement>('g.node, g.edge') : null;
    if (!group) return null;
    const { node, edge } = group.dataset;
    return node !== undefined ? { kind: 'node', id: Number(node) } : { kind: 'edge', id: edge! };
  }

  #point(target: EventTarget | null): void {
    const spot = this.#spotOf(target);
    this.#listener.point(spot);
    const picture = this.#picture;
    if (!spot || !picture) {
      this.#tooltip.hide();
      return;
    }
    this.#tooltip.show(picture, spot, zoomTransform(this.#svg), this.#box());
  }
}
