import type { ParameterTimelineEntry } from '@strata/contract';
import { changesetsPage, type HistoryOptions, parameterEntries } from '../../api/history.ts';
import { type Context, loadContext } from '../../core/context.ts';
import { defineCommand, flagOption, optionalArgument, textOption, wholeNumberOr } from '../../core/define-command.ts';
import { maskTexts } from '../../core/names-only.ts';
import { toOneLine } from '../../core/one-line.ts';
import { ENVIRONMENT_FILTER, PROJECT_OPTIONS } from '../../core/options.ts';
import { paint, print, printJson, printNote, shownText } from '../../core/output.ts';
import { changesetLines } from '../../render/changesets.ts';

/** Prints the changesets of the selected project, or the changes of one parameter, newest first. */
export const command = defineCommand({
  description: 'list the changesets of the project, or the changes of one parameter, newest first',
  arguments: { name: optionalArgument('name of a parameter') },
  options: {
    ...{ ...PROJECT_OPTIONS, environment: ENVIRONMENT_FILTER },
    all: flagOption('--all', 'all projects that you may read'),
    since: textOption('--since <time>', 'only changesets of this time or later'),
    query: textOption('-q, --query <text>', 'only changesets whose message or external reference contains a text'),
    limit: wholeNumberOr(20, '--limit <number>', 'maximum number of entries', 2_500),
  },
  examples: ['strata history --limit 5', 'strata history PORT --environment production'],
  async run({ name }, options) {
    const context = await loadContext(options);
    if (name !== undefined) return parameterHistory(context, name, options);
    const { results } = await changesetsPage(context, options);
    if (options.json) return printJson(maskTexts(results));
    if (results.length === 0) return printNote('There are no changesets.');
    print(results.map((changeset) => changesetLines(changeset).join('\n')).join('\n\n'));
  },
});

async function parameterHistory(
  context: Context,
  name: string,
  options: HistoryOptions & { readonly json?: boolean },
): Promise<void> {
  const entries = await parameterEntries(context, name, options);
  if (options.json) return printJson(maskTexts(entries));
  if (entries.length === 0) return printNote('There are no changes.');
  print(entries.map(entryLine).join('\n'));
}

function entryLine({
  history_type: action,
  history_model: model,
  modified_at: at,
  modified_by: actorName,
  history_versions: versions,
}: ParameterTimelineEntry) {
  const texts = [versions?.before, versions?.after].map((state) =>
    state ? shownText(state.text) : paint('dim', 'not set'),
  );
  const change = model === 'Value' ? `${texts[0]} → ${texts[1]}` : `${action} ${model}`;
  const columns = [`Revision ${versions?.revision ?? '?'}`, at, actorName, versions?.environment_name];
  const shownColumns = columns.filter((text) => text !== null && text !== undefined).map(toOneLine);
  return [...shownColumns, change].join('  ');
}
