/** What the page knows and shows, and how the host's messages change it. Pure. */

import { type Knowledge, know } from './graph/knowledge.ts';
import type {
  ActionView,
  AnswerView,
  AskOptions,
  ChainView,
  ConceptView,
  IndexState,
  LinkType,
  LinkView,
  RetrievedView,
  RunStep,
  Target,
  ToWebview,
} from './protocol.ts';

/** What was found for the current question, whole or in part. */
export interface Found {
  readonly direction: AnswerView['direction'] | null;
  readonly retrieved: readonly RetrievedView[];
  readonly concepts: readonly ConceptView[];
  readonly links: readonly LinkView[];
  readonly chains: readonly ChainView[];
  readonly starts: AnswerView['starts'];
  /** The answer's words while it is being written. */
  readonly answerText: string;
  /** The finished answer. */
  readonly view: AnswerView | null;
}

export interface Run {
  readonly id: string;
  readonly question: string;
  readonly options: AskOptions;
  readonly status: 'running' | 'done' | 'cancelled' | 'failed';
  readonly progress: {
    readonly step: RunStep;
    readonly message: string;
    readonly done: number;
    readonly total: number;
  } | null;
  readonly failure: {
    readonly message: string;
    readonly detail: string;
    readonly actions: readonly ActionView[];
  } | null;
}

/** What the person chose to look at; kept when the page is hidden. */
export interface Look {
  readonly pane: 'graph' | 'table';
  readonly all: boolean;
  readonly expanded: readonly number[];
  readonly hiddenTypes: readonly LinkType[];
  readonly hiddenFiles: readonly string[];
  readonly search: string;
  /** auto: downwards only where there is no room for left to right. */
  readonly flow: 'auto' | 'right' | 'down';
  readonly legend: boolean;
  readonly optionsOpen: boolean;
  /** Hops whose reasons are unfolded in the list of chains. */
  readonly why: readonly number[];
  /** All lines of a long answer are shown. */
  readonly whole: boolean;
  /** Zoom and pan of the graph, null for a fit. */
  readonly transform: { readonly k: number; readonly x: number; readonly y: number } | null;
}

export interface State {
  readonly defaults: AskOptions | null;
  readonly index: IndexState | null;
  readonly suggestions: readonly string[];
  /** The question field. */
  readonly draft: string;
  readonly options: AskOptions;
  readonly run: Run | null;
  readonly found: Found;
  /** Found by expanding concepts. */
  readonly extra: { readonly concepts: readonly ConceptView[]; readonly links: readonly LinkView[] };
  /** Per expanded concept: still asking, nothing more, or a reason why not. */
  readonly expansion: Readonly<Record<number, 'asking' | 'done' | string>>;
  readonly stale: readonly string[];
  readonly look: Look;
  readonly selected: Target | null;
  /** Links under the editor's cursor. */
  readonly lit: readonly number[];
}

export const OPTION_BOUNDS = {
  beamWidth: { least: 1, most: 10 },
  chains: { least: 1, most: 10 },
  passages: { least: 5, most: 100 },
} as const;

export const NOTHING: Found = {
  direction: null,
  retrieved: [],
  concepts: [],
  links: [],
  chains: [],
  starts: [],
  answerText: '',
  view: null,
};

const FIRST_OPTIONS: AskOptions = { direction: 'auto', beamWidth: 3, chains: 3, passages: 20, hedged: true };

export const FIRST_LOOK: Look = {
  pane: 'graph',
  all: false,
  expanded: [],
  hiddenTypes: [],
  hiddenFiles: [],
  search: '',
  flow: 'auto',
  legend: false,
  optionsOpen: false,
  why: [],
  whole: false,
  transform: null,
};

export function firstState(): State {
  return {
    defaults: null,
    index: null,
    suggestions: [],
    draft: '',
    options: FIRST_OPTIONS,
    run: null,
    found: NOTHING,
    extra: { concepts: [], links: [] },
    expansion: {},
    stale: [],
    look: FIRST_LOOK,
    selected: null,
    lit: [],
  };
}

