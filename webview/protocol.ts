/**
 * The border between the webview and its host (the extension, or a test page): every message that crosses it, grouped
 * by direction. Imports nothing but types. Messages are plain JSON, told apart by `kind`.
 *
 * Order of life: the page sends `ready` once; the host answers with `setup` and, where there is one, the current
 * `answer`. A run is named by `run`, a string that the host makes; messages of a run that is no longer the current
 * one are ignored, so late results of a cancelled question do no harm.
 */
import type {
  AnswerView,
  ChainView,
  ConceptView,
  DirectionLabel,
  HopView,
  LinkType,
  LinkView,
  Place,
  RetrievedView,
} from '../server/protocol.ts';

export type {
  AnswerView,
  ChainView,
  ConceptView,
  DirectionLabel,
  HopView,
  LinkType,
  LinkView,
  Place,
  RetrievedView,
};

/** What a person may set for one question. */
export interface AskOptions {
  /** `auto` leaves the way to the classifier. */
  readonly direction: 'auto' | DirectionLabel;
  /** Paths kept in each step of the search, 1 to 10. */
  readonly beamWidth: number;
  /** Chains shown at most, 1 to 10. */
  readonly chains: number;
  /** Passages read for the question, 5 to 100. */
  readonly passages: number;
  /** Whether links that the text states only as possible may be walked. */
  readonly hedged: boolean;
}

/** How the index stands, in the words that the empty states need. */
export type IndexState =
  | { readonly state: 'no-folder' }
  /** Nothing indexed yet; `documents` is how many files would be read. */
  | { readonly state: 'missing'; readonly documents: number }
  /** The folder holds no file that can be read. */
  | { readonly state: 'no-documents' }
  | {
      readonly state: 'indexing' | 'paused';
      readonly done: number;
      readonly total: number;
      /** Whether passages already indexed can be asked about. */
      readonly usable: boolean;
    }
  | {
      readonly state: 'ready';
      readonly documents: number;
      readonly passages: number;
      /** Causal statements found; 0 makes the page say so. */
      readonly links: number;
      /** Files left out with a reason. */
      readonly unread: number;
    }
  | { readonly state: 'failed'; readonly message: string };

/** Steps of a run, in order. */
export type RunStep = 'retrieve' | 'extract' | 'build' | 'traverse' | 'answer';

/** A button offered with an error or an empty state; `command` is carried out by the host. */
export interface ActionView {
  readonly label: string;
  readonly command: HostCommand;
}

/** What the page may ask the host to do besides its own messages. A closed list: a page never names a command freely. */
export type HostCommand =
  | 'ask-again'
  | 'index'
  | 'pause-index'
  | 'resume-index'
  | 'rebuild-index'
  | 'open-folder'
  | 'show-documents'
  | 'settings'
  | 'show-log'
  | 'restart-server'
  | 'walkthrough'
  | 'copy-diagnostics';

/** Everything a run has found so far; each field, where given, replaces what came before. */
export interface PartialAnswer {
  readonly direction?: AnswerView['direction'];
  readonly retrieved?: readonly RetrievedView[];
  readonly concepts?: readonly ConceptView[];
  readonly links?: readonly LinkView[];
  readonly chains?: readonly ChainView[];
  /** The answer's words so far; shown with a caret until the run ends. */
  readonly answerText?: string;
}

