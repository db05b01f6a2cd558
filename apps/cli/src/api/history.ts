import type { Page, Parameter, ParameterTimeline, ParameterTimelineEntry, RecordedChangeset } from '@strata/contract';
import type { Client } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { PAGE_SIZE } from './pages.ts';

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
): Promise<Page<RecordedChangeset>> {
  const changesets = await context.client.get<Page<RecordedChangeset>>('changesets/', {
    ...{ project: all ? undefined : context.selectedProject, environment, since, q: query, page, page_size: limit },
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
  if (environment !== undefined) await client.named('environments/', environment, 'environment');
}

/** Returns the newest changes of a parameter. */
export async function parameterEntries(
  { client, project }: Context,
  name: string,
  options: HistoryOptions,
): Promise<readonly ParameterTimelineEntry[]> {
  const path = `projects/${await client.projectId(project)}/parameters/`;
  const parameter = await client.find<Parameter>(path, name);
  if (!parameter) throw new CommandError(EXIT.notFound, `The parameter "${name}" does not exist in "${project}".`);
  return newestEntries(client, `${path}${parameter.id}/timeline/`, options);
}

/** Returns the newest changes, at most `limit`. The API returns those of all environments. */
async function newestEntries(client: Client, path: string, { environment, limit }: HistoryOptions) {
  const entries: ParameterTimelineEntry[] = [];
  for (let before: string | undefined; ; ) {
    const page: ParameterTimeline = await client.get(path, { versions: true, page_size: PAGE_SIZE, as_of: before });
    const selected = page.results.filter(
      ({ history_versions: versions }) => environment === undefined || versions?.environment_name === environment,
    );
    entries.push(...selected);
    if (entries.length >= limit || !page.next_as_of) return entries.slice(0, limit);
    before = page.next_as_of;
  }
}
