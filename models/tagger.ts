import { join } from 'node:path';
import { type ModelOptions, readConfig } from './config.ts';
import { breathe, MAX_BATCH, OnnxModel, padBatch } from './onnx.ts';
import { LINK_TYPES, type LinkType, type Span, type SpanTriple } from './protocol.ts';
import type { Encoding, Tokenizer } from './tokenizer.ts';

/** Thresholds, chosen on held-out passages by training/evaluate.py; probabilities unless said otherwise. */
export interface TaggerSettings {
  /** Least for an argument span. */
  readonly span: number;
  /** A span that overlaps a better one by this share or more is dropped. */
  readonly spanOverlap: number;
  /** Most argument spans in a passage. */
  readonly maxSpans: number;
  /** Least for a trigger span. */
  readonly trigger: number;
  /** Least share of a link's attention on its trigger. */
  readonly triggerMass: number;
  /** Least score of a link. */
  readonly link: number;
  /** How much the spans' own probabilities count in a link's score: 0 not at all, 1 their geometric mean. */
  readonly spanWeight: number;
  /** Two links in one direction whose places overlap by this share are one. */
  readonly linkOverlap: number;
  /** Least score of a link that runs against a better one. */
  readonly reverse: number;
  /** Least probability that a link is denied, where a word of denial stands near it. */
  readonly negated: number;
  /** And where none does. */
  readonly negatedClear: number;
  readonly hedged: number;
  /** Least that the passage holds any link. */
  readonly gate: number;
  /** Calibration: confidence = sigmoid(logit(score) / temperature + bias). */
  readonly temperature: number;
  readonly bias: number;
}

interface TaggerConfig {
  readonly version: string;
  readonly labels: readonly string[];
  /** Most pieces in a span. */
  readonly maxWidth: number;
  /** Most pieces that are read at once. */
  readonly maxPieces: number;
  /** Pieces in a window where a passage is longer than that, and how many of them the next one repeats. */
  readonly window: { readonly pieces: number; readonly overlap: number };
  readonly files: { readonly spans: string; readonly pairs: string };
  readonly settings: TaggerSettings;
}

/** A span over pieces, both ends inclusive, with its probability. */
interface Candidate {
  readonly first: number;
  readonly last: number;
  readonly probability: number;
}

interface Link {
  readonly cause: Candidate;
  readonly effect: Candidate;
  readonly relation: Candidate | null;
  readonly type: LinkType;
  readonly negated: boolean;
  readonly hedged: boolean;
  readonly score: number;
}

/** A stretch of a passage that is read at once. */
interface Window {
  readonly passage: number;
  readonly start: number;
  readonly text: string;
  readonly encoding: Encoding;
}

/** What the networks say about one window of n pieces and m candidate spans; flat, row by row. */
interface Readings {
  /** [n, n]: logits of argument and trigger spans. */
  readonly spans: Float32Array;
  readonly triggers: Float32Array;
  /** Logit that there is any link. */
  readonly gate: number;
}

