import type { Path } from '@strata/domain';

/** What a text can see, as it travels to a worker: names and texts in the order in which they are gone through. */
export interface ScopeMessage {
  readonly project: string;
  readonly environment: string;
  readonly self: string;
  readonly parameters: Entries<string | null>;
  readonly templates: Entries<string>;
  readonly projects: Entries<{ readonly parameters: Entries<string | null>; readonly templates: Entries<string> }>;
}
export type Entries<T> = readonly (readonly [name: string, value: T])[];

export type Task =
  | { readonly do: 'parse'; readonly text: string }
  | { readonly do: 'rename'; readonly text: string; readonly names: Entries<string> }
  | { readonly do: 'render'; readonly text: string; readonly scope: ScopeMessage };

/** `lengthMax` is for all texts together: the first that goes beyond it is the last, and is too costly. */
export interface JobMessage {
  readonly tasks: readonly Task[];
  readonly lengthMax: number;
}

/** `problem` is for people and quotes nothing but the text itself, never what it can see. */
export type JobOutcome =
  | { readonly paths: readonly Path[] }
  | { readonly text: string }
  | { readonly problem: string; readonly code: ProblemCode };

/** `too_costly` may be otherwise at another time; the others are as the text is. */
export type ProblemCode = 'syntax' | 'evaluation' | 'unknown_name' | 'too_costly';

export interface WorkerLimits {
  readonly textLength: number;
  readonly outputLength: number;
  /** Soft limits of the engine: they end with a good message, if the engine notices. */
  readonly renderMs: number;
  readonly memoryUnits: number;
}

/** Said of the text at which many become too long together. */
export const TOO_LONG_TOGETHER: { readonly problem: string; readonly code: ProblemCode } = {
  code: 'too_costly',
  problem: 'The dynamic texts of this answer are too many or too long. Ask for one environment, or for fewer names.',
};
