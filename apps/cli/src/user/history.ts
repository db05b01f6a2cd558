import type { Page, Parameter, ParameterTimeline, ParameterTimelineEntry, RecordedChangeset } from '@strata/contract';
import { describedChange } from './change-commands.ts';
import { CommandError, EXIT, invalid } from './command-error.ts';
import { type Context, contextOf, type TargetOptions } from './context.ts';
import { namesOnly } from './names-only.ts';
import { note, oneLine, paint, print, printJson } from './output.ts';

interface HistoryOptions extends TargetOptions {
  readonly all?: boolean;
  readonly since?: string;
  readonly query?: string;
  readonly limit: string;
}

/** Prints the changesets of the selected project, or the changes of one parameter, newest first. */
export async function history(name: string | undefined, options: HistoryOptions): Promise<void> {
  if (!/^[1-9]\d{0,2}$/.test(options.limit)) throw invalid('--limit must be a whole number from 1 to 999.');
  const context = await contextOf(options);
  if (name !== undefined) return parameterHistory(context, name, options);
  const { results } = await context.client.get<Page<RecordedChangeset>>('changesets/', {
    ...{ project: options.all ? undefined : context.selectedProject, environment: options.environment },
    ...{ since: options.since, q: options.query, page_size: options.limit },
  });
  if (options.json) return printJson(namesOnly(results));
  if (results.length === 0) return note('There are no changesets.');
  print(results.map((changeset) => linesOf(changeset).join('\n')).join('\n\n'));
}

const CHANGES_SHOWN = 5;

function linesOf({ revision, at, actor_name: actor, message, change_count: count, changes }: RecordedChangeset) {
  const shown = changes.slice(0, CHANGES_SHOWN).map((change) => `  ${describedChange(change)}`);
  const more = count > shown.length ? [`  … and ${count - shown.length} more`] : [];
  const first = `${paint('bold', `Revision ${revision}`)}  ${at}  ${actor ?? 'no access'}`;
  return [first, ...(message ? [`  ${paint('cyan', oneLine(message))}`] : []), ...shown, ...more];
}

async function parameterHistory({ client, project }: Context, name: string, options: HistoryOptions): Promise<void> {
  const path = `projects/${await client.projectId(project)}/parameters/`;
  const { results: found } = await client.get<Page<Parameter>>(path, { name, page_size: 1 });
  const [parameter] = found;
  if (!parameter) throw new CommandError(EXIT.notFound, `The parameter "${name}" does not exist in "${project}".`);
  const query = { versions: true, page_size: options.limit };
  const { results } = await client.get<ParameterTimeline>(`${path}${parameter.id}/timeline/`, query);
  const entries = results.filter(({ history_versions: versions }) =>
    options.environment ? versions?.environment_name === options.environment : true,
  );
  if (options.json) return printJson(namesOnly(entries));
  if (entries.length === 0) return note('There are no changes.');
  print(entries.map(entryLine).join('\n'));
}

function entryLine({
  history_type: action,
  history_model: model,
  modified_at: at,
  modified_by: by,
  history_versions: versions,
}: ParameterTimelineEntry) {
  const texts = [versions?.before, versions?.after].map((state) =>
    state ? textOf(state.text) : paint('dim', 'not set'),
  );
  const change = model === 'Value' ? `${texts[0]} → ${texts[1]}` : `${action} ${model}`;
  const words = [`Revision ${versions?.revision ?? '?'}`, at, by, versions?.environment_name, change];
  return words.filter((word) => word != null).join('  ');
}

const textOf = (text: string | null): string => (text === null ? 'null' : oneLine(text));
