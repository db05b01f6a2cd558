import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** How names stand to a pattern that somebody is writing. */
export interface PatternTrial {
  /** Names that it would not allow. */
  readonly misfits: readonly string[];
}

export const patternKeys = queryKeys('pattern', {}, (all) => ({
  trial: (pattern: string, names: readonly string[]) => [...all, pattern, names.length, names.at(-1)],
}));

/**
 * Holds names against a pattern with the engine of the server, since other engines understand other patterns. Null where it is none.
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
