/**
 * The border between the server and the model process, and the shapes that both sides share.
 * Imports nothing. Messages travel as JSON-RPC over the child process's IPC channel; each `kind` of request is
 * listed in {@link ModelRequests}, server to model process; {@link ModelNotifications} go the other way.
 *
 * Offsets everywhere are UTF-16 code units in the text that was sent, end exclusive.
 */

export const LINK_TYPES = [
  'causes',
  'enables',
  'prevents',
  'increases',
  'decreases',
  'requires',
  'precedes',
  'condition',
  'spatial',
] as const;
/** What kind of step a link is; the arrow always runs from what comes first logically to what follows. */
export type LinkType = (typeof LINK_TYPES)[number];

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One <cause, relation, effect> as a model found it in a passage. */
export interface SpanTriple {
  readonly cause: Span;
  readonly effect: Span;
  /** The trigger words; null where the link is carried by no word. */
  readonly relation: Span | null;
  readonly type: LinkType;
  /** The text denies the link. */
  readonly negated: boolean;
  /** The text states the link as only possible. */
  readonly hedged: boolean;
  /** Calibrated probability that the triple is right, 0 to 1. */
  readonly confidence: number;
}

export const DIRECTIONS = ['forward', 'backward', 'bidirectional'] as const;
export type DirectionLabel = (typeof DIRECTIONS)[number];

/** Which way a question asks to walk (paper, section 3.4, equation 4). */
export interface Direction {
  readonly label: DirectionLabel;
  /** Calibrated probabilities, summing to 1. */
  readonly scores: Readonly<Record<DirectionLabel, number>>;
}

/** A model's name and version, as results and the index carry it. */
export interface ModelIdentity {
  readonly name: string;
  readonly version: string;
}

export interface ModelsInfo {
  readonly embedder: ModelIdentity & { readonly dimensions: number };
  readonly direction: ModelIdentity;
  readonly tagger: ModelIdentity;
  /** Threads the native runtime uses. */
  readonly threads: number;
  readonly node: string;
  readonly pid: number;
}

/** How a text is used decides its prefix: questions are embedded with the model's query instruction. */
export type EmbedRole = 'query' | 'passage' | 'concept';

/** Requests, server to model process: parameters and result of each. */
export interface ModelRequests {
  /** Names and versions. Loads the catalog and the native runtime, no model: it serves as the probe of a new process. */
  'models/info': { params: Record<string, never>; result: ModelsInfo };
  /** Unit vectors, row by row in one base64 string of little-endian float32. */
  'models/embed': {
    params: { readonly texts: readonly string[]; readonly role: EmbedRole };
    result: { readonly dimensions: number; readonly vectors: string };
  };
  /** Triples of each passage, in the order given. */
  'models/tag': {
    params: { readonly passages: readonly string[] };
    result: { readonly triples: readonly (readonly SpanTriple[])[] };
  };
  /** Direction of each question, in the order given. */
  'models/direct': {
    params: { readonly queries: readonly string[] };
    result: { readonly directions: readonly Direction[] };
  };
  /** Ends the process after the current call. */
  'models/shutdown': { params: Record<string, never>; result: null };
}

/** Notifications, model process to server. */
export interface ModelNotifications {
  /** A line for the log. */
  'models/log': { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string };
}
