import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { CompareSearch } from '../../lib/compare-sides.ts';
import { formatPointInTime, parsePointInTime } from '../../lib/point-in-time.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parsePositiveInteger, parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

const normalizePointInTime = (input: unknown): string | undefined =>
  formatPointInTime(parsePointInTime(parseText(input)));

const compare = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/compare',
  staticData: { changes: CHANGES.values, title: () => 'Compare' },
  validateSearch: ({ project, left, right, from, to, q, after, step }: Record<string, unknown>): CompareSearch => ({
    project: parseText(project),
    left: parseText(left),
    right: parseText(right),
    from: normalizePointInTime(from),
    to: normalizePointInTime(to),
    q: parseText(q),
    after: parseText(after),
    step: step === 'promote' ? step : undefined,
  }),
  component: lazyRouteComponent(() => import('../../features/compare/compare-page.tsx'), 'ComparePage'),
  errorComponent: ErrorMessage,
});

/** Redirects the former URL of the comparison of two revisions. */
const twoRevisions = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/compare',
  staticData: { changes: null },
  validateSearch: ({ project, from, to }: Record<string, unknown>) => ({
    project: parseText(project),
    from: parsePositiveInteger(from),
    to: parsePositiveInteger(to),
  }),
  beforeLoad: ({ search: { project, from, to } }) => {
    const revision = (number: number | undefined) => (number === undefined ? undefined : `r${number}`);
    throw redirect({ to: '/compare', search: { project, from: revision(from), to: revision(to) }, replace: true });
  },
});

export const compareRoutes = [compare, twoRevisions] as const;
