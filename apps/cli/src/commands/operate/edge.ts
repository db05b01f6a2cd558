import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { loadContext, readSelection } from '../../core/context.ts';
import { defineCommand, flagOption, names, textOption, wholeNumberOr } from '../../core/define-command.ts';
import { parseSeconds } from '../../core/duration.ts';
import { invalidInputError } from '../../core/errors.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printNote } from '../../core/output.ts';
import { projectFile } from '../../core/project-file.ts';
import { withSecrets } from '../../core/secret-settings.ts';

const SCOPES_MAX = 50;

/** Serves effective values near their programs, also while the core is unavailable. */
export const command = defineCommand({
  description: 'serve effective values and flags near programs, also while the core is unavailable',
  options: {
    ...URL_OPTIONS,
    project: names('-p, --project <names>', 'projects to serve; repeatable (default: STRATA_PROJECT, strata.json)'),
    environment: names(
      '-e, --environment <names>',
      'environments to serve, of each project; repeatable (default: STRATA_ENVIRONMENT, strata.json)',
    ),
    withoutSecrets: flagOption(
      '--without-secrets',
      'hold no secrets, so that the account need not be able to reveal them',
    ),
    host: textOption('--host <address>', 'address to listen on (default: 127.0.0.1)'),
    port: wholeNumberOr(3100, '--port <number>', 'port to listen on', 65_535),
    metricsPort: textOption('--metrics-port <number>', 'port of the metrics for Prometheus (default: no metrics)'),
    data: textOption('--data <folder>', 'folder of the snapshot and the record (default: .strata-edge)'),
    maxOffline: textOption('--max-offline <time>', 'time to serve values without the core, such as 12h (default: 24h)'),
    maxOfflineSecrets: textOption(
      '--max-offline-secrets <time>',
      'time to serve secrets without the core, such as 30m (default: 1h)',
    ),
    recordLimit: wholeNumberOr(
      65_536,
      '--record-limit <KiB>',
      'size of the reads that the core does not know of, at which no secrets are served',
      1_048_576,
    ),
  },
  async run(_, options) {
    replaceByLeanProcess();
    const { project, environment, ...target } = options;
    const selection = readSelection({}, process.env, projectFile(process.cwd()));
    const scopes = combine(project ?? selection.project, environment ?? selection.environment);
    const { client } = await loadContext(target);
    const key = withSecrets(process.env).STRATA_EDGE_KEY;
    if (!key)
      throw invalidInputError(
        'STRATA_EDGE_KEY is not set.',
        'The files of the edge are encrypted with it. Create one with `openssl rand -base64 32`, and set STRATA_EDGE_KEY or STRATA_EDGE_KEY_FILE.',
      );
    const folder = path.resolve(options.data ?? '.strata-edge');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { claimDataDirectory } = await import('../../start/data-directory.ts');
    const claim = await claimDataDirectory(folder, printNote, '--data');
    const { Edge } = await import('../../edge/edge.ts');
    const edge = await Edge.start({
      ...{ url: client.url, scopes, key, holdsSecrets: !options.withoutSecrets, onNote: printNote },
      authorization: async () => (await client.authorization()) ?? '',
      host: options.host ?? '127.0.0.1',
      port: options.port,
      metricsPort: options.metricsPort === undefined ? null : parsePort(options.metricsPort),
      folder,
      limits: {
        othersMs: parseSeconds('--max-offline', options.maxOffline ?? '24h') * 1_000,
        secretsMs: parseSeconds('--max-offline-secrets', options.maxOfflineSecrets ?? '1h') * 1_000,
      },
      recordBytesMax: options.recordLimit * 1_024,
    });
    printNote(`strata edge: ${edge.url}`);
    const end = async () => {
      claim.markAsEnding();
      await edge.stop();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(
        signal,
        () =>
          void end().then(
            () => process.exit(0),
            () => process.exit(1),
          ),
      );
  },
});

/** Limits the memory that Node reserves for young objects, which would otherwise be 8 kB for each of many streams. */
const LEAN = '--max-semi-space-size=2';

/** Replaces this process with one that takes less memory, where the operating system can do that. */
function replaceByLeanProcess(): void {
  if (process.execArgv.includes(LEAN) || process.platform === 'win32') return;
  const command = [process.execPath, ...process.execArgv, LEAN, ...process.argv.slice(1)];
  // By default, the C library reserves memory for each thread.
  process.execve?.(process.execPath, command, { ...process.env, MALLOC_ARENA_MAX: '1' });
}

/** Returns each project in each environment. */
function combine(projects: string | readonly string[] | null, environments: string | readonly string[] | null) {
  const [projectList, environmentList] = [[projects ?? []].flat(), [environments ?? []].flat()];
  if (projectList.length === 0) throw invalidInputError('No project is selected.', 'Add --project.');
  if (environmentList.length === 0) throw invalidInputError('No environment is selected.', 'Add --environment.');
  const scopes = projectList.flatMap((project) => environmentList.map((environment) => ({ project, environment })));
  if (scopes.length <= SCOPES_MAX) return scopes;
  throw invalidInputError(`An edge serves at most ${SCOPES_MAX} combinations of a project and an environment.`);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (port <= 65_535) return port;
  throw invalidInputError('--metrics-port must be a number from 0 to 65535.');
}
