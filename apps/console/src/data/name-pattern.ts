import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** The result of matching names with a pattern. */
export interface PatternTrial {
  /** The names that do not match. */
  readonly misfits: readonly string[];
}

export const patternKeys = queryKeys('pattern', {}, (all) => ({
  trial: (pattern: string, names: readonly string[]) => [...all, pattern, names.length, names.at(-1)],
}));

/**
 * Matches names with a pattern by the engine of the server, because engines differ. Returns null for an invalid pattern.
 * The engine is loaded when it is first needed.
 */
export const patternTrialQuery = (pattern: string, names: readonly string[]) =>
  queryOptions({
    queryKey: patternKeys.trial(pattern, names),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async (): Promise<PatternTrial | null> => {
      if (pattern === '') return { misfits: [] };
      const { RE2JS } = await import('re2js');
      try {
        const compiled = RE2JS.compile(pattern);
        return { misfits: names.filter((name) => !compiled.matcher(name).lookingAt()) };
      } catch {
        return null;
      }
    },
  });
