/**
 * What the server answers with: the shapes that the command line prints as JSON and that the client and the webview
 * show. Imports nothing but types.
 */
import type { DirectionLabel, LinkType } from '../models/protocol.ts';
import type { Place } from './sarg/types.ts';

export type { DirectionLabel, LinkType, Place };

/** One end of a link: clean words, their place in the file, and the concept they belong to. */
export interface MentionView {
  readonly text: string;
  readonly concept: number;
  readonly place: Place;
}

/** The words that make a link checkable. `quote` is the exact text of the file at the place. */
export interface EvidenceView extends Place {
  /** The same sentences without mark-up. */
  readonly text: string;
  /** Headings above the passage, outermost first. */
  readonly headings: readonly string[];
  /** The passage the evidence was read in. */
  readonly passage: string;
}

export interface LinkView {
  readonly id: number;
  readonly cause: MentionView;
  readonly relation: { readonly text: string; readonly place: Place | null };
  readonly effect: MentionView;
  readonly type: LinkType;
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly confidence: number;
  readonly evidence: EvidenceView;
  readonly extractor: string;
}

/** How a hop joins the one before it. */
export type JoinView =
  | { readonly kind: 'same'; readonly concept: number }
  | {
      readonly kind: 'taken-as-same';
      readonly from: string;
      readonly to: string;
      readonly similarity: number;
      readonly price: number;
    };

export interface HopView extends LinkView {
  /** Number by which the answer's sentences cite it, from 1 over all chains. */
  readonly number: number;
  /** Null for a chain's first hop. */
  readonly join: JoinView | null;
  /** Other links that state the same step elsewhere. */
  readonly also: readonly LinkView[];
  /** Why the link was chosen: log-odds that it belongs to the answer, and the signs that make them up; null for the paper's method. */
  readonly why: { readonly logOdds: number; readonly parts: Readonly<Record<string, number>> } | null;
}

export interface ChainView {
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Cause first, whichever way it was walked. */
  readonly hops: readonly HopView[];
  /** The parts of the score, by name. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface ConceptView {
  readonly id: number;
  readonly name: string;
  /** Every wording with its place and the reason it was put here. */
  readonly mentions: readonly { readonly text: string; readonly place: Place; readonly reason: string }[];
}

export interface RetrievedView {
  readonly file: string;
  readonly text: string;
  readonly headings: readonly string[];
  readonly place: Place;
  readonly score: number;
  readonly round: number;
}

export interface AnswerSentence {
  readonly text: string;
  /** Numbers of the hops it rests on. */
  readonly cites: readonly number[];
}

export interface AnswerTextView {
  /** composed: put together from chains and quotes; generated: a language model's; none: the documents do not say. */
  readonly kind: 'composed' | 'generated' | 'none';
  readonly text: string;
  readonly sentences: readonly AnswerSentence[];
  /** Probability that the chains answer the question, 0 to 1. */
  readonly confidence: number;
}

/** Everything about one asked question. */
export interface AnswerView {
  readonly question: string;
  readonly method: 'causeway' | 'paper';
  readonly direction: {
    readonly label: DirectionLabel;
    readonly scores: Readonly<Record<DirectionLabel, number>>;
    /** classifier; person, when set by hand; unsure, when the classifier's confidence was too low and both ways were walked. */
    readonly by: 'classifier' | 'person' | 'unsure';
  };
  readonly retrieved: readonly RetrievedView[];
  readonly concepts: readonly ConceptView[];
  readonly links: readonly LinkView[];
  readonly starts: readonly {
    readonly concept: number;
    readonly phrase: string;
    readonly similarity: number;
  }[];
  readonly chains: readonly ChainView[];
  /** The evidence part of the prompt (equation 6): a chain and the best passage by turns, then the other passages. */
  readonly context: string;
  readonly answer: AnswerTextView;
  /** Milliseconds a step. */
  readonly timings: Readonly<Record<string, number>>;
  readonly counts: {
    /** Passages that the question went over. */
    readonly passagesRead: number;
    /** Of those, the ones whose triples were not known and had to be read out just now. */
    readonly passagesExtracted: number;
    readonly passagesFailed: number;
    /** Triples read out of their passages just now, and triples known from before. */
    readonly triplesExtracted: number;
    readonly triplesFromCache: number;
    readonly concepts: number;
    readonly links: number;
    readonly expansions: number;
    readonly rounds: number;
  };
  readonly models: Readonly<
    Record<'embedder' | 'direction' | 'extractor', { readonly name: string; readonly version: string }>
  >;
}

