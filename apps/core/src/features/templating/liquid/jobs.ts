import type { Path } from '@strata/domain';

/** The inputs of a text as a worker receives them: names and texts in iteration order. */
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

/** `lengthMax` limits all texts together: the text that exceeds it is too costly, and ends the job. */
export interface JobMessage {
  readonly tasks: readonly Task[];
  readonly lengthMax: number;
}

/** `problem` is for people and quotes nothing but the text itself, never its inputs. */
export type JobOutcome =
  | { readonly paths: readonly Path[] }
  | { readonly text: string }
  | { readonly problem: string; readonly code: ProblemCode };

/** `too_costly` may succeed at another time; the others depend only on the text. */
export type ProblemCode = 'syntax' | 'evaluation' | 'unknown_name' | 'too_costly';

export interface WorkerLimits {
  readonly textLength: number;
  readonly outputLength: number;
  /** Soft limits of the engine, which produce a good message if the engine notices. */
  readonly renderMs: number;
  readonly memoryUnits: number;
}

/** The error of the text at which the texts become too long together. */
export const TOO_LONG_TOGETHER: { readonly problem: string; readonly code: ProblemCode } = {
  code: 'too_costly',
  problem: 'The dynamic texts of this answer are too many or too long. Ask for one environment, or for fewer names.',
};
