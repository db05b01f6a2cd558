import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { LintOf, type LintOfQuery } from '../graphql/lint.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import type { LintRule } from '../lib/lint-rules.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { queryKeys } from './query-keys.ts';

export type LintedPage = NonNullable<LintOfQuery['lint']>;
export type LintedFinding = LintedPage['results'][number];

/** The number of findings per page. Each page is requested separately, because the core takes time to find them. */
const FINDINGS = 100;

export interface LintFilter {
  readonly project: string;
  readonly rule: LintRule | undefined;
  readonly after: string | undefined;
  readonly pointInTime: PointInTimeArgs;
}

export const lintKeys = queryKeys('lint', { onAnyChange: true }, (all) => ({
  findings: (project: string, rule: LintRule | undefined, after: string | undefined, pointInTime: PointInTimeArgs) => [
    ...all,
    project,
    rule ?? null,
    after ?? null,
    pointInTime,
  ],
}));

/** The query for a page of findings; null if the project does not exist. */
export const lintQuery = ({ project, rule, after, pointInTime }: LintFilter) =>
  queryOptions({
    queryKey: lintKeys.findings(project, rule, after, pointInTime),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const variables = { project: [project], kind: rule ? [rule] : null, first: FINDINGS, after: after ?? null };
      return (await requestGraphql(LintOf, { ...variables, ...pointInTime }, signal)).lint ?? null;
    },
  });
