import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Params } from '@strata/domain';
import {
  type CacheOptions,
  type Config,
  ConfigError,
  connect,
  StrataError,
  type StrataErrorCode,
} from 'strata-config-client';
import { missingValueError } from '../../api/explain.ts';
import type { Client } from '../../core/client.ts';
import { type Context, loadContext, type TargetOptions } from '../../core/context.ts';
import {
  defineCommand,
  flagOption,
  names,
  optionalList,
  requiredArgument,
  textOption,
} from '../../core/define-command.ts';
import { parseMinutes } from '../../core/duration.ts';
import { CommandError, EXIT, type ExitCode, invalidInputError } from '../../core/errors.ts';
import { ALLOW_NAME, SCOPE_OPTIONS } from '../../core/options.ts';
import { printNote } from '../../core/output.ts';
import { readAcceptedNames } from '../../core/programs/accepted-names.ts';
import { childEnvironment, describeInvalidEnvironment } from '../../core/programs/child-environment.ts';
import { exitLike, forwardSignals, Program, waitForEnd } from '../../core/programs/child-process.ts';
import { describeLargeValues } from '../../core/programs/exec-limits.ts';
import { projectFile } from '../../core/project-file.ts';
import { restartAfterChanges, signalAfterChanges } from './run/follow-changes.ts';

interface RunOptions extends TargetOptions {
  readonly offline?: boolean;
  readonly cacheMaxAge?: string;
  readonly allowName?: readonly string[];
  readonly only?: readonly string[];
  readonly withoutSecrets?: boolean;
}

const EXIT_CODES: Partial<Record<StrataErrorCode, ExitCode>> = {
  invalid_options: EXIT.invalid,
  rejected: EXIT.invalid,
  unavailable: EXIT.unreachable,
  credential_rejected: EXIT.notSignedIn,
  forbidden: EXIT.forbidden,
  not_found: EXIT.notFound,
};

/** Runs a program with the effective values as environment variables. */
export const command = defineCommand({
  description: 'run a program with the effective values, secrets included, as environment variables',
  usage: '[options] -- <program> [arguments...]',
  arguments: { program: requiredArgument('the program to run'), arguments: optionalList('its arguments') },
  options: {
    ...{ ...SCOPE_OPTIONS, allowName: ALLOW_NAME },
    only: names('--only <names>', 'only these variables; repeatable, or separated by commas'),
    withoutSecrets: flagOption(
      '--without-secrets',
      'leave out secrets, so that the account need not be able to reveal them',
    ),
    watch: flagOption('--watch', 'restart the program after each change'),
    signal: textOption(
      '--signal <name>',
      'send a signal, such as SIGHUP, after each change instead of restarting the program',
    ),
    cacheMaxAge: textOption(
      '--cache-max-age <time>',
      'store the values encrypted, and start with them for this time if Strata is unavailable, such as 12h',
    ),
    offline: flagOption('--offline', 'do not contact Strata, and start with the stored values', {
      conflicts: ['watch', 'signal'],
    }),
  },
  passesOptionsThrough: true,
  examples: ['strata run -- node --version', 'strata run --only PORT,HOST --without-secrets -- node --version'],
  async run({ program: path, arguments: args }, options) {
    const signal = options.signal === undefined ? undefined : requireSignal(options.signal);
    const context = await loadContext(options);
    const config = await connectConfig(context, options);
    const missingName = options.only?.find((name) => !config.has(name));
    if (missingName !== undefined) throw await missingValueError(context, missingName, options);
    const start = (ownGroup?: true) =>
      new Program(path, args, childEnvironment(process.env, config.all()), { ownGroup });
    if (signal) return exitLike(await signalAfterChanges(config, start(), signal));
    if (options.watch) return exitLike(await restartAfterChanges(config, () => start(true)));
    // The connection would keep the secrets in this process up to date for nothing.
    await config.close();
    const program = start();
    exitLike(
      await waitForEnd(
        program,
        forwardSignals(() => program),
      ),
    );
  },
});

function requireSignal(name: string): NodeJS.Signals {
  if (name in os.constants.signals) return name as NodeJS.Signals;
  throw invalidInputError('--signal is not the name of a signal.', 'Use a name such as SIGHUP.');
}

