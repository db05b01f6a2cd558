import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** Returns whether a name or another text matches a pattern from its start. */
export type NameTest = (name: string) => boolean;

/** Loads the pattern engine of the server, and returns the function that compiles a pattern. It throws if the pattern is invalid. */
export async function loadPatterns(): Promise<(pattern: string) => NameTest> {
  const { RE2JS } = await import('re2js');
  return (pattern) => {
    const compiledPattern = RE2JS.compile(pattern);
    return (text) => compiledPattern.matcher(text).lookingAt();
  };
}

const patternKeys = queryKeys('pattern', {}, (all) => ({ of: (pattern: string) => [...all, pattern] }));

/**
 * Compiles a pattern with the engine of the server, because engines differ. Returns null for an invalid pattern. The
 * engine is loaded when it is first needed.
 */
export const nameTestQuery = (pattern: string) =>
  queryOptions({
    queryKey: patternKeys.of(pattern),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async (): Promise<NameTest | null> => {
      if (pattern === '') return () => true;
      const compile = await loadPatterns();
      try {
        return compile(pattern);
      } catch {
        return null;
      }
    },
  });
