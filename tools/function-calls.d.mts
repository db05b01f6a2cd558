export interface FunctionCalls {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly calls: number;
}

export interface FileWithFunctions {
  readonly file: string;
  readonly functions: readonly Omit<FunctionCalls, 'file'>[];
}

/** The members of the result of `Profiler.takePreciseCoverage` that are used. */
export interface CoveredScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

export function countCalls(
  scripts: readonly CoveredScript[],
  sourceOf: (url: string, offset: number) => { readonly file: string; readonly line: number } | null,
): ReadonlyMap<string, FunctionCalls>;

export function onlyOfWrites(
  writes: readonly ReadonlyMap<string, FunctionCalls>[],
  idles: readonly ReadonlyMap<string, FunctionCalls>[],
): FileWithFunctions[];
