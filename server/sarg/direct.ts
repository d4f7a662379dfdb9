/** Which way the question asks to walk. Paper, section 3.4, equation 4. */
import type { Direction, DirectionLabel, Director } from './types.ts';

export interface Directed {
  readonly label: DirectionLabel;
  readonly scores: Direction['scores'];
  /** classifier; person, when set by hand; unsure, when the classifier's best was too weak and both ways are walked. */
  readonly by: 'classifier' | 'person' | 'unsure';
}

/**
 * The label of highest probability, unless the person set one. Below `minConfidence` both ways are walked, and the
 * result says so.
 */
export async function direct(
  question: string,
  director: Director,
  options: { readonly direction: DirectionLabel | 'auto'; readonly minConfidence: number },
  signal?: AbortSignal,
): Promise<Directed> {
  const [found] = await director.direct([question], signal);
  signal?.throwIfAborted();
  const { label, scores } = found!;
  if (options.direction !== 'auto') return { label: options.direction, scores, by: 'person' };
  if (scores[label] < options.minConfidence) return { label: 'bidirectional', scores, by: 'unsure' };
  return { label, scores, by: 'classifier' };
}