async function connectConfig(context: Context, options: RunOptions): Promise<Config> {
  const { client, project, environment, credential } = context;
  const { offline = false, cacheMaxAge, allowName, only, withoutSecrets = false } = options;
  const acceptedNameList = readAcceptedNames(projectFile(process.cwd()), allowName);
  if ((offline || cacheMaxAge !== undefined) && typeof credential !== 'string')
    throw invalidInputError(
      '--cache-max-age and --offline require an API key or a sign-in.',
      'The stored values are encrypted with the credential, and the token of a job or pod changes.',
    );
  // The connection would repeat an exchange that Strata rejects, until it ends by its time limit.
  await client.authorization();
  const cache =
    offline || cacheMaxAge !== undefined
      ? cacheFor([client.url, project, environment, ...selectionKey(options)], cacheMaxAge)
      : null;
  let unusableNames = '';
  let isOversize = false;
  const onError = ({ code, message }: StrataError) => {
    if (code === 'cache_unusable') unusableNames = message;
    if (!offline) printNote(`strata: ${message}`);
  };
  try {
    return await connect({
      ...{ url: client.url, credential, project, environment, reveal: !withoutSecrets },
      ...(only && { names: only }),
      ...(cache && { cache }),
      ...(offline && { fetch: () => Promise.reject(new StrataError('unavailable', 'Strata is not contacted.')) }),
      validate: (next) => {
        const values = next.all() as Record<string, string | null>;
        const problem = describeInvalidEnvironment(values, acceptedNameList);
        if (problem !== null) throw new ConfigError(problem);
        const oversize = describeLargeValues(values);
        if (oversize === null) return;
        isOversize = true;
        throw new ConfigError(`The program cannot be started: ${oversize}`);
      },
      onError,
    });
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    const request = { query: { project, environment } };
    if (isOversize && error.cause instanceof ConfigError) throw new CommandError(EXIT.cannotStart, error.cause.message);
    if (error.code === 'unavailable' && !offline) {
      const { checkAddress } = await import('../../core/wrong-address.ts');
      const problem = await checkAddress(client.url);
      if (problem !== null) throw problem;
    }
    if (error.code === 'forbidden' && !withoutSecrets) await requireReveal(client);
    throw await client.explained(commandError(error, offline, unusableNames), request);
  }
}

/** Throws if the account may not reveal secrets. */
async function requireReveal(client: Client): Promise<void> {
  const { reveals_secrets: reveals } = await client.call('users_current_abilities_retrieve');
  if (!reveals)
    throw new CommandError(EXIT.forbidden, 'You may not reveal secrets.', {
      hint: 'Add --without-secrets, or ask an ADMIN for the ability to reveal secrets.',
    });
}

/** Returns texts that differ between selections of names and secrets; none for all. */
const selectionKey = ({ only, withoutSecrets }: RunOptions): readonly string[] =>
  only || withoutSecrets ? [JSON.stringify([only?.toSorted() ?? null, withoutSecrets ?? false])] : [];

/** Returns the file of the last configuration that Strata delivered for this selection. */
function cacheFor(selection: readonly string[], maxAge: string | undefined): CacheOptions {
  const home = process.env.HOME || os.homedir();
  const folder = path.join(process.env.XDG_CACHE_HOME || path.join(home, '.cache'), 'strata');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(selection.join('\0')).digest('hex').slice(0, 32);
  const file = path.join(folder, `${name}.cache`);
  return maxAge === undefined ? { file } : { file, maxAgeMinutes: parseMinutes('--cache-max-age', maxAge) };
}

function commandError(
  { code, message, cause, params }: StrataError,
  offline: boolean,
  unusableNames: string,
): CommandError {
  if (offline && code === 'unavailable')
    return new CommandError(EXIT.unreachable, unusableNames || 'There is no stored configuration.', {
      hint: 'Run the command once without --offline, and with --cache-max-age.',
    });
  const text = cause instanceof ConfigError ? cause.message : message;
  return new CommandError(EXIT_CODES[code] ?? EXIT.failed, text, { code, params: params as Params });
}
