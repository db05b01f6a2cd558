import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { parsePositiveInteger, parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const revert = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/$revision/revert',
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.history,
    title: ({ revision = '' }) => `Revert revision ${revision}`,
    above: { to: '/history', title: 'History' },
  },
  component: lazyRouteComponent(() => import('../../features/revert/revert-page.tsx'), 'RevertPage'),
  errorComponent: ErrorMessage,
});

export interface ReturnSearch {
  /** The revision to return to. */
  readonly to?: number | undefined;
  /** The scope to restore; exactly one of these is set. The parameter is identified by its id. */
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  readonly parameter?: string | undefined;
  /** The name of the parameter. */
  readonly name?: string | undefined;
}

const returned = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/return',
  ...currentStateOnly,
  staticData: { changes: CHANGES.history, title: () => 'Restore', above: { to: '/history', title: 'History' } },
  validateSearch: ({ to, project, environment, parameter, name }: Record<string, unknown>): ReturnSearch => ({
    to: parsePositiveInteger(to),
    project: parseText(project),
    environment: parseText(environment),
    parameter: parseText(parameter),
    name: parseText(name),
  }),
  component: lazyRouteComponent(() => import('../../features/revert/revert-page.tsx'), 'ReturnPage'),
  errorComponent: ErrorMessage,
});

export const revertRoutes = [revert, returned] as const;
