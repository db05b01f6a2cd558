import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseMatrixSearch } from '../../features/matrix/matrix-search.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const projects = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects',
  staticData: { changes: CHANGES.projects, hasPast: true },
  component: lazyRouteComponent(() => import('../pages/projects-page.tsx'), 'Projects'),
});

const project = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name',
  ...namedPath<'name'>(),
  staticData: { changes: CHANGES.project, hasPast: true },
  validateSearch: parseMatrixSearch,
  component: lazyRouteComponent(() => import('../../features/matrix/matrix-page.tsx'), 'MatrixPage'),
  errorComponent: ErrorMessage,
});

export interface ProjectSettingsSearch {
  /** The open action. */
  readonly do?: string | undefined;
  /** The cursor of the current page of parameters. */
  readonly after?: string | undefined;
}

const settings = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/settings',
  ...namedPath<'name'>(),
  ...currentStateOnly,
  staticData: { changes: CHANGES.settings, title: ({ name = '' }) => name },
  validateSearch: ({ do: requestedAction, after }: Record<string, unknown>): ProjectSettingsSearch => ({
    do: parseText(requestedAction),
    after: parseText(after),
  }),
  component: lazyRouteComponent(() => import('../pages/project-settings-page.tsx'), 'ProjectSettings'),
  errorComponent: ErrorMessage,
});

export const projectRoutes = [projects, project, settings] as const;
