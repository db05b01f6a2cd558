import { queryOptions } from '@tanstack/react-query';
import { queryKeys } from './query-keys.ts';

/** Returns whether a name matches a pattern. */
export type NameTest = (name: string) => boolean;

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
      const { RE2JS } = await import('re2js');
      try {
        const compiled = RE2JS.compile(pattern);
        return (name) => compiled.matcher(name).lookingAt();
      } catch {
        return null;
      }
    },
  });
