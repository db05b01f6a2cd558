import { RELEASE } from '@strata/domain';
import { runningAddresses } from '../../../start/running-addresses.ts';
import { dataDirectory, loadSettings, type ProcessEnvironment } from '../../../start/settings.ts';

/** A part of the report of `strata doctor`, which the core prints with its own findings. */
export interface ProcessFinding {
  readonly subject: string;
  readonly isFine: boolean;
  readonly text: string;
}

const RESPONSE_MS_MAX = 2_000;
/** The status with which a gateway rejects the health check of a core. */
const MISDIRECTED = 421;

/** Checks what the core cannot: the settings of the gateway, and the versions of the processes whose address is known. */
export async function processFindings(env: ProcessEnvironment): Promise<readonly ProcessFinding[]> {
  const addresses = env.STRATA_CORE_URL
    ? { core: env.STRATA_CORE_URL }
    : env.STRATA_DATA_DIR && runningAddresses(dataDirectory(env));
  const checks = [toFindings('Gateway', 'has valid settings', await gatewayProblems(env))];
  if (addresses) {
    const problems = await Promise.all(Object.entries(addresses).map(([name, origin]) => versionProblem(name, origin)));
    checks.push(toFindings('Processes', 'run this version', problems.flat()));
  }
  return checks.flat();
}

const toFindings = (subject: string, successMessage: string, problems: readonly string[]): readonly ProcessFinding[] =>
  problems.length === 0
    ? [{ subject, isFine: true, text: successMessage }]
    : problems.map((text) => ({ subject, isFine: false, text }));

async function gatewayProblems(env: ProcessEnvironment): Promise<readonly string[]> {
  const { readEnv } = await loadSettings('gateway');
  try {
    readEnv(env);
    return [];
  } catch (error) {
    const [first = '', ...lines] = (error as Error).message.split('\n');
    return (lines.length > 0 ? lines : [first]).map((line) => `${line.trim()}. Correct this setting of the gateway.`);
  }
}

async function versionProblem(name: string, origin: string): Promise<readonly string[]> {
  // A proxy sends only paths below /api/ to the cores.
  const target = new URL(name === 'core' ? '/api/healthz' : '/healthz', origin);
  const answer = await fetch(target, { signal: AbortSignal.timeout(RESPONSE_MS_MAX) }).catch(() => null);
  if (!answer) return [`The ${name} at ${origin} does not respond. Start it, or read its log.`];
  if (answer.status === MISDIRECTED)
    return [
      `STRATA_CORE_URL (${origin}) leads to a gateway. Set it to the address of a core, or of a proxy that sends /api/ to the cores.`,
    ];
  const response = (await answer.json().catch(() => ({}))) as Partial<typeof RELEASE>;
  if (response.version === RELEASE.version && response.commit === RELEASE.commit) return [];
  return [
    `The ${name} at ${origin} runs version ${named(response)}, and this is ${named(RELEASE)}. Restart the older one with the newer version.`,
  ];
}

const named = ({ version = 'unknown', commit }: Partial<typeof RELEASE>): string =>
  commit ? `${version} (${commit})` : version;
