import type { OperationRequest, OperationResponse, ParameterTimeline, ParameterTimelineEntry } from '@strata/contract';
import type { Client } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { CommandError, EXIT } from '../core/errors.ts';

const PAGE_SIZE = 500;

export interface HistoryOptions {
  readonly environment?: string;
  readonly all?: boolean;
  readonly since?: string;
  readonly query?: string;
  readonly limit: number;
}

/** Returns one page of changesets, newest first. */
export async function changesetsPage(
  context: Context,
  { all, environment, since, query, limit }: HistoryOptions,
  page = 1,
): Promise<OperationResponse<'changesets_list'>> {
  const project = all ? undefined : context.selectedProject;
  const changesets = await context.client.call('changesets_list', {
    query: { project, environment, since, q: query, page, page_size: limit },
  });
  if (changesets.results.length === 0) await requireScopes(context, { all, environment });
  return changesets;
}

/** Throws if there are no changesets because the project or the environment does not exist. */
async function requireScopes(
  { client, selectedProject }: Context,
  { all, environment }: Pick<HistoryOptions, 'all' | 'environment'>,
) {
  if (selectedProject !== null && !all) await client.projectId(selectedProject);
  if (environment !== undefined) await client.environmentId(environment);
}

/** Returns the newest changes of a parameter. */
export async function parameterEntries(
  { client, project }: Context,
  name: string,
  options: HistoryOptions,
): Promise<readonly ParameterTimelineEntry[]> {
  const projectId = { project_pk: await client.projectId(project) };
  const id = await client.findId('projects_parameters_list', name, projectId);
  if (id === null) throw new CommandError(EXIT.notFound, `The parameter "${name}" does not exist in "${project}".`);
  return newestEntries(client, { ...projectId, id }, options);
}

type ParameterPath = OperationRequest<'projects_parameters_timeline_retrieve'>['path'];

/** Returns the newest changes, at most `limit`. The API returns those of all environments. */
async function newestEntries(client: Client, path: ParameterPath, { environment, limit }: HistoryOptions) {
  const entries: ParameterTimelineEntry[] = [];
  for (let before: string | undefined; ; ) {
    const query = { versions: true, page_size: PAGE_SIZE, as_of: before };
    const page: ParameterTimeline = await client.call('projects_parameters_timeline_retrieve', { path, query });
    const selectedRows = page.results.filter(
      ({ history_versions: versions }) => environment === undefined || versions?.environment_name === environment,
    );
    entries.push(...selectedRows);
    if (entries.length >= limit || !page.next_as_of) return entries.slice(0, limit);
    before = page.next_as_of;
  }
}
