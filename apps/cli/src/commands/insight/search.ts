import type { SearchHit } from '@strata/contract';
import { SEARCH_FIELDS, SEARCH_MATCHES } from '@strata/domain';
import { readRows } from '@strata/rest-client';
import { searchQuery } from '../../api/search.ts';
import { loadContext } from '../../core/context.ts';
import {
  choice,
  choices,
  defineCommand,
  flagOption,
  requiredArgument,
  textOption,
  wholeNumberOr,
} from '../../core/define-command.ts';
import { maskTexts } from '../../core/names-only.ts';
import { toOneLine } from '../../core/one-line.ts';
import { ENVIRONMENT_FILTER, URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote, shownText } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

const LENGTH_MAX = 50;

/** Searches names, values and descriptions in everything that the caller may read. Secret values are never searched. */
export const command = defineCommand({
  description:
    'search names, values and descriptions in all projects and environments; secret values are never searched',
  arguments: { text: requiredArgument('text to search for') },
  options: {
    ...URL_OPTIONS,
    project: textOption('-p, --project <name>', 'only this project (default: all)'),
    environment: ENVIRONMENT_FILTER,
    in: choices(
      '--in <field>',
      'where to search; repeatable, or separated by commas (default: everywhere)',
      SEARCH_FIELDS,
    ),
    match: choice('--match <kind>', 'how to match', SEARCH_MATCHES),
    ignoreCase: flagOption('-i, --ignore-case', 'ignore letter case'),
    limit: wholeNumberOr(100, '--limit <number>', 'maximum number of results', 100_000),
  },
  examples: ['strata search 80 --in name,value --match contains'],
  async run({ text: query }, options) {
    const { client } = await loadContext(options);
    const request = { query: searchQuery(query, options) };
    const { results, isComplete } = await readRows(client, 'search_list', request, { limit: options.limit });
    if (!isComplete) printNote(`Only the first ${results.length} results are shown. Use --limit for more.`);
    if (options.json) return printJson(maskTexts(results));
    if (results.length === 0) return printNote('Nothing was found.');
    printTable(['PROJECT', 'NAME', 'VALUE', 'ENVIRONMENTS'], results.flatMap(tableRows));
  },
});

function tableRows({ project_name: project, name, wins }: SearchHit): readonly (readonly string[])[] {
  const title = [project, name].map(toOneLine);
  if (wins.length === 0) return [[...title, '', '']];
  return wins.map(({ value, environments }) => {
    const names = environments.map(({ environment_name: environment }) => environment).join(', ');
    return [...title, shownText(value, LENGTH_MAX), toOneLine(names)];
  });
}
