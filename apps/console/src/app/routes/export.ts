import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parsePositiveInteger, parseText } from '../../ui/search-params.ts';
import { signedInRoute } from './inside.ts';

interface ExportSearch {
  /** The name of the environment. */
  readonly env?: string | undefined;
  /** `dotenv`, `docker`, `shell`, `json` or `template:<name>`. */
  readonly format?: string | undefined;
  /** The number of selected parameters, whose names are in the state of the browser's history. */
  readonly selected?: number | undefined;
}

const exported = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/export',
  ...namedPath<'name'>(),
  staticData: { changes: null, hasPast: true },
  validateSearch: ({ env, format, selected }: Record<string, unknown>): ExportSearch => ({
    env: parseText(env),
    format: parseText(format),
    selected: parsePositiveInteger(selected),
  }),
  component: lazyRouteComponent(() => import('../../features/export/export-page.tsx'), 'ExportPage'),
  errorComponent: ErrorMessage,
});

export const exportRoutes = [exported] as const;
