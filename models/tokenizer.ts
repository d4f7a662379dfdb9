import { readFileSync } from 'node:fs';
import { TokenizerFileError } from './errors.ts';
import { CLASSES, codePointClasses } from './unicode.ts';

/** A text as a model reads it. */
export interface Encoding {
  /** Vocabulary ids, beginning with [CLS] and ending with [SEP]. */
  ids: number[];
  /** For each id the UTF-16 start and end of its characters in the original text; [0, 0] for [CLS] and [SEP]. */
  offsets: [number, number][];
}

export interface EncodeOptions {
  /** Most ids to give, [CLS] and [SEP] counted; what does not fit is cut off at the end. At least 2. */
  readonly maxLength?: number;
}

export interface Tokenizer {
  encode(text: string, options?: EncodeOptions): Encoding;
}

export { TokenizerFileError };

interface TokenizerFile {
  readonly model: {
    readonly type: string;
    readonly unk_token: string;
    readonly continuing_subword_prefix: string;
    readonly max_input_chars_per_word: number;
    readonly vocab: Readonly<Record<string, number>>;
  };
  readonly normalizer: Readonly<Record<string, unknown>> | null;
  readonly pre_tokenizer: { readonly type: string } | null;
  readonly added_tokens: readonly { readonly id: number; readonly content: string }[];
}

/**
 * One word after normalisation, with the original place of each of its UTF-16 units. Kept as plain arrays and
 * reused from word to word: this is the inner loop of indexing. Of a word too long to be known only the place is kept.
 */
