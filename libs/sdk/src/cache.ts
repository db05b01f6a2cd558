import type { ConfigSelection } from './selection.ts';
import type { ConfigState } from './values.ts';

/** A configuration, and the time since Strata last confirmed that it is current. */
export interface StoredState {
  readonly state: ConfigState;
  readonly ageMs: number;
}

/** Stores the last configuration that the program accepted. Each operation can throw a StrataError. */
export interface ConfigCache {
  /** The longest time between two writes, so that the file of a running program does not become too old. */
  readonly refreshMs: number;
  /** Returns null if there is none. */
  load(selection: ConfigSelection): Promise<StoredState | null>;
  store(selection: ConfigSelection, stored: StoredState): Promise<void>;
  remove(): Promise<void>;
}