const WORD = /[\p{L}\p{N}]/u;
const SENTENCE_END = /[.!?]["'”’)\]]*\s+|\n+/g;
/**
 * Words that a denial is told with. The network alone is unsure: marking a link as denied only where one of them stands
 * near it lets the bar be low there, so that what is denied is not shown plain, and high elsewhere.
 */
const DENIAL =
  /\b(no|not|non|never|neither|nor|none|nothing|nobody|without|cannot|hardly|seldom|rarely|unrelated|regardless|irrelevant|unaffected|independent|unchanged|rul(?:e|ed|es|ing) out|exclud\w+|refut\w+|reject\w*|den(?:y|ies|ied)|disprov\w+|contradict\w*|fail(?:s|ed)? to|myth|coincidence|wrong\w*|false|blameless|innocent|far from|rather than|instead of|dismiss\w*|unlikely|absent|little)\b|n['’]t\b/i;
/** Pieces around a link's ends that are near. */
const NEAR = 10;

function denialNear({ text, encoding }: Window, a: Candidate, b: Candidate): boolean {
  const first = Math.max(1, Math.min(a.first, b.first) - NEAR);
  const last = Math.min(encoding.ids.length - 2, Math.max(a.last, b.last) + NEAR);
  return DENIAL.test(text.slice(encoding.offsets[first]![0], encoding.offsets[last]![1]));
}

/** Logits of a pair: none, the types, negated, hedged. */
const PAIR_WIDTH = 1 + LINK_TYPES.length + 2;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const logit = (p: number): number => Math.log(p / Math.max(1e-6, 1 - p));

/** Intersection over union of two spans over pieces. */
function overlap(a: Candidate, b: Candidate): number {
  const shared = Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1;
  return shared > 0 ? shared / (Math.max(a.last, b.last) - Math.min(a.first, b.first) + 1) : 0;
}

/** Intersection over union of two spans over characters. */
function shared(a: Span, b: Span): number {
  const length = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return length > 0 ? length / (Math.max(a.end, b.end) - Math.min(a.start, b.start)) : 0;
}

function isWordBefore(text: string, index: number): boolean {
  const low = index >= 2 && /[\udc00-\udfff]/.test(text[index - 1]!);
  return index > 0 && WORD.test(text.slice(index - (low ? 2 : 1), index));
}

function isWordAt(text: string, index: number): boolean {
  return index < text.length && WORD.test(String.fromCodePoint(text.codePointAt(index)!));
}

const splitsWord = (text: string, index: number): boolean =>
  isWordBefore(text, index) && isWordAt(text, index);

/** Leaves off white space, a leading article and trailing punctuation. */
export function trimSpan(text: string, start: number, end: number): Span {
  const skip = () => {
    while (start < end && /\s/.test(text[start]!)) start++;
  };
  skip();
  const article = /^(?:the|an?) /i.exec(text.slice(start, Math.min(end, start + 4)));
  if (article) start += article[0].length;
  skip();
  while (end > start && ' \t\r\n.,;:!?'.includes(text[end - 1]!)) end--;
  return { start, end };
}

/**
 * Reads passages for triples <cause, relation, effect>: one network scores every span as an argument and as a
 * trigger, a second reads each pair of arguments found. How both were made: training/README.md.
 *
 * Passages run one by one: on a processor nothing is gained by running several together, and padding would cost.
 */
export class Tagger implements AsyncDisposable {
  readonly version: string;
  readonly #config: TaggerConfig;
  readonly #tokenizer: Tokenizer;
  readonly #spans: OnnxModel;
  readonly #pairs: OnnxModel;

  private constructor(config: TaggerConfig, tokenizer: Tokenizer, spans: OnnxModel, pairs: OnnxModel) {
    this.version = config.version;
    this.#config = config;
    this.#tokenizer = tokenizer;
    this.#spans = spans;
    this.#pairs = pairs;
  }

  /** @throws ModelFileError, NativeRuntimeError */
  static async load({ directory, tokenizer, threads }: ModelOptions): Promise<Tagger> {
    const config = readConfig<TaggerConfig>(directory, LINK_TYPES, 'link types');
    const spans = await OnnxModel.load(join(directory, config.files.spans), threads);
    const pairs = await OnnxModel.load(join(directory, config.files.pairs), threads);
    return new Tagger(config, tokenizer, spans, pairs);
  }

  /**
   * Triples of each passage, in the order given, by place within a passage.
   * @throws the signal's reason, within one batch's time of its abort
   */
  async tag(
    passages: readonly string[],
    signal: AbortSignal = new AbortController().signal,
  ): Promise<SpanTriple[][]> {
    signal.throwIfAborted();
    const windows = passages.flatMap((text, passage) => this.#windows(text, passage));
    windows.sort((a, b) => b.encoding.ids.length - a.encoding.ids.length || a.passage - b.passage);
    const found: SpanTriple[][] = passages.map(() => []);
    for (let from = 0; from < windows.length; from += MAX_BATCH) {
      for (const window of windows.slice(from, from + MAX_BATCH)) {
        await breathe(signal);
        found[window.passage]!.push(...(await this.#read(window, signal)));
      }
    }
    return found.map((triples) => this.#merge(triples));
  }

  async dispose(): Promise<void> {
    await this.#spans[Symbol.asyncDispose]();
    await this.#pairs[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  /** The passage, or where it is too long windows of it that overlap and end where sentences do. */
  #windows(text: string, passage: number): Window[] {
    const whole = this.#tokenizer.encode(text);
    if (whole.ids.length <= 2) return [];
    if (whole.ids.length <= this.#config.maxPieces) return [{ passage, start: 0, text, encoding: whole }];
    const { pieces, overlap: repeated } = this.#config.window;
    const offsets = whole.offsets.slice(1, -1);
    const ends = new Set([...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length));
    // A piece opens a sentence if a sentence ended after the piece before it.
    const opens = offsets.map(([start], index) => {
      for (let at = index > 0 ? offsets[index - 1]![1] : 0; at <= start; at++) if (ends.has(at)) return true;
      return index === 0;
    });
    /** The last sentence start in (low, high], else the last word start, else high. */
    const cut = (low: number, high: number): number => {
      for (let at = high; at > low; at--) if (opens[at]) return at;
      for (let at = high; at > low; at--) if (!splitsWord(text, offsets[at]![0])) return at;
      return high;
    };
    const windows: Window[] = [];
    for (let first = 0; ; ) {
      const last = first + pieces >= offsets.length ? offsets.length : cut(first + repeated, first + pieces);
      const [start, end] = [offsets[first]![0], offsets[last - 1]![1]];
      const part = text.slice(start, end);
      windows.push({
        passage,
        start,
        text: part,
        encoding: this.#tokenizer.encode(part, { maxLength: this.#config.maxPieces }),
      });
      if (last === offsets.length) return windows;
      first = Math.max(first + 1, cut(first, last - repeated));
    }
  }

  async #read(window: Window, signal: AbortSignal): Promise<SpanTriple[]> {
    const { settings } = this.#config;
    const n = window.encoding.ids.length;
    const batch = padBatch([window.encoding]);
    const { states, spans, gate } = await this.#spans.runBatch(batch);
    const both = spans!.data as Float32Array;
    const readings: Readings = {
      spans: both.subarray(0, n * n),
      triggers: both.subarray(n * n),
      gate: (gate!.data as Float32Array)[0]!,
    };
    if (sigmoid(readings.gate) < settings.gate) return [];
    const candidates = this.#candidates(
      readings.spans,
      window,
      settings.span,
      settings.spanOverlap,
      settings.maxSpans,
    );
    if (candidates.length < 2) return [];
    const triggers = this.#candidates(readings.triggers, window, settings.trigger, 0.5, 60);
    const m = candidates.length;
    // The second network costs as much as the first.
    await breathe(signal);
    const { pairs, attention } = await this.#pairs.run({
      states: states!,
      attention_mask: this.#pairs.integers(batch.mask, [1, n]),
      starts: this.#pairs.integers(
        BigInt64Array.from(candidates, ({ first }) => BigInt(first)),
        [1, m],
      ),
      ends: this.#pairs.integers(
        BigInt64Array.from(candidates, ({ last }) => BigInt(last)),
        [1, m],
      ),
    });
    return this.#links(
      candidates,
      triggers,
      pairs!.data as Float32Array,
      attention!.data as Float32Array,
      window,
    ).flatMap((link) => this.#place(link, window));
  }

  /** Spans that are likely enough and hold whole words, best first, none overlapping a better one too far. */
  #candidates(logits: Float32Array, window: Window, least: number, limit: number, most: number): Candidate[] {
    const { text, encoding } = window;
    const n = encoding.ids.length;
    const floor = logit(least);
    const found: Candidate[] = [];
    for (let first = 1; first < n - 1; first++) {
      for (let last = first; last < Math.min(n - 1, first + this.#config.maxWidth); last++) {
        const value = logits[first * n + last]!;
        if (value < floor) continue;
        if (splitsWord(text, encoding.offsets[first]![0]) || splitsWord(text, encoding.offsets[last]![1]))
          continue;
        found.push({ first, last, probability: sigmoid(value) });
      }
    }
    found.sort((a, b) => b.probability - a.probability || a.first - b.first || a.last - b.last);
    const kept: Candidate[] = [];
    for (const span of found) {
      if (kept.length < most && kept.every((other) => overlap(span, other) < limit)) kept.push(span);
    }
    return kept;
  }

  /** Links among m candidates, best first; each place is linked once in a direction. */
  #links(
    spans: readonly Candidate[],
    triggers: readonly Candidate[],
    pairs: Float32Array,
    attention: Float32Array,
    window: Window,
  ): Link[] {
    const { settings } = this.#config;
    const n = window.encoding.ids.length;
    const m = spans.length;
    const scored: { score: number; i: number; j: number; type: number }[] = [];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < m; j++) {
        const [cause, effect] = [spans[i]!, spans[j]!];
        if (i === j || overlap(cause, effect) > 0) continue;
        const at = (i * m + j) * PAIR_WIDTH;
        const logits = pairs.subarray(at, at + 1 + LINK_TYPES.length);
        const top = Math.max(...logits);
        const weights = Array.from(logits, (value) => Math.exp(value - top));
        const link = 1 - weights[0]! / weights.reduce((sum, weight) => sum + weight, 0);
        const score = link * (cause.probability * effect.probability) ** (settings.spanWeight / 2);
        if (score < settings.link) continue;
        const types = weights.slice(1);
        scored.push({ score, i, j, type: types.indexOf(Math.max(...types)) });
      }
    }
    scored.sort((a, b) => b.score - a.score || a.i - b.i || a.j - b.j);
    const links: Link[] = [];
    const near = (a: Candidate, b: Candidate) => overlap(a, b) >= settings.linkOverlap;
    for (const { score, i, j, type } of scored) {
      const [cause, effect] = [spans[i]!, spans[j]!];
      if (links.some((link) => near(cause, link.cause) && near(effect, link.effect))) continue;
      const against = links.some((link) => near(cause, link.effect) && near(effect, link.cause));
      if (against && score < settings.reverse) continue;
      const marks = (i * m + j) * PAIR_WIDTH + 1 + LINK_TYPES.length;
      const negated = sigmoid(pairs[marks]!);
      const leastNegated = denialNear(window, cause, effect) ? settings.negated : settings.negatedClear;
      let [best, relation]: [number, Candidate | null] = [settings.triggerMass, null];
      for (const trigger of triggers) {
        if (overlap(trigger, cause) > 0 || overlap(trigger, effect) > 0) continue;
        let mass = 0;
        for (let at = trigger.first; at <= trigger.last; at++)
          mass += Math.exp(attention[(i * m + j) * n + at]!);
        if (mass > best) [best, relation] = [mass, trigger];
      }
      links.push({
        cause,
        effect,
        relation,
        type: LINK_TYPES[type]!,
        negated: negated >= leastNegated,
        hedged: sigmoid(pairs[marks + 1]!) >= settings.hedged,
        score,
      });
    }
    return links;
  }

  /** Pieces of the window -> characters of the passage; nothing where only punctuation was found. */
  #place(link: Link, { text, start, encoding }: Window): SpanTriple[] {
    const { temperature, bias } = this.#config.settings;
    const place = ({ first, last }: Candidate): Span => {
      const span = trimSpan(text, encoding.offsets[first]![0], encoding.offsets[last]![1]);
      return { start: start + span.start, end: start + span.end };
    };
    const [cause, effect] = [place(link.cause), place(link.effect)];
    if (cause.start >= cause.end || effect.start >= effect.end) return [];
    const relation = link.relation && {
      start: start + encoding.offsets[link.relation.first]![0],
      end: start + encoding.offsets[link.relation.last]![1],
    };
    const { type, negated, hedged } = link;
    const confidence = sigmoid(logit(link.score) / temperature + bias);
    return [{ cause, effect, relation, type, negated, hedged, confidence }];
  }

  /** By place; where windows found one link twice, or both ways, the surer one stays. */
  #merge(triples: SpanTriple[]): SpanTriple[] {
    const kept: SpanTriple[] = [];
    for (const triple of triples.sort((a, b) => b.confidence - a.confidence)) {
      const same = (other: SpanTriple) =>
        shared(triple.cause, other.cause) >= 0.5 && shared(triple.effect, other.effect) >= 0.5;
      if (!kept.some(same)) kept.push(triple);
    }
    return kept.sort(
      (a, b) =>
        a.cause.start - b.cause.start ||
        a.effect.start - b.effect.start ||
        a.cause.end - b.cause.end ||
        a.effect.end - b.effect.end,
    );
  }
}
