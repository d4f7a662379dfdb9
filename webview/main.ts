/** Starts the page: restores what was kept, listens to the host, and lets each part draw itself. */
import { h } from './dom.ts';
import { connect } from './host.ts';
import { keep, restore } from './kept.ts';
import type { Page, Part } from './page.ts';
import type { ToWebview } from './protocol.ts';
import { firstState, receive, type State } from './state.ts';
import { answer } from './views/answer.ts';
import { chains } from './views/chains.ts';
import { canAsk, composer } from './views/composer.ts';
import { empty } from './views/empty.ts';
import { footer } from './views/footer.ts';
import { inspector } from './views/inspector.ts';
import { stage } from './views/stage.ts';
import { status } from './views/status.ts';

const host = connect();
const restored = restore(host.getState());
let state: State = restored ?? firstState();
let drawn: State | null = null;
let frame = 0;
let saving = 0;

const page: Page = {
  get state() {
    return state;
  },
  set(change) {
    state = { ...state, ...change };
    schedule();
  },
  look(change) {
    page.set({ look: { ...state.look, ...change } });
  },
  post: (message) => host.post(message),
  ask(change = {}) {
    if (!canAsk(state)) return;
    const options = { ...state.options, ...change };
    page.set({ options });
    host.post({ kind: 'ask', question: state.draft.trim(), options });
  },
  openLink(link) {
    const places = {
      evidence: link.evidence,
      cause: link.cause.place,
      relation: link.relation.place,
      effect: link.effect.place,
    };
    host.post({ kind: 'open', place: link.evidence, link: places });
  },
  openPlace(place) {
    host.post({ kind: 'open', place, link: null });
  },
  select(target, from) {
    page.set({ selected: target });
    if (target && from !== 'graph') graph.reveal(target);
    host.post({ kind: 'selected', target });
  },
  expand(concept) {
    const expanded = state.look.expanded.includes(concept)
      ? state.look.expanded
      : [...state.look.expanded, concept];
    page.set({
      look: { ...state.look, expanded },
      selected: { kind: 'concept', concept },
      expansion: { ...state.expansion, [concept]: 'asking' },
    });
    host.post({ kind: 'expand', concept });
  },
  command: (command) => (command === 'ask-again' ? page.ask() : host.post({ kind: 'command', command })),
  point: (target) => graph.point(target),
};

const graph = stage(page);
const chainList = chains(page);
const details = inspector(page);
const parts: Part[] = [
  composer(page),
  status(page),
  answer(page),
  empty(page),
  graph,
  details,
  chainList,
  footer(),
];
const workspace = h('div', { class: 'workspace' }, graph.element, details.element, chainList.element);

function schedule(): void {
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

function draw(): void {
  const now = state;
  for (const part of parts) part.update(now, drawn);
  workspace.toggleAttribute('data-inspecting', !details.element.hidden);
  document.body.classList.toggle('running', now.run?.status === 'running');
  drawn = now;
  clearTimeout(saving);
  // Text of an answer may be large: it is written when things have come to rest.
  saving = window.setTimeout(() => host.setState(keep(state)), 150);
}

function handle(message: ToWebview): void {
  if (message.kind === 'export') {
    const { request, format } = message;
    graph
      .exportGraph(format)
      .then((data) => host.post({ kind: 'exported', request, format, data }))
      .catch((error: unknown) =>
        host.post({
          kind: 'exported',
          request,
          format,
          error: error instanceof Error ? error.message : String(error),
        }),
      );
    return;
  }
  state = receive(state, message);
  schedule();
  if (message.kind === 'reveal') {
    requestAnimationFrame(() => {
      graph.reveal(message.target);
      document.querySelector('.hop.selected, .chain.selected')?.scrollIntoView({ block: 'nearest' });
    });
  }
  if (message.kind === 'compose') document.querySelector<HTMLElement>('textarea.question')?.focus();
}

function fault(reason: unknown): void {
  host.post({
    kind: 'fault',
    message: reason instanceof Error ? `${reason.message}\n${reason.stack ?? ''}` : String(reason),
  });
}

window.addEventListener('error', (event) => fault(event.error ?? event.message));
window.addEventListener('unhandledrejection', (event) => fault(event.reason));

document
  .getElementById('causeway')!
  .append(
    h('h1', { class: 'visually-hidden' }, 'Causeway'),
    ...parts.slice(0, 4).map((part) => part.element),
    workspace,
    parts[7]!.element,
  );
host.listen(handle);
draw();
host.post({ kind: 'ready', restored: restored !== null && restored.run !== null });