/*
 * Requests and notifications of our own, beside standard LSP (documents, folders, watched files, cancellation,
 * work-done progress). docs/PROTOCOL.md describes each; a test holds the two together.
 */

/** What a person sets for one question. */
export interface AskSettings {
  /** `auto` leaves the way to the classifier. */
  readonly direction: 'auto' | DirectionLabel;
  /** Continuations kept while walking, 1 to 100. */
  readonly beamWidth: number;
  /** Chains at most, 1 to 100. */
  readonly chains: number;
  /** Passages retrieved first, 1 to 1000. */
  readonly passages: number;
  /** Whether links that the text states only as possible are walked. */
  readonly hedged: boolean;
  /** `paper` is the plain recipe of the SARG paper. */
  readonly method: 'causeway' | 'paper';
  /** Hops of a chain at most, 1 to 20. */
  readonly maxHops: number;
}

/** Settings of the server; sent with `initialize` and again with `workspace/didChangeConfiguration`. */
export interface ServerSettings {
  /** Globs of files to take (empty: all that can be read), and to leave out; relative to each workspace folder. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Look for links in every passage ahead of any question. */
  readonly extractAhead: boolean;
  /** What reads the links; `tagger` is the embedded model. */
  readonly extractor: 'tagger';
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

/** `initializationOptions` of `initialize`: what cannot change while the server runs, and the first settings. */
export interface InitializationOptions {
  /** Folder that holds the index's file; made if need be. */
  readonly indexFolder: string;
  /** The Node binary that runs the models; empty for the server's own. */
  readonly modelsNode: string;
  /** Threads the models compute with; 0 for what quota and affinity allow. */
  readonly threads: number;
  readonly settings: ServerSettings;
}

/**
 * A folder of the workspace. A `Place.file` starts with `prefix`; the rest is the path within the folder. The prefix
 * is empty while there is one folder, else the folder's name and a slash.
 */
export interface FolderView {
  readonly prefix: string;
  readonly uri: string;
}

/** How the index stands. */
export interface IndexStatus {
  /**
   * closed: not opened yet; no-folder: nothing to index; running: a pass is on; paused: by the person; ready: in step
   * with the folder; failed: see `message`.
   */
  readonly state: 'closed' | 'no-folder' | 'running' | 'paused' | 'ready' | 'failed';
  /** What the running pass is doing; null when none runs. */
  readonly pass: {
    readonly phase: 'files' | 'embed' | 'extract';
    readonly done: number;
    readonly total: number;
    readonly file?: string;
  } | null;
  /** Files in the index, files left out with a reason, passages, passages read for links, links found in them. */
  readonly files: number;
  readonly unread: number;
  readonly passages: number;
  readonly read: number;
  readonly links: number;
  readonly folders: readonly FolderView[];
  /** What went wrong, or what a person should know; empty otherwise. */
  readonly message: string;
}

/** One file as the index knows it. */
export interface DocumentView {
  readonly file: string;
  readonly state: 'indexed' | 'failed' | 'skipped';
  /** Why it was not indexed; null for indexed files. */
  readonly reason: string | null;
  readonly title: string;
  /** What its reader left out or found odd. */
  readonly notes: readonly string[];
}

export interface AskParams {
  readonly question: string;
  readonly options: AskSettings;
  /** Token for standard work-done progress. */
  readonly workDoneToken?: string | number;
  /** Token for {@link AskPartial} by `$/progress`. */
  readonly partialResultToken?: string | number;
}

/** Steps of a question, in order. */
export type AskStep = 'index' | 'retrieve' | 'extract' | 'build' | 'traverse' | 'answer';

/** What a running question has come to. In `found`, each field given replaces what came before. */
export type AskPartial =
  | {
      readonly kind: 'progress';
      readonly step: AskStep;
      readonly message: string;
      readonly done?: number;
      readonly total?: number;
    }
  | {
      readonly kind: 'found';
      readonly found: {
        readonly direction?: AnswerView['direction'];
        readonly retrieved?: readonly RetrievedView[];
        readonly concepts?: readonly ConceptView[];
        readonly links?: readonly LinkView[];
        readonly chains?: readonly ChainView[];
      };
    };

export interface AskResult {
  /** Names the answer in `causeway/explain` and `causeway/expand` as long as the server remembers it. */
  readonly answer: string;
  readonly view: AnswerView;
  /** The folders as the answer's places name them. */
  readonly folders: readonly FolderView[];
  /** The index was not in step when the question was asked: passages that had no vector yet; 0 when it was. */
  readonly waiting: number;
}

export interface ExplainParams {
  readonly answer: string;
  /** Id of a link of that answer. */
  readonly link: number;
}

/** Why a link was taken or left, beside the links that compete with it. */
export interface ExplainResult {
  readonly link: LinkView;
  /** Log-odds to belong to the answer with the signs that make them up; null where the method judges no links. */
  readonly why: HopView['why'];
  /** Its place among all judged links of the question, from 1, and how many there are. */
  readonly rank: number;
  readonly of: number;
  /** Other links that leave the same cause or reach the same effect, likeliest first. */
  readonly rivals: readonly { readonly link: LinkView; readonly logOdds: number | null }[];
}

export interface ExpandParams {
  readonly answer: string;
  /** Id of a concept of that answer. */
  readonly concept: number;
}

/** Further links of the concept, and the concepts at their other ends; ids go on from the answer's. */
export interface ExpandResult {
  readonly concepts: readonly ConceptView[];
  readonly links: readonly LinkView[];
}

export interface Diagnostics {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly pid: number;
  /** Resident memory of the server, in bytes. */
  readonly memory: number;
  readonly models: { readonly state: string; readonly message: string; readonly pid: number | null };
  readonly identities: Readonly<Record<string, string>>;
  readonly index: IndexStatus;
  readonly openDocuments: number;
  /** Passes over the folder since the index was opened. */
  readonly passes: number;
}

/** Requests, client to server: parameters, result, and partial results where there are any. */
export interface ServerRequests {
  /** Asks a question. Cancelled by `$/cancelRequest`; streams {@link AskPartial}. */
  'causeway/ask': { params: AskParams; result: AskResult; partial: AskPartial };
  /** Why a link of an answer was taken or left. */
  'causeway/explain': { params: ExplainParams; result: ExplainResult; partial: never };
  /** More links of a concept than its answer holds. */
  'causeway/expand': { params: ExpandParams; result: ExpandResult; partial: never };
  /** Steers the index; answers at once with how it stands. */
  'causeway/index': {
    params: { readonly action: 'status' | 'update' | 'pause' | 'resume' | 'rebuild' };
    result: IndexStatus;
    partial: never;
  };
  /** Every file the index knows. */
  'causeway/documents': {
    params: Record<string, never>;
    result: { readonly documents: readonly DocumentView[] };
    partial: never;
  };
  /** Starts the model process afresh. */
  'causeway/restartModels': { params: Record<string, never>; result: null; partial: never };
  /** What a report of a fault should hold; no text of any document. */
  'causeway/diagnostics': { params: Record<string, never>; result: Diagnostics; partial: never };
}

/** Notifications, server to client. */
export interface ServerNotifications {
  /** The index moved on; at most ten a second. */
  'causeway/indexChanged': IndexStatus;
  /** Files whose content differs from what the index held before: answers that rest on them are stale. */
  'causeway/documentsChanged': { readonly files: readonly string[] };
  /** The model process changed its state. */
  'causeway/modelsChanged': {
    readonly state: 'starting' | 'ready' | 'restarting' | 'failed' | 'stopped';
    readonly message: string;
  };
  /** Something a person should know, in words. */
  'causeway/notice': { readonly message: string };
}
