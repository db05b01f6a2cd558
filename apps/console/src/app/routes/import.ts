import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const imported = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/import',
  ...namedPath<'name'>(),
  ...currentStateOnly,
  staticData: { changes: CHANGES.imports },
  component: lazyRouteComponent(() => import('../../features/import/import-page.tsx'), 'ImportPage'),
  errorComponent: ErrorMessage,
});

const snapshot = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/import',
  staticData: { title: () => 'Snapshot import', changes: CHANGES.snapshots },
  ...currentStateOnly,
  component: lazyRouteComponent(() => import('../../features/snapshot/snapshot-page.tsx'), 'SnapshotPage'),
  errorComponent: ErrorMessage,
});

export const importRoutes = [imported, snapshot] as const;
