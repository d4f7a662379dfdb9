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

/** What a search looks at again and again, worked out once. */
interface Ground {
  readonly input: SearchInput;
  /** The links that may be walked, themselves. */
  readonly links: readonly Link[];
  readonly options: SearchOptions;
  /** Extensions tried. */
  expansions: number;
}

/** Which way an arm grows: its passings best first, and the end of a link that it reaches. */
interface Side {
  readonly ways: (at: number) => readonly Passing[];
  readonly far: 'cause' | 'effect';
  readonly near: 'cause' | 'effect';
}

/** Chains of the highest worth through each seed, best first, with the number of extensions tried. */
export function search(input: SearchInput, options: SearchOptions): { chains: Chain[]; expansions: number } {
  const links = input.links.map((id) => input.graph.links[id]!);
  const ground: Ground = { input, links, options, expansions: 0 };
  const ahead: Side = { ways: bestFirst(input.forward, input.prizes), far: 'effect', near: 'cause' };
  const behind: Side = { ways: bestFirst(input.backward, input.prizes), far: 'cause', near: 'effect' };
  const seeds = input.prizes
    .map((prize, at) => ({ prize, at }))
    .sort((a, b) => b.prize - a.prize || a.at - b.at)
    .slice(0, options.seeds);
  const found = new Map<string, Chain>();
  for (const { at } of seeds) {
    const after = arms(ground, ahead, at);
    const before = arms(ground, behind, at);
    for (const left of before) {
      for (const right of after) {
        if (left.path.length + right.path.length + 1 > options.maxHops) continue;
        if (cross(left, right, ground)) continue;
        const chain = assemble(input, at, left, right);
        const key = chain.hops.map((hop) => hop.link).join('>');
        if (!found.has(key)) found.set(key, chain);
      }
    }
  }
  const chains = [...found.values()].sort((a, b) => b.score - a.score || a.hops[0]!.link - b.hops[0]!.link);
  return { chains, expansions: ground.expansions };
}

/** The passings of a link by what they gain, best first; sorted when a link is first reached. */
function bestFirst(
  passings: readonly (readonly Passing[])[],
  prizes: readonly number[],
): (at: number) => readonly Passing[] {
  const sorted = new Map<number, readonly Passing[]>();
  const gain = (passing: Passing): number => passing.value + prizes[passing.to]!;
  return (at) => {
    let own = sorted.get(at);
    if (own === undefined) {
      own = passings[at]!.toSorted((a, b) => gain(b) - gain(a));
      sorted.set(at, own);
    }
    return own;
  };
}

/** Arms of each length that are tried with those of the other side. */
const ARMS_A_LENGTH = 2;

/** Ways to go on from a seed on one side, the empty one among them. */
function arms(ground: Ground, side: Side, seed: number): Arm[] {
  const { width, maxHops } = ground.options;
  const { prizes } = ground.input;
  const all: Arm[] = [{ path: [], worth: 0 }];
  let frontier: Arm[] = all;
  for (let depth = 1; depth < maxHops && frontier.length > 0; depth++) {
    const next: Arm[] = [];
    for (const arm of frontier) {
      // No arm has more than `width` continuations among the best `width` of all.
      let room = width;
      for (const { to, join, value } of side.ways(arm.path.at(-1)?.at ?? seed)) {
        ground.expansions++;
        if (repeats(ground, side, seed, arm, to)) continue;
        next.push({ path: [...arm.path, { at: to, join }], worth: arm.worth + value + prizes[to]! });
        if (--room === 0) break;
      }
    }
    frontier = next.sort((a, b) => b.worth - a.worth).slice(0, width);
    // The best of every length: long arms on both sides make no chain together.
    all.push(...frontier.slice(0, ARMS_A_LENGTH));
  }
  return all;
}

/** Whether the new link touches a concept that the arm, or the seed, already holds, other than the one it hangs on. */
function repeats(ground: Ground, side: Side, seed: number, arm: Arm, next: number): boolean {
  const { links } = ground;
  const { alike } = ground.input;
  const { [side.far]: reached, [side.near]: hanging } = links[next]!;
  for (let index = 0; index <= arm.path.length; index++) {
    const held = links[index === 0 ? seed : arm.path[index - 1]!.at]!;
    if (alike(reached, held.cause) || alike(reached, held.effect)) return true;
    if (alike(hanging, held[side.near])) return true;
    if (index < arm.path.length && alike(hanging, held[side.far])) return true;
  }
  return false;
}

/** Whether the chain of two arms would come back to a concept: their links have the seed between them. */
function cross(left: Arm, right: Arm, { links, input: { alike } }: Ground): boolean {
  for (const { at: before } of left.path) {
    for (const { at: after } of right.path) {
      const a = links[before]!;
      const b = links[after]!;
      if (alike(a.cause, b.cause) || alike(a.cause, b.effect)) return true;
      if (alike(a.effect, b.cause) || alike(a.effect, b.effect)) return true;
    }
  }
  return false;
}

function assemble(input: SearchInput, seed: number, left: Arm, right: Arm): Chain {
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
