import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  Home,
  type HomeQuery,
  OneProjectOverview,
  ProjectProblems,
  type ProjectProblemsQuery,
} from '../graphql/home.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

/** The number of projects per page. */
export const PROJECTS_PER_PAGE = 24;
/** Reports of instances, deliveries and expirations are no events, so they are read again while the page is visible. */
const REFRESH_MS = 30_000;

/** The maximum time, in milliseconds, that the core takes to find problems. */
const PROBLEMS_WITHIN_MS = 2_000;

/** The problems of a project that take longer to find than its counts. */
export type ProjectProblemCounts = NonNullable<ProjectProblemsQuery['projectOverview']>['results'][number];

/** A page of the projects, or one project. */
type ShownProjects = { readonly page: number } | { readonly project: string };

export type HomeProject = NonNullable<HomeQuery['projectOverview']>['results'][number];
export type HomeData = Awaited<ReturnType<typeof readHome>>;

export const homeKeys = queryKeys(
  'home',
  { onAnyChange: true, on: ['webhook', 'membership', 'service_account'] },
  (all) => ({
    of: (viewer: string, page: number) => [...all, viewer, page],
    project: (id: string) => [...all, 'project', id],
    problems: (shownProjects: ShownProjects) => [...all, 'problems', shownProjects],
  }),
);

/** The query for the home page of a user. */
export const homeQuery = (viewer: string, page: number) =>
  queryOptions({
    queryKey: homeKeys.of(viewer, page),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => readHome(viewer, page, signal),
  });

async function readHome(viewer: string, page: number, signal: AbortSignal) {
  const response = await requestGraphql(Home, { viewer, first: PROJECTS_PER_PAGE, page }, signal);
  const { projectOverview, webhooks, changesets, users, serviceAccounts } = response;
  return {
    projects: projectOverview?.results ?? [],
    projectCount: projectOverview?.count ?? 0,
    webhooks: webhooks.edges.map(({ node }) => node),
    changesets: changesets.edges.map(({ node }) => node),
    userCount: users.totalCount,
    serviceAccountCount: serviceAccounts.totalCount,
    programCount: serviceAccounts.totalCount - serviceAccounts.edges.filter(({ node }) => node.role === 'OWNER').length,
  };
}

/** The query for the counts, the problems and the last change of one project; null if the user cannot access it. */
export const projectOverviewQuery = (id: string) =>
  queryOptions({
    queryKey: homeKeys.project(id),
    queryFn: async ({ signal }) =>
      (await requestGraphql(OneProjectOverview, { project: id }, signal)).projectOverview?.results[0] ?? null,
  });

/** The query for the problems of projects, in the background, by project id. */
export const problemsQuery = (shownProjects: ShownProjects) =>
  queryOptions({
    queryKey: homeKeys.problems(shownProjects),
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }): Promise<Readonly<Record<string, ProjectProblemCounts>>> => {
      const which =
        'page' in shownProjects
          ? { first: PROJECTS_PER_PAGE, ...shownProjects }
          : { first: 1, page: 1, ...shownProjects };
      const variables = { project: null, ...which, withinMs: PROBLEMS_WITHIN_MS };
      const { projectOverview } = await requestGraphql(ProjectProblems, variables, signal);
      return Object.fromEntries((projectOverview?.results ?? []).map((project) => [project.projectId, project]));
    },
  });
