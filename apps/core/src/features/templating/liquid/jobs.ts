import type { Params, Path } from '@strata/domain';

/** The inputs of a text as a worker thread receives them: names and texts in iteration order. */
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

/**
 * A job for a worker thread. `lengthMax` limits the total length of the texts. The text that exceeds it fails with
 * `too_costly`, which ends the job.
 */
export interface JobMessage {
  readonly tasks: readonly Task[];
  readonly lengthMax: number;
}

/**
 * An error in a text. `problem` is a message for people. It may quote the text itself, but never its inputs. `params`
 * contains its numbers.
 */
export interface TemplateProblem {
  readonly problem: string;
  readonly params?: Params;
  readonly code: ProblemCode;
}

export type JobOutcome = { readonly paths: readonly Path[] } | { readonly text: string } | TemplateProblem;

/** `too_costly` depends on the load, so the text may succeed later. All other codes depend only on the text. */
export type ProblemCode = 'syntax' | 'evaluation' | 'unknown_name' | 'too_costly';

export interface WorkerLimits {
  readonly textLength: number;
  readonly outputLength: number;
  /** Soft limits that the engine enforces itself, which lets it return a good message. */
  readonly renderMs: number;
  readonly memoryUnits: number;
}

/** The error of the text that exceeds the total length. */
export const TOO_LONG_TOGETHER: TemplateProblem = {
  code: 'too_costly',
  problem: 'The response would contain too many or too long dynamic texts. Request one environment, or fewer names.',
};
