import type { Page, Parameter, ParameterTimeline, ParameterTimelineEntry, RecordedChangeset } from '@strata/contract';
import { describedChange } from './change-commands.ts';
import type { Client } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { type Context, contextOf, type TargetOptions } from './context.ts';
import { namesOnly } from './names-only.ts';
import { note, oneLine, paint, print, printJson, shownText } from './output.ts';
import { PAGE_SIZE } from './pages.ts';

export interface HistoryOptions extends TargetOptions {
  readonly all?: boolean;
  readonly since?: string;
  readonly query?: string;
  readonly limit: number;
}

/** Prints the changesets of the selected project, or the changes of one parameter, newest first. */
export async function history(name: string | undefined, options: HistoryOptions): Promise<void> {
  const context = await contextOf(options);
  if (name !== undefined) return parameterHistory(context, name, options);
  const { results } = await changesetsPage(context, options);
  if (options.json) return printJson(namesOnly(results));
  if (results.length === 0) return note('There are no changesets.');
  print(results.map((changeset) => linesOf(changeset).join('\n')).join('\n\n'));
}

/** Returns one page of changesets, newest first. */
export async function changesetsPage(
  context: Context,
  { all, environment, since, query, limit }: HistoryOptions,
  page = 1,
): Promise<Page<RecordedChangeset>> {
  const found = await context.client.get<Page<RecordedChangeset>>('changesets/', {
    ...{ project: all ? undefined : context.selectedProject, environment, since, q: query, page, page_size: limit },
  });
  if (found.results.length === 0) await requireScopes(context, { all, environment });
  return found;
}

/** Throws if there are no changesets because the project or the environment does not exist. */
async function requireScopes(
  { client, selectedProject }: Context,
  { all, environment }: Pick<HistoryOptions, 'all' | 'environment'>,
) {
  if (selectedProject !== null && !all) await client.projectId(selectedProject);
  if (environment !== undefined) await client.named('environments/', environment, 'environment');
}

const CHANGES_SHOWN = 5;

/** Returns a changeset as lines. */
export function linesOf({ revision, at, actor_name: actor, message, change_count: count, changes }: RecordedChangeset) {
  const shown = changes.slice(0, CHANGES_SHOWN).map((change) => `  ${describedChange(change)}`);
  const more = count > shown.length ? [`  … and ${count - shown.length} more`] : [];
  const first = `${paint('bold', `Revision ${revision}`)}  ${at}  ${actor ?? 'no access'}`;
  return [first, ...(message ? [`  ${paint('cyan', oneLine(message))}`] : []), ...shown, ...more];
}

async function parameterHistory(context: Context, name: string, options: HistoryOptions): Promise<void> {
  const entries = await parameterEntries(context, name, options);
  if (options.json) return printJson(namesOnly(entries));
  if (entries.length === 0) return note('There are no changes.');
  print(entries.map(entryLine).join('\n'));
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

function entryLine({
  history_type: action,
  history_model: model,
  modified_at: at,
  modified_by: by,
  history_versions: versions,
}: ParameterTimelineEntry) {
  const texts = [versions?.before, versions?.after].map((state) =>
    state ? shownText(state.text) : paint('dim', 'not set'),
  );
  const change = model === 'Value' ? `${texts[0]} → ${texts[1]}` : `${action} ${model}`;
  const words = [`Revision ${versions?.revision ?? '?'}`, at, by, versions?.environment_name, change];
  return words.filter((word) => word != null).join('  ');
}
