import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

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

export const rotationRoutes = [rotations] as const;
