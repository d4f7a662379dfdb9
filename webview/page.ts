/** What the parts of the page can read and do. Each part draws itself from the state; only this changes it. */
import type { HostCommand, LinkView, Place, Target, ToHost } from './protocol.ts';
import type { Look, State } from './state.ts';

export interface Page {
  readonly state: State;
  /** Changes the state and lets every part draw itself. */
  set(change: Partial<State>): void;
  look(change: Partial<Look>): void;
  post(message: ToHost): void;
  ask(change?: Partial<State['options']>): void;
  /** Opens the words a link stands on, with cause, relation and effect marked. */
  openLink(link: LinkView): void;
  openPlace(place: Place): void;
  /** Selects; brings it into view in the graph unless it was chosen there. */
  select(target: Target | null, from?: 'graph'): void;
  /** Neighbours of a concept: those known at once, and the host is asked for more. */
  expand(concept: number): void;
  command(command: HostCommand): void;
  /** Lights a chain, hop, link or concept while the pointer or the focus is on it. */
  point(target: Target | null): void;
}

/** A part of the page. */
export interface Part {
  readonly element: HTMLElement;
  /** Draws what differs between the states; `before` is null the first time. */
  update(state: State, before: State | null): void;
}
