import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { signedInRoute } from './inside.ts';

export interface LintSearch {
  /** The rule whose findings are shown. */
  readonly rule?: string | undefined;
  /** The cursor of the current page. */
  readonly after?: string | undefined;
  /** Whether the preview of the selected fixes is open. */
  readonly review?: true | undefined;
}

const lint = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/lint',
  ...namedPath<'name'>(),
  staticData: { changes: CHANGES.project, hasPast: true },
  validateSearch: ({ rule, after, review }: Record<string, unknown>): LintSearch => ({
    rule: parseText(rule),
    after: parseText(after),
    review: review === true || undefined,
  }),
  component: lazyRouteComponent(() => import('../../features/lint/lint-page.tsx'), 'LintPage'),
  errorComponent: ErrorMessage,
});

export const lintRoutes = [lint] as const;
