/**
 * Memory for what is read of a text. The same few hundred wordings come back in every round of a question and in
 * question after question, and reading one, letter by letter, costs far more than looking it up.
 */

/**
 * The function with a memory of what it gave, which callers must not change. At most twice `most` texts are kept: those
 * asked for lately, so that a large folder neither fills the memory nor makes it forget all at once.
 */
export function remembered<T extends NonNullable<unknown>>(
  read: (text: string) => T,
  most = 8_192,
): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const found = old.get(text) ?? read(text);
    if (young.size >= most) [old, young] = [young, new Map()];
    young.set(text, found);
    return found;
  };
}
