import type { Command } from 'commander';
import { program } from './commands.ts';

const CANARY = 'canary-4f1c9e';

/** Returns every command that runs something, with the words that call it. */
function listCommands(command: Command, line: readonly string[] = []): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[line.join(' '), command]];
  return command.commands.flatMap((child) => listCommands(child, [...line, child.name()]));
}

/** Returns what a command line prints to standard error, and whether it was accepted. */
async function parse(line: readonly string[]) {
  const strata = await program();
  let printed = '';
  const configure = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: (text) => (printed += text), writeOut: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    for (const child of command.commands) configure(child);
  };
  configure(strata);
  const isAccepted = await strata.parseAsync([...line], { from: 'user' }).then(
    () => true,
    () => false,
  );
  return { printed, isAccepted };
}

const COMMANDS = listCommands(await program()).map(([line, command]) => [line, command] as const);

describe('usage errors do not repeat what was typed', () => {
  it.each(COMMANDS)('strata %s', async (name, command) => {
    const commandWords = name.split(' ');
    const options = command.options.flatMap(({ long }) => (long ? [long] : []));
    const lines = [
      [...commandWords, `--${CANARY}`],
      [...commandWords, `--${CANARY}=${CANARY}`],
      [...commandWords, `-${CANARY}`],
      [...commandWords, `-----BEGIN ${CANARY}\n'${CANARY}'\n`],
      [...commandWords, ...Array.from({ length: 9 }, (_, index) => `${CANARY}${index}`)],
      ...options.map((option) => [...commandWords, `${option}=${CANARY}' is invalid. ${CANARY}`]),
      ...options.map((option) => [...commandWords, option, CANARY, CANARY, CANARY]),
    ];
    const outcomes = await Promise.all(lines.map(parse));

    expect(outcomes.filter(({ printed }) => printed.includes(CANARY))).toEqual([]);
    expect(outcomes.some(({ isAccepted }) => !isAccepted)).toBe(true);
    for (const { printed, isAccepted } of outcomes) if (!isAccepted) expect(printed).toContain('error: ');
  });

  it.each([
    [
      'too many arguments',
      ['login', '--key', CANARY],
      "error: too many arguments for 'login'. Expected 0 arguments but got 1.",
    ],
    ['an unknown option', ['get', '--revael'], 'error: unknown option.\n(Did you mean --reveal?)'],
    ['an unknown command', [CANARY], 'error: unknown command.'],
    ['a similar command', ['lgoin'], 'error: unknown command.\n(Did you mean login?)'],
    ['a choice', ['export', '--format', CANARY], "error: option '--format <format>' is invalid. Allowed choices are"],
    ['a number', ['search', 'x', '--limit', CANARY], 'It must be a whole number'],
  ])('and say what is wrong: %s', async (_, line, message) => {
    const { printed } = await parse(line);
    expect(printed).toContain(message);
    expect(printed).toContain('Run `strata help <command>`');
    expect(printed).not.toContain(CANARY);
  });
});
