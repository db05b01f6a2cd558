import { Command, type ErrorOptions } from 'commander';

/**
 * A command whose usage errors do not repeat what the user typed, which can be a key or a secret in the wrong place. Error
 * messages end up in logs of builds and in records of terminals.
 */
export class StrataCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrataCommand(name);
  }

  override error(message: string, options?: ErrorOptions): never {
    return super.error(withoutUserText(message, options?.code), options);
  }
}

const CHANGES: Readonly<Record<string, (message: string) => string>> = {
  'commander.excessArguments': (message) => message.replace(/( but got \d+):.*$/s, '$1.'),
  'commander.unknownOption': (message) => message.replace(/^error: unknown option '.*'/s, 'error: unknown option.'),
  'commander.unknownCommand': (message) => message.replace(/^error: unknown command '.*'/s, 'error: unknown command.'),
  'commander.invalidArgument': (message) =>
    message
      .replace(
        /^(error: option '[^']*') (?:argument '.*'|value '.*'( from env '[^']*')) is invalid\./s,
        '$1$2 is invalid.',
      )
      .replace(
        /^error: command-argument value '.*' is invalid for argument '([^']*)'\./s,
        "error: argument '$1' is invalid.",
      ),
};

/** The errors that contain only names of commands, options and arguments. */
const WITHOUT_USER_TEXT: readonly string[] = [
  'commander.missingArgument',
  'commander.optionMissingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.conflictingOption',
];

/** Returns the message without the arguments of the user. If a new kind of error is not in the tables, it has no details. */
function withoutUserText(message: string, code = ''): string {
  if (WITHOUT_USER_TEXT.includes(code)) return message;
  return CHANGES[code]?.(message) ?? 'error: the command line is invalid. Run `strata help <command>`.';
}
