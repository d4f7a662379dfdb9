/** What is kept when the page is hidden, moved or reloaded, and how it comes back. Pure. */
import { LINK_TYPES } from '../models/protocol.ts';
import { FIRST_LOOK, firstState, type State } from './state.ts';

interface Kept {
  readonly version: 1;
  readonly state: Pick<
    State,
    'draft' | 'options' | 'defaults' | 'run' | 'found' | 'extra' | 'stale' | 'look' | 'selected'
  >;
}

/** The part of a state worth keeping. The prompt's text is left out: it is large and never shown. */
export function keep(state: State): Kept {
  const { draft, options, defaults, run, found, extra, stale, look, selected } = state;
  const view = found.view && { ...found.view, context: '' };
  return {
    version: 1,
    state: { draft, options, defaults, run, found: { ...found, view }, extra, stale, look, selected },
  };
}

/** A state from what was kept; null when it is of another version or not whole. A run cut off by the reload is over. */
export function restore(kept: unknown): State | null {
  if (typeof kept !== 'object' || kept === null || (kept as Kept).version !== 1) return null;
  const { state } = kept as Kept;
  const whole = [state, state?.found, state?.look, state?.options].every(
    (part) => typeof part === 'object' && part !== null,
  );
  if (!whole || !Array.isArray(state.found.chains) || !Array.isArray(state.found.links)) return null;
  const run =
    state.run?.status === 'running'
      ? { ...state.run, status: 'cancelled' as const, progress: null }
      : state.run;
  const look = { ...FIRST_LOOK, ...state.look };
  const hiddenTypes = look.hiddenTypes.filter((type) => LINK_TYPES.includes(type));
  return { ...firstState(), ...state, run, look: { ...look, hiddenTypes } };
}
