import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ask } from '../graphql/ask.ts';
import { LintOf, type LintOfQuery } from '../graphql/lint.graphql.ts';
import type { LintRule } from '../lib/lint-rules.ts';
import type { MomentArgs } from '../lib/moment.ts';

export type LintedPage = NonNullable<LintOfQuery['lint']>;
export type LintedFinding = LintedPage['results'][number];

/** As many as a person looks through; what they are is known only after looking, so that a page is asked for by itself. */
const FINDINGS = 100;

export interface LintWish {
  readonly project: string;
  readonly rule: LintRule | undefined;
  readonly after: string | undefined;
  readonly moment: MomentArgs;
}

/** Null where the project is not there. */
export const lintQuery = ({ project, rule, after, moment }: LintWish) =>
  queryOptions({
    queryKey: ['lint', project, rule ?? null, after ?? null, moment],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const wanted = { project: [project], kind: rule ? [rule] : null, first: FINDINGS, after: after ?? null };
      return (await ask(LintOf, { ...wanted, ...moment }, signal)).lint ?? null;
    },
  });
