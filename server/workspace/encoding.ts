/** Bytes to text, as an editor would show them. */
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** What stood in the bytes. */
export interface Decoded {
  /** Without a byte order mark; line endings are kept, so offsets are those of the editor's document. */
  readonly text: string;
  /** utf-8, utf-8-bom, utf-16le, utf-16be, gbk, shift_jis, windows-1252 or another label of WHATWG. */
  readonly encoding: string;
}

/** The bytes are no text. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError';
}

const SAMPLE = 1 << 16;
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF-', 'a PDF'],
  ['PK\u0003\u0004', 'a zip archive or an office document'],
  ['\u0089PNG', 'a picture'],
  ['GIF8', 'a picture'],
  ['\u00ff\u00d8\u00ff', 'a picture'],
  ['\u007fELF', 'a program'],
  ['SQLite format 3', 'a database'],
  ['\u001f\u008b', 'a compressed file'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old office document'],
  ['{\\rtf', 'a rich text document'],
];

/**
 * Decodes bytes: byte order mark first, then UTF-16 by where its zeros stand, valid UTF-8, and last the legacy
 * encodings by what the text would look like. Throws {@link BinaryError}, with the reason as its message, where the
 * bytes are no text.
 */
export function decode(bytes: Uint8Array): Decoded {
  const marked = byMark(bytes);
  if (marked !== null) return marked;
  const head = latin(bytes.subarray(0, 16));
  for (const [signature, what] of SIGNATURES) {
    if (head.startsWith(signature)) throw new BinaryError(`not text: it begins like ${what}`);
  }
  if (bytes.includes(0)) return wide(bytes);
  if (controls(bytes) * 50 > bytes.length) throw new BinaryError('not text: it is full of control signs');
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding: 'utf-8',
    };
  } catch {
    return legacy(bytes);
  }
}

function byMark(bytes: Uint8Array): Decoded | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(3));
    if (text.includes('\0')) throw new BinaryError('not text: it holds NUL bytes');
    return { text, encoding: 'utf-8-bom' };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: utf16(bytes.subarray(2), 'le'), encoding: 'utf-16le' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: utf16(bytes.subarray(2), 'be'), encoding: 'utf-16be' };
  return null;
}

function utf16(bytes: Uint8Array, order: 'le' | 'be'): string {
  // ignoreBOM: the mark was taken off, and a second one is text.
  return new TextDecoder(order === 'le' ? 'utf-16le' : 'utf-16be', { ignoreBOM: true }).decode(bytes);
}

/** Text with zeros is UTF-16 without a mark if they stand in one half of the pairs only, else it is no text. */
function wide(bytes: Uint8Array): Decoded {
  let even = 0;
  let odd = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    if (bytes[i] !== 0) continue;
    if (i % 2 === 0) even += 1;
    else odd += 1;
  }
  const order = odd > even ? 'le' : 'be';
  // Few zeros are those of spaces and line ends in a text of other signs, and such bytes are no UTF-8.
  const few = (even + odd) * 5 < bytes.length;
  if (bytes.length % 2 === 0 && Math.min(even, odd) * 20 <= Math.max(even, odd) && !(few && isUtf8(bytes))) {
    const text = utf16(bytes, order);
    if (!/[\0-\x08\x0e-\x1f\ufffd\ufffe\uffff\ue000-\uf8ff]/.test(text) && text.isWellFormed()) {
      return { text, encoding: order === 'le' ? 'utf-16le' : 'utf-16be' };
    }
  }
  throw new BinaryError('not text: it holds NUL bytes');
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function controls(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes)
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) count += 1;
  return count;
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Not valid UTF-8: mostly UTF-8 with a fault, or one of the older encodings. */
function legacy(bytes: Uint8Array): Decoded {
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const bad = count(lossy, /\ufffd/g);
  if (bad * 20 <= count(lossy, /[^\0-\x7f\ufffd]/g)) return { text: lossy, encoding: 'utf-8' };

  const guesses = new Map(
    analyse(sample(bytes)).map((match) => [match.name.toLowerCase(), match.confidence]),
  );
  const encoding = doubleByte(bytes, guesses) ?? singleByte(guesses);
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding);
  if (count(text, /[\ufffd\x80-\x9f]/g) * 20 > text.length) {
    throw new BinaryError('not text: no known encoding fits its bytes');
  }
  return { text, encoding };
}

