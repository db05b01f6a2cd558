// The generated part of docs/reference/cli.md. To write it again:
// npx nx build cli && npx node apps/cli/build/command-reference.js
import fs from 'node:fs';
import path from 'node:path';
import type { Command, Option } from 'commander';
import { program } from './commands.ts';
import { HARMLESS_NAMES, NAME_FAMILIES } from './core/programs/dangerous-names.ts';

export const REFERENCE = path.resolve(import.meta.dirname, '../../../docs/reference/cli.md');
const START = '<!-- The rest of this page is generated from the definitions of the commands. -->\n';
const OPERATORS = 'Operate an installation:';

/** Returns the page with its generated part as the definitions of the commands require it. */
export async function completeReference(page: string): Promise<string> {
  const [pageStart = ''] = page.split(START);
  return `${pageStart}${START}\n${[...(await sections()), ...namesSection()].join('\n\n')}\n`;
}

/** Returns the section about names that `strata run` rejects. */
function namesSection(): readonly string[] {
  const code = (names: readonly string[], separator: string) => names.map((name) => `\`${name}\``).join(separator);
  const rows = NAME_FAMILIES.map(({ purpose, patterns }) => {
    return `| ${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} | ${code(patterns, ' ')} |`;
  });
  return [
    '## Rejected names',
    '[Names that can make programs run other code](#names-that-run-code). `*` stands for any characters, and upper and lower case are equal.',
    `These names pass although a pattern matches them: ${code(HARMLESS_NAMES, ', ')}.`,
    ['| Variables for | Names |', '|---|---|', ...rows].join('\n'),
  ];
}

async function sections(): Promise<readonly string[]> {
  const commands = (await program()).commands.filter((command) => ![OPERATORS, ''].includes(command.helpGroup()));
  const groups = [...new Set(commands.map((command) => command.helpGroup()))];
  return groups.flatMap((group) => [
    `## ${group.replace(/:$/, '')}`,
    ...commands.filter((command) => command.helpGroup() === group).flatMap((command) => describeSections(command)),
  ]);
}

function describeSections(command: Command, parents = 'strata'): readonly string[] {
  const name = `${parents} ${command.name()}`;
  const children = command.commands.flatMap((child) => describeSections(child, name));
  // A command without arguments only groups others.
  if (children.length > 0 && command.registeredArguments.length === 0) return children;
  const argumentWords = command.registeredArguments.map((argument) => {
    const text = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${text}>` : `[${text}]`;
  });
  const help = command.createHelp();
  const rows = [
    ...command.registeredArguments.map((argument) => [argument.name(), help.argumentDescription(argument)]),
    ...command.options.filter(isSpecial).map((option) => [option.flags, help.optionDescription(option)]),
  ];
  const table = rows.map(([first = '', text = '']) => `| \`${first}\` | ${text.replaceAll('|', '\\|')} |`);
  return [
    `### \`${[name, ...argumentWords].join(' ')}\``,
    `${sentence(command.description())}${commonOptions(command)}`,
    ...(rows.length > 0 ? [['| | |', '|---|---|', ...table].join('\n')] : []),
    ...children,
  ];
}

const COMMON = ['--url', '--profile', '--json', '--project', '--environment', '--revision', '--as-of', '--tag'];

/**
 * Options that many commands share are described once, in the written part of the page. Filters of results can have the
 * same names.
 */
const isSpecial = ({ long, description, hidden }: Option): boolean =>
  !hidden && (!COMMON.includes(long ?? '') || description.startsWith('only '));

function commonOptions(command: Command): string {
  const names = command.options.flatMap((option) => (option.hidden || isSpecial(option) ? [] : [`\`${option.long}\``]));
  return names.length > 0 ? ` Common options: ${names.join(', ')}.` : '';
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

if (process.argv[1] === import.meta.filename)
  fs.writeFileSync(REFERENCE, await completeReference(fs.readFileSync(REFERENCE, 'utf8')));