/** Host to webview. */
export type ToWebview =
  /** Answers `ready`, and is sent again when settings or the index change. */
  | {
      readonly kind: 'setup';
      /** The settings' values: what a question is asked with unless changed on the page. */
      readonly defaults: AskOptions;
      readonly index: IndexState;
      /** Questions to offer while nothing was asked, for example of the sample folder. */
      readonly suggestions?: readonly string[];
    }
  /** The index moved on. */
  | { readonly kind: 'index'; readonly index: IndexState }
  /** A run began, whoever asked. What the page shows of the former answer is put away. */
  | {
      readonly kind: 'started';
      readonly run: string;
      readonly question: string;
      readonly options: AskOptions;
    }
  /** What is being done now. `done` of `total` where it can be counted. */
  | {
      readonly kind: 'progress';
      readonly run: string;
      readonly step: RunStep;
      readonly message: string;
      readonly done?: number;
      readonly total?: number;
    }
  /** Something was found. */
  | { readonly kind: 'partial'; readonly run: string; readonly found: PartialAnswer }
  /** The run ended with an answer, which also may be "your documents do not say". */
  | { readonly kind: 'answer'; readonly run: string; readonly view: AnswerView; readonly options: AskOptions }
  /** The run was cancelled; what was found stays on show. */
  | { readonly kind: 'cancelled'; readonly run: string }
  /** The run failed, with a way on. */
  | {
      readonly kind: 'failed';
      readonly run: string;
      readonly message: string;
      readonly detail?: string;
      readonly actions?: readonly ActionView[];
    }
  /** Files that the shown answer rests on have changed since; an empty list takes the banner away. */
  | { readonly kind: 'stale'; readonly files: readonly string[] }
  /** The editor's cursor stands on evidence: light these links. An empty list puts the light out. */
  | { readonly kind: 'highlight'; readonly links: readonly number[] }
  /** Show this in the page (from a tree view, for example): selects it and brings it into view. */
  | { readonly kind: 'reveal'; readonly target: Target }
  /** What `expand` found; merged into the shown graph by id. Empty lists say that there is nothing more. */
  | {
      readonly kind: 'expanded';
      readonly concept: number;
      readonly concepts: readonly ConceptView[];
      readonly links: readonly LinkView[];
    }
  /** `expand` could not be done. */
  | { readonly kind: 'expand-failed'; readonly concept: number; readonly message: string }
  /** Puts words into the question field, and the focus there, without asking. */
  | { readonly kind: 'compose'; readonly question: string }
  /** Asks for the graph as drawn; answered by `exported` with the same `request`. */
  | { readonly kind: 'export'; readonly request: string; readonly format: 'svg' | 'png' };

/** Something on the page that can be selected. */
export type Target =
  | { readonly kind: 'chain'; readonly chain: number }
  | { readonly kind: 'hop'; readonly hop: number }
  | { readonly kind: 'link'; readonly link: number }
  | { readonly kind: 'concept'; readonly concept: number };

/** Webview to host. */
export type ToHost =
  /** The page listens. `restored`: it already shows a kept answer, and needs only `setup`. */
  | { readonly kind: 'ready'; readonly restored: boolean }
  /** Ask; the host answers with `started`. */
  | { readonly kind: 'ask'; readonly question: string; readonly options: AskOptions }
  /** Stop the run; the host answers with `cancelled`. */
  | { readonly kind: 'cancel'; readonly run: string }
  /**
   * Open a file beside, select `place` there and reveal it. For a hop or a link, `link` holds the places to colour:
   * the evidence, and in it cause, relation and effect. Places are the very objects that the host sent.
   */
  | { readonly kind: 'open'; readonly place: Place; readonly link: LinkPlaces | null }
  /** More links of a concept than the answer holds; answered by `expanded` or `expand-failed`. */
  | { readonly kind: 'expand'; readonly concept: number }
  /** What is selected on the page, so that tree views can follow; null when nothing is. */
  | { readonly kind: 'selected'; readonly target: Target | null }
  /** Copy the answer with its citations as Markdown. */
  | { readonly kind: 'copy-answer' }
  /** Run one of the host's commands. */
  | { readonly kind: 'command'; readonly command: HostCommand }
  /** The graph as drawn: SVG source, or a PNG as base64 without prefix; `error` where it could not be made. */
  | {
      readonly kind: 'exported';
      readonly request: string;
      readonly format: 'svg' | 'png';
      readonly data?: string;
      readonly error?: string;
    }
  /** A fault inside the page, for the log. */
  | { readonly kind: 'fault'; readonly message: string };

/** The places to mark for one link. */
export interface LinkPlaces {
  readonly evidence: Place;
  readonly cause: Place;
  readonly relation: Place | null;
  readonly effect: Place;
}
