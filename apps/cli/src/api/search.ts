interface SearchFilters {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly in?: readonly string[] | undefined;
  readonly match?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
}

/** Returns the query of a search. */
export const searchQuery = (text: string, options: SearchFilters) => ({
  ...{ q: text, in: options.in?.join(','), match: options.match, ignore_case: options.ignoreCase },
  ...{ project: options.project, environment: options.environment },
});
