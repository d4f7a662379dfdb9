/**
 * Finds chains by what they gather: every link has a prize (the log-odds that it belongs to the answer, less a bar),
 * every join a price, and a chain is worth the sum. So a hop that looks nothing like the question is still taken when
 * it bridges two that do, and a chain grows only as long as what it gains outweighs what it costs.
 */
import type { Chain, Hop, Join } from './chains.ts';
import type { ConceptId, Link, LinkId, ReasoningGraph } from './types.ts';

/** A way to go on from one link to another. `value` is added to the chain's worth: 0 or less for a doubtful join. */
export interface Passing {
  readonly to: number;
  readonly value: number;
  readonly join: Join;
}

export interface SearchInput {
  readonly graph: ReasoningGraph;
  /** The links that may be walked. Prizes and passings count in places of this list. */
  readonly links: readonly LinkId[];
  readonly prizes: readonly number[];
  readonly forward: readonly (readonly Passing[])[];
  readonly backward: readonly (readonly Passing[])[];
  /** Concepts near enough to be the same for the rule that none is entered twice. */
  readonly alike: (a: ConceptId, b: ConceptId) => boolean;
}

export interface SearchOptions {
  /** Continuations kept at each depth, on each side of a seed. */
  readonly width: number;
  readonly maxHops: number;
  /** Links that a search sets out from, best prizes first. */
  readonly seeds: number;
}

interface Arm {
  readonly path: readonly { readonly at: number; readonly join: Join }[];
  readonly worth: number;
}

/** Chains of the highest worth through each seed, best first, with the number of extensions tried. */
export function search(input: SearchInput, options: SearchOptions): { chains: Chain[]; expansions: number } {
  const counter = { expansions: 0 };
  const seeds = input.prizes
    .map((prize, at) => ({ prize, at }))
    .sort((a, b) => b.prize - a.prize || a.at - b.at)
    .slice(0, options.seeds);
  const found = new Map<string, Chain>();
  for (const { at } of seeds) {
    const after = arms(input, input.forward, at, 'effect', options, counter);
    const before = arms(input, input.backward, at, 'cause', options, counter);
    for (const left of before) {
      for (const right of after) {
        if (left.path.length + right.path.length + 1 > options.maxHops) continue;
        const chain = assemble(input, at, left, right);
        if (chain === null) continue;
        const key = chain.hops.map((hop) => hop.link).join('>');
        if (!found.has(key)) found.set(key, chain);
      }
    }
  }
  const chains = [...found.values()].sort((a, b) => b.score - a.score || a.hops[0]!.link - b.hops[0]!.link);
  return { chains, expansions: counter.expansions };
}

/** Arms of each length that are tried with those of the other side. */
const ARMS_A_LENGTH = 2;

/** Ways to go on from a seed on one side, the empty one among them. */
function arms(
  input: SearchInput,
  passings: readonly (readonly Passing[])[],
  seed: number,
  side: 'cause' | 'effect',
  options: SearchOptions,
  counter: { expansions: number },
): Arm[] {
  const all: Arm[] = [{ path: [], worth: 0 }];
  let frontier: Arm[] = all;
  for (let depth = 1; depth < options.maxHops && frontier.length > 0; depth++) {
    const next: Arm[] = [];
    for (const arm of frontier) {
      const end = arm.path.at(-1)?.at ?? seed;
      for (const passing of passings[end]!) {
        counter.expansions++;
        if (repeats(input, seed, arm, passing.to, side)) continue;
        next.push({
          path: [...arm.path, { at: passing.to, join: passing.join }],
          worth: arm.worth + passing.value + input.prizes[passing.to]!,
        });
      }
    }
    frontier = next.sort((a, b) => b.worth - a.worth).slice(0, options.width);
    // The best of every length: long arms on both sides make no chain together.
    all.push(...frontier.slice(0, ARMS_A_LENGTH));
  }
  return all;
}

/** Whether the new link touches a concept that the arm, or the seed, already holds, other than the one it hangs on. */
function repeats(
  input: SearchInput,
  seed: number,
  arm: Arm,
  next: number,
  side: 'cause' | 'effect',
): boolean {
  const link = (at: number) => input.graph.links[input.links[at]!]!;
  const near = side === 'effect' ? 'cause' : 'effect';
  const reached = link(next)[side];
  const hanging = link(next)[near];
  const held = [seed, ...arm.path.map((step) => step.at)];
  for (const [index, at] of held.entries()) {
    const { cause, effect } = link(at);
    if (input.alike(reached, cause) || input.alike(reached, effect)) return true;
    if (input.alike(hanging, link(at)[near])) return true;
    if (index < held.length - 1 && input.alike(hanging, link(at)[side])) return true;
  }
  return false;
}

/** Whether two links with at least one between them share a concept: then the chain would come back to it. */
function meet(a: Link, b: Link, input: SearchInput): boolean {
  return [a.cause, a.effect].some((one) => input.alike(one, b.cause) || input.alike(one, b.effect));
}

function assemble(input: SearchInput, seed: number, left: Arm, right: Arm): Chain | null {
  const link = (at: number) => input.graph.links[input.links[at]!]!;
  for (const before of left.path)
    for (const after of right.path) if (meet(link(before.at), link(after.at), input)) return null;
  const hops: Hop[] = [];
  const earlier = [...left.path].reverse();
  for (const [index, step] of earlier.entries()) {
    hops.push({ link: input.links[step.at]!, join: index === 0 ? null : earlier[index - 1]!.join, also: [] });
  }
  hops.push({ link: input.links[seed]!, join: earlier.at(-1)?.join ?? null, also: [] });
  for (const step of right.path) hops.push({ link: input.links[step.at]!, join: step.join, also: [] });
  const prize = [seed, ...left.path.map((s) => s.at), ...right.path.map((s) => s.at)].reduce(
    (sum, at) => sum + input.prizes[at]!,
    0,
  );
  const score = input.prizes[seed]! + left.worth + right.worth;
  return { hops, score, parts: { relevance: prize, joins: score - prize } };
}
