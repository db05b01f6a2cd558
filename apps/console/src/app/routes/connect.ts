import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

/** The ways to connect a program, as in `kit/copy-as/programs.ts`, which is loaded with the page. */
const PROGRAMS = ['curl', 'cli', 'sdk', 'openfeature', 'kubernetes'] as const;

export interface ConnectSearch {
  /** The name of the environment. */
  readonly env?: string | undefined;
  readonly with?: (typeof PROGRAMS)[number] | undefined;
}

const connect = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/connect',
  ...namedPath<'name'>(),
  staticData: {
    changes: CHANGES.keys,
    title: ({ name = '' }) => `Connect to ${name}`,
    above: { to: '/projects', title: 'Projects' },
  },
  validateSearch: ({ env, with: kind }: Record<string, unknown>): ConnectSearch => ({
    env: parseText(env),
    with: PROGRAMS.find((program) => program === kind),
  }),
  ...currentStateOnly,
  component: lazyRouteComponent(() => import('../pages/connect-page.tsx'), 'Connect'),
  errorComponent: ErrorMessage,
});

export const connectRoutes = [connect] as const;
