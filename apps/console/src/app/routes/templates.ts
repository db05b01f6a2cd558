import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { namedPath } from '../../ui/named-path.ts';
import { parseText } from '../../ui/search-params.ts';
import { CHANGES } from './changes.ts';
import { currentStateOnly, signedInRoute } from './inside.ts';

const parentPage = { to: '/projects', title: 'Projects' } as const;

const templates = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/templates',
  ...namedPath<'name'>(),
  staticData: { changes: CHANGES.project, title: ({ name = '' }) => name, above: parentPage, hasPast: true },
  validateSearch: ({ after }: Record<string, unknown>): { after?: string | undefined } => ({ after: parseText(after) }),
  component: lazyRouteComponent(() => import('../../features/templates/templates-page.tsx'), 'TemplatesPage'),
  errorComponent: ErrorMessage,
});

export interface TemplateSearch {
  /** The names of the environments in which the template is previewed. */
  readonly env?: string | undefined;
  readonly beside?: string | undefined;
}

const template = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/templates/$template',
  ...namedPath<'name' | 'template'>(),
  staticData: { changes: CHANGES.project, title: ({ template: name = '' }) => name, above: parentPage, hasPast: true },
  validateSearch: ({ env, beside }: Record<string, unknown>): TemplateSearch => ({
    env: parseText(env),
    beside: parseText(beside),
  }),
  component: lazyRouteComponent(() => import('../../features/templates/template-page.tsx'), 'TemplatePage'),
  errorComponent: ErrorMessage,
});

const history = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/projects/$name/templates/$template/history',
  ...namedPath<'name' | 'template'>(),
  staticData: { changes: CHANGES.project, title: ({ template: name = '' }) => name, above: parentPage },
  validateSearch: ({ before }: Record<string, unknown>): { before?: string | undefined } => ({
    before: parseText(before),
  }),
  ...currentStateOnly,
  component: lazyRouteComponent(
    () => import('../../features/templates/template-history-page.tsx'),
    'TemplateHistoryPage',
  ),
  errorComponent: ErrorMessage,
});

export const templateRoutes = [templates, template, history] as const;
