import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inside } from '../app/inside.ts';
import { Trouble } from '../app/trouble.tsx';
import { matrixSearchIn } from '../matrix/matrix-search.ts';

const projects = createRoute({
  getParentRoute: () => inside,
  path: '/projects',
  component: lazyRouteComponent(() => import('../projects/projects-page.tsx'), 'ProjectsPage'),
});

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$name',
  validateSearch: matrixSearchIn,
  component: lazyRouteComponent(() => import('../matrix/matrix-page.tsx'), 'MatrixPage'),
  errorComponent: Trouble,
});

export const projectRoutes = [projects, project] as const;
