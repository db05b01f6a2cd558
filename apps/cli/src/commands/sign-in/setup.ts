import { readAllRows } from '@strata/rest-client';
import type { Client } from '../../core/client.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { invalidInputError } from '../../core/errors.ts';
import { namesHint, unknownNameError } from '../../core/not-found.ts';
import { toOneLine } from '../../core/one-line.ts';
import { SCOPE_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { assertProjectFileWritable, writeProjectFile } from '../../core/project-file.ts';
import { promptText } from '../../core/prompt.ts';

/** Writes the project and the environment of a folder into its strata.json. */
export const command = defineCommand({
  description: 'choose the project and the environment of this folder, and write them into strata.json',
  options: SCOPE_OPTIONS,
  examples: ['strata setup --project shop --environment production'],
  async run(_, options) {
    const file = assertProjectFileWritable(process.cwd());
    const { client } = await loadContext(options);
    const project = await choose(client, 'project', options.project);
    const environment = await choose(client, 'environment', options.environment);
    const selection = { url: client.url, project, environment };
    writeProjectFile(file, selection);
    if (options.json) printJson({ file, ...selection });
    else print(`Wrote ${file}: project "${project}", environment "${environment}".`);
  },
});

/** Returns the name of an option, or the one that the user enters. It must exist. */
async function choose(
  client: Client,
  kind: 'project' | 'environment',
  selectedName: string | undefined,
): Promise<string> {
  const rows: readonly { readonly name: string }[] = await readAllRows(client, `${kind}s_list`);
  const names = rows.map(({ name }) => name);
  const [onlyName] = names.length === 1 ? names : [];
  const name = selectedName ?? onlyName ?? (await enter(kind, names));
  if (names.includes(name)) return name;
  throw unknownNameError(kind, name, names);
}

async function enter(kind: string, names: readonly string[]): Promise<string> {
  if (!process.stdin.isTTY)
    throw invalidInputError(`No ${kind} is selected.`, `Add --${kind}. ${namesHint(kind, '', names)}`);
  printNote(`${kind === 'project' ? 'Projects' : 'Environments'}: ${names.map(toOneLine).join(', ')}`);
  return promptText(kind === 'project' ? 'Project' : 'Environment');
}