/** The state after a message. Messages of an older run, and those that only the page's parts act on, change nothing. */
export function receive(state: State, message: ToWebview): State {
  switch (message.kind) {
    case 'setup':
      return {
        ...state,
        // Options that the person changed on the page stay; untouched ones follow the settings.
        options:
          state.defaults === null && state.run === null ? message.defaults : follow(state, message.defaults),
        defaults: message.defaults,
        index: message.index,
        suggestions: message.suggestions ?? state.suggestions,
      };
    case 'index':
      return { ...state, index: message.index };
    case 'started':
      return {
        ...state,
        draft: message.question,
        options: message.options,
        run: {
          id: message.run,
          question: message.question,
          options: message.options,
          status: 'running',
          progress: null,
          failure: null,
        },
        found: NOTHING,
        extra: { concepts: [], links: [] },
        expansion: {},
        stale: [],
        selected: null,
        lit: [],
        look: {
          ...state.look,
          all: false,
          expanded: [],
          hiddenTypes: [],
          hiddenFiles: [],
          search: '',
          why: [],
          whole: false,
          transform: null,
        },
      };
    case 'progress':
      return ofRun(state, message.run, (run) => ({
        run: {
          ...run,
          progress: {
            step: message.step,
            message: message.message,
            done: message.done ?? 0,
            total: message.total ?? 0,
          },
        },
      }));
    case 'partial':
      return ofRun(state, message.run, () => ({ found: { ...state.found, ...message.found } }));
    case 'answer': {
      const { view } = message;
      const known = state.run?.id === message.run;
      // An answer may also come without a run: the host restores one, or shows one from its history.
      const fresh = known
        ? state
        : receive(state, {
            kind: 'started',
            run: message.run,
            question: view.question,
            options: message.options,
          });
      return {
        ...fresh,
        run: { ...fresh.run!, status: 'done', progress: null },
        found: foundIn(view),
        stale: [],
      };
    }
    case 'cancelled':
      return ofRun(state, message.run, (run) => ({ run: { ...run, status: 'cancelled', progress: null } }));
    case 'failed':
      return ofRun(state, message.run, (run) => ({
        run: {
          ...run,
          status: 'failed',
          progress: null,
          failure: { message: message.message, detail: message.detail ?? '', actions: message.actions ?? [] },
        },
      }));
    case 'stale':
      return { ...state, stale: message.files };
    case 'highlight':
      return { ...state, lit: message.links };
    case 'reveal':
      return { ...state, selected: message.target };
    case 'expanded': {
      const concepts = fresh([...state.found.concepts, ...state.extra.concepts], message.concepts);
      const links = fresh([...state.found.links, ...state.extra.links], message.links);
      return {
        ...state,
        extra: { concepts: [...state.extra.concepts, ...concepts], links: [...state.extra.links, ...links] },
        expansion: { ...state.expansion, [message.concept]: 'done' },
      };
    }
    case 'expand-failed':
      return { ...state, expansion: { ...state.expansion, [message.concept]: message.message } };
    case 'compose':
      return { ...state, draft: message.question };
    case 'export':
      return state;
  }
}

function ofRun(state: State, run: string, change: (run: Run) => Partial<State>): State {
  return state.run?.id === run ? { ...state, ...change(state.run) } : state;
}

function follow(state: State, defaults: AskOptions): AskOptions {
  const before = state.defaults ?? defaults;
  const touched = JSON.stringify(state.options) !== JSON.stringify(before);
  return touched ? state.options : defaults;
}

function fresh<T extends { readonly id: number }>(known: readonly T[], more: readonly T[]): T[] {
  const ids = new Set(known.map((item) => item.id));
  return more.filter((item) => !ids.has(item.id));
}

export function foundIn(view: AnswerView): Found {
  return {
    direction: view.direction,
    retrieved: view.retrieved,
    concepts: view.concepts,
    links: view.links,
    chains: view.chains,
    starts: view.starts,
    answerText: view.answer.text,
    view,
  };
}

let cache: { found: Found; extra: State['extra']; known: Knowledge } | null = null;

/** The indexed graph of a state; made anew only when what was found changes. */
export function knowledge({ found, extra }: State): Knowledge {
  if (cache?.found !== found || cache.extra !== extra) {
    cache = {
      found,
      extra,
      known: know({
        concepts: [...found.concepts, ...extra.concepts],
        links: [...found.links, ...extra.links],
        chains: found.chains,
        starts: found.starts,
      }),
    };
  }
  return cache.known;
}