class Word {
  text = '';
  /** Code points, not units: the reference's limit counts characters. */
  characters = 0;
  start = 0;
  end = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(character: string, start: number, end: number): void {
    if (this.characters === 0) this.start = start;
    this.end = end;
    if (++this.characters > this.#limit) return;
    for (let unit = 0; unit < character.length; unit++) {
      this.starts.push(start);
      this.ends.push(end);
    }
    this.text += character;
  }

  /** Lets the last character's place reach to `end`, so that it covers an accent that was stripped from it. */
  extend(end: number): void {
    this.end = end;
    if (this.characters > this.#limit) return;
    for (
      let unit = this.ends.length - 1, last = this.ends[unit];
      unit >= 0 && this.ends[unit] === last;
      unit--
    ) {
      this.ends[unit] = end;
    }
  }

  clear(): void {
    this.text = '';
    this.characters = 0;
    this.starts.length = 0;
    this.ends.length = 0;
  }
}

/**
 * BERT's uncased WordPiece: clean, pad ideographs, decompose, strip accents, lower-case, split at white space and
 * punctuation, then the longest known pieces from the left. Gives the ids of the reference implementation for every
 * text; time is linear in the text's length. Safe to share: it keeps no state between calls.
 */
export class WordPieceTokenizer implements Tokenizer {
  readonly #vocabulary: ReadonlyMap<string, number>;
  readonly #continuation: string;
  readonly #longestPiece: number;
  readonly #maxCharacters: number;
  readonly #unknown: number;
  readonly #cls: number;
  readonly #sep: number;
  /** Matches the special tokens that the reference finds in raw text, before any normalisation. */
  readonly #special: RegExp;
  readonly #decomposed = new Map<number, readonly string[]>();

  private constructor(file: TokenizerFile, path: string) {
    this.#vocabulary = new Map(Object.entries(file.model.vocab));
    this.#continuation = file.model.continuing_subword_prefix;
    this.#maxCharacters = file.model.max_input_chars_per_word;
    this.#longestPiece = Math.max(...Object.keys(file.model.vocab).map((piece) => piece.length));
    const id = (token: string): number => {
      const found = this.#vocabulary.get(token);
      if (found === undefined) throw new TokenizerFileError(`${path}: the vocabulary lacks ${token}.`);
      return found;
    };
    this.#unknown = id(file.model.unk_token);
    this.#cls = id('[CLS]');
    this.#sep = id('[SEP]');
    const escaped = file.added_tokens.map(({ content }) => content.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    this.#special = new RegExp(escaped.length > 0 ? escaped.join('|') : '(?!)', 'g');
  }

  /**
   * Reads a tokenizer.json of the BERT kind.
   * @throws TokenizerFileError naming the file and what is wrong with it
   */
  static load(path: string): WordPieceTokenizer {
    let file: TokenizerFile;
    try {
      file = JSON.parse(readFileSync(path, 'utf8')) as TokenizerFile;
    } catch (error) {
      throw new TokenizerFileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    const { model, normalizer, pre_tokenizer: split } = file;
    if (model?.type !== 'WordPiece' || !model.vocab) {
      throw new TokenizerFileError(
        `${path}: the model is ${model?.type ?? 'missing'}, only WordPiece is known.`,
      );
    }
    const settings = normalizer ?? {};
    if (
      settings.type !== 'BertNormalizer' ||
      settings.clean_text !== true ||
      settings.handle_chinese_chars !== true ||
      settings.lowercase !== true ||
      settings.strip_accents === false ||
      split?.type !== 'BertPreTokenizer'
    ) {
      throw new TokenizerFileError(
        `${path}: only the uncased BertNormalizer with BertPreTokenizer is known.`,
      );
    }
    return new WordPieceTokenizer({ ...file, added_tokens: file.added_tokens ?? [] }, path);
  }

  /**
   * The ids of a text and where in it each stands. A piece covers the accents stripped from its characters; two
   * pieces of one character (the letters of a Hangul syllable) have the same place.
   */
  encode(text: string, options: EncodeOptions = {}): Encoding {
    const limit = Math.max(2, options.maxLength ?? Number.POSITIVE_INFINITY) - 1;
    const encoding: Encoding = { ids: [this.#cls], offsets: [[0, 0]] };
    let position = 0;
    for (const match of text.matchAll(this.#special)) {
      this.#encodeStretch(text, position, match.index, encoding, limit);
      if (encoding.ids.length >= limit) break;
      position = match.index + match[0].length;
      encoding.ids.push(this.#vocabulary.get(match[0]) ?? this.#unknown);
      encoding.offsets.push([match.index, position]);
    }
    if (encoding.ids.length < limit) this.#encodeStretch(text, position, text.length, encoding, limit);
    if (encoding.ids.length > limit) {
      encoding.ids.length = limit;
      encoding.offsets.length = limit;
    }
    encoding.ids.push(this.#sep);
    encoding.offsets.push([0, 0]);
    return encoding;
  }

  /** Appends the pieces of text[from, to); stops once `limit` is reached. */
  #encodeStretch(text: string, from: number, to: number, out: Encoding, limit: number): void {
    const classes = codePointClasses();
    const word = new Word(this.#maxCharacters);
    for (let start = from; start < to; ) {
      const code = text.codePointAt(start)!;
      const end = start + (code > 0xffff ? 2 : 1);
      switch (classes[code]) {
        case CLASSES.removed:
          break;
        case CLASSES.space:
          this.#flush(word, out);
          break;
        case CLASSES.ideograph:
          this.#flush(word, out);
          for (const character of this.#normalise(code)) word.push(character, start, end);
          this.#flush(word, out);
          break;
        default:
          this.#append(code, start, end, word, out, from);
      }
      start = end;
      if (out.ids.length > limit) return;
    }
    this.#flush(word, out);
  }

  /** Adds one character of the stretch that begins at `from` to the word at hand; punctuation is a word by itself. */
  #append(code: number, start: number, end: number, word: Word, out: Encoding, from: number): void {
    const classes = codePointClasses();
    const characters = this.#normalise(code);
    if (characters.length === 0) {
      if (word.characters > 0) word.extend(end);
      else if (start > from && out.offsets.at(-1)?.[1] === start) out.offsets.at(-1)![1] = end;
    }
    for (const character of characters) {
      if (classes[character.codePointAt(0)!] === CLASSES.punctuation) {
        this.#flush(word, out);
        word.push(character, start, end);
        this.#flush(word, out);
      } else word.push(character, start, end);
    }
  }

  /** Decomposed, stripped of accents, lower-cased; each entry is one code point. Empty for an accent. */
  #normalise(code: number): readonly string[] {
    const known = this.#decomposed.get(code);
    if (known) return known;
    const classes = codePointClasses();
    const characters: string[] = [];
    for (const part of String.fromCodePoint(code).normalize('NFD')) {
      if (classes[part.codePointAt(0)!] !== CLASSES.mark) characters.push(...part.toLowerCase());
    }
    this.#decomposed.set(code, characters);
    return characters;
  }

  /** Cuts the word into the longest known pieces from the left, or into one [UNK] if a rest is unknown. */
  #flush(word: Word, out: Encoding): void {
    const { text, starts, ends } = word;
    if (text.length === 0) return;
    const firstPiece = out.ids.length;
    let from = 0;
    while (from < text.length && word.characters <= this.#maxCharacters) {
      let to = Math.min(text.length, from + this.#longestPiece);
      let id: number | undefined;
      for (; to > from; to--) {
        const piece = text.slice(from, to);
        id = this.#vocabulary.get(from === 0 ? piece : this.#continuation + piece);
        if (id !== undefined) break;
      }
      if (id === undefined) break;
      out.ids.push(id);
      out.offsets.push([starts[from]!, ends[to - 1]!]);
      from = to;
    }
    if (from < text.length) {
      out.ids.length = firstPiece;
      out.offsets.length = firstPiece;
      out.ids.push(this.#unknown);
      out.offsets.push([word.start, word.end]);
    }
    word.clear();
  }
}
