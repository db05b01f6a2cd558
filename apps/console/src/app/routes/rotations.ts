import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const parentPage = { to: '/rotations', title: 'Rotations' } as const;

const rotations = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rotations',
  ...currentStateOnly,
  staticData: {
    changes: CHANGES.rotations,
    title: () => 'Rotations',
    above: { to: '/integrations', title: 'Integrations' },
  },
  component: lazyRouteComponent(() => import('../../features/rotations/rotations-page.tsx'), 'RotationsPage'),
  errorComponent: ErrorMessage,
});

const created = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rotations/new',
  ...currentStateOnly,
  staticData: { changes: CHANGES.rotations, title: () => 'Create rotation', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/rotations/rotation-form-page.tsx'), 'NewRotationPage'),
  errorComponent: ErrorMessage,
});

const changed = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rotations/$rotation/change',
  ...currentStateOnly,
  staticData: { changes: CHANGES.rotations, title: () => 'Edit rotation', above: parentPage },
  component: lazyRouteComponent(() => import('../../features/rotations/rotation-form-page.tsx'), 'ChangeRotationPage'),
  errorComponent: ErrorMessage,
});

export const rotationRoutes = [rotations, created, changed] as const;