/** The stretch that says most: from a little before the first byte that isn't ASCII. */
function sample(bytes: Uint8Array): Uint8Array {
  const first = Math.max(0, bytes.findIndex((byte) => byte > 127) - 256);
  return bytes.subarray(first, first + SAMPLE);
}

/**
 * The encodings of Chinese, Japanese and Korean. A western text can be valid in them by chance (an accented letter
 * and the letter after it), so the text they give must look like their language too.
 */
function doubleByte(bytes: Uint8Array, guesses: ReadonlyMap<string, number>): string | null {
  const part = Buffer.from(sample(bytes));
  const japanese = look(part, 'shift_jis', /[\u3040-\u30ff\u3001\u3002]/g);
  if (japanese.valid && japanese.share >= 0.25) return 'shift_jis';
  const euc = look(part, 'euc-jp', /[\u3040-\u30ff]/g);
  if (euc.valid && euc.share >= 0.25) return 'euc-jp';
  if (!part.some((byte) => byte > 127)) return null;
  const { pairs, high } = squarePairs(part);
  if (pairs * 2 >= high * 0.8 && look(part, 'gbk', /[\u4e00-\u9fff]/g).share >= 0.5) {
    const others = [
      ['big5', /[\u4e00-\u9fff]/g],
      ['euc-kr', /[\uac00-\ud7af]/g],
    ] as const;
    const chinese = guesses.get('gb18030') ?? 0;
    for (const [name, signs] of others) {
      const seen = look(part, name, signs);
      if (seen.valid && seen.share >= 0.6 && (guesses.get(name) ?? 0) > chinese) return name;
    }
    return 'gbk';
  }
  const taiwanese = look(part, 'big5', /[\u4e00-\u9fff]/g);
  return taiwanese.valid && taiwanese.share >= 0.7 && (guesses.get('big5') ?? 0) >= 50 ? 'big5' : null;
}

function look(part: Buffer, encoding: string, signs: RegExp): { valid: boolean; share: number } {
  const text = iconv.decode(part, encoding);
  // The sample may end in the middle of a sign.
  const bad = count(text.slice(0, -1), /[\ufffd\ue000-\uf8ff]/g);
  const foreign = count(text, /[^\0-\x7f]/g);
  return { valid: bad === 0, share: foreign === 0 ? 0 : count(text, signs) / foreign };
}

/** Pairs of bytes in the square of GB 2312, and how many bytes aren't ASCII. */
function squarePairs(part: Uint8Array): { pairs: number; high: number } {
  let pairs = 0;
  let high = 0;
  for (let i = 0; i < part.length; i += 1) {
    if (part[i]! < 0x80) continue;
    high += 1;
    const lead = part[i]!;
    const trail = part[i + 1] ?? 0;
    if (trail < 0x40) continue;
    if (trail >= 0x80) high += 1;
    if (lead >= 0xa1 && lead <= 0xf7 && trail >= 0xa1) pairs += 1;
    i += 1;
  }
  return { pairs, high };
}

/** Western unless another alphabet is clearly more likely. */
function singleByte(guesses: ReadonlyMap<string, number>): string {
  const western = Math.max(guesses.get('windows-1252') ?? 0, guesses.get('iso-8859-1') ?? 0);
  let best = 'windows-1252';
  let score = Math.max(western + 20, 50);
  for (const [name, confidence] of guesses) {
    if (!/^(?:windows-125\d|iso-8859-\d+|koi8-r|windows-874)$/.test(name) || !iconv.encodingExists(name))
      continue;
    if (confidence > score && name !== 'iso-8859-1') {
      best = name;
      score = confidence;
    }
  }
  return best;
}

function count(text: string, signs: RegExp): number {
  let n = 0;
  for (const _ of text.matchAll(signs)) n += 1;
  return n;
}
