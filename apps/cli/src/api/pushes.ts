import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ConnectionTest,
  Integration,
  IntegrationTask,
  Page,
  Push,
  PushKey,
  PushPolicy,
  PushPolicyPatch,
  PushRun,
  PushRunPlan,
} from '@strata/contract';
import type { Client } from '../core/client.ts';
import { CommandError, EXIT, invalidInputError } from '../core/errors.ts';
import { unknownNameError } from '../core/not-found.ts';

const INTEGRATIONS = 'integrations/';
const PAGE_SIZE = 200;
const POLL_MS = 500;

export interface FoundIntegration extends Integration {
  /** The path below the API. */
  readonly path: string;
}

export interface FoundPush extends Push {
  readonly path: string;
  readonly integration: FoundIntegration;
}

async function readPages<Row>(client: Client, path: string, query: Readonly<Record<string, string>> = {}) {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { results, next } = await client.sendTo<Page<Row>>('GET', path, {
      query: { ...query, page_size: PAGE_SIZE, page },
    });
    rows.push(...results);
    if (next === null) return rows;
  }
}

/** Lists the integrations of all providers. */
export async function readIntegrations(client: Client): Promise<readonly FoundIntegration[]> {
  const rows = await readPages<Integration>(client, INTEGRATIONS);
  return rows.map((row) => ({ ...row, path: row.url.slice(row.url.lastIndexOf(`/${INTEGRATIONS}`) + 1) }));
}

/** Returns the integration with a name or an id. */
export async function findIntegration(client: Client, name: string): Promise<FoundIntegration> {
  const integrations = await readIntegrations(client);
  const [match, ...others] = integrations.filter((integration) => [integration.id, integration.name].includes(name));
  if (match === undefined)
    throw unknownNameError(
      'integration',
      name,
      integrations.map((integration) => integration.name),
    );
  if (others.length > 0)
    throw invalidInputError(
      `Several integrations are called "${name}".`,
      'Use the id, which --json of the list prints.',
    );
  return match;
}

/** Tests the connection of an integration, and stores the result as its status. */
export const testConnection = (client: Client, { path }: FoundIntegration): Promise<ConnectionTest> =>
  client.sendTo<ConnectionTest>('POST', `${path}test/`);

/** Lists the pushes of all integrations. */
export async function readPushes(client: Client): Promise<readonly FoundPush[]> {
  const integrations = await readIntegrations(client);
  const lists = integrations.map(async (integration) => {
    const rows = await readPages<Push>(client, `${integration.path}pushes/`);
    return rows.map((row) => ({ ...row, integration, path: `${integration.path}pushes/${row.id}/` }));
  });
  return (await Promise.all(lists)).flat();
}

/** Returns the push with a name or an id. */
export async function findPush(client: Client, name: string, integration: string | undefined): Promise<FoundPush> {
  const pushes = await readPushes(client);
  const isSelected = (push: FoundPush) => integration === undefined || push.integration.name === integration;
  const matches = pushes.filter((push) => (push.id === name || push.name === name) && isSelected(push));
  const [match, ...otherMatches] = matches;
  if (match === undefined)
    throw unknownNameError(
      'push',
      name,
      pushes.filter(isSelected).map((push) => push.name),
    );
  if (otherMatches.length > 0)
    throw invalidInputError(
      `Several pushes are called "${name}".`,
      'Add --integration, or use the id, which --json prints.',
    );
  return match;
}

export const readKeys = (
  client: Client,
  { path }: FoundPush,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly PushKey[]> => readPages<PushKey>(client, `${path}keys/`, query);

export const readPlan = (client: Client, { path }: FoundPush): Promise<PushRunPlan> =>
  client.sendTo<PushRunPlan>('GET', `${path}plan/`);

export const readPolicy = (client: Client, { path }: FoundPush): Promise<PushPolicy> =>
  client.sendTo<PushPolicy>('GET', `${path}policy/`);

export const changePolicy = (client: Client, { path }: FoundPush, body: PushPolicyPatch): Promise<PushPolicy> =>
  client.sendTo<PushPolicy>('PATCH', `${path}policy/`, { body });

interface RunOptions {
  /** The longest time to wait for the end of the run. */
  readonly waitMs: number;
}

/**
 * Runs a push, and waits until the run has ended, or has to be repeated after an error. Throws if the time ends before
 * the run, which no worker starts while the integration is held after a restore or during maintenance.
 */
export async function runPush(
  client: Client,
  { path, name, integration }: FoundPush,
  body: PushRun,
  { waitMs }: RunOptions,
): Promise<IntegrationTask> {
  let task = await client.sendTo<IntegrationTask>('POST', `${path}run/`, { body });
  const end = Date.now() + waitMs;
  while (task.state === 'running' || (task.state === 'queued' && task.error_code === null)) {
    if (Date.now() >= end) {
      const hint = `The run goes on without this command. \`strata push list\` shows its result. If it stays queued, check whether the integration "${integration.name}" is held after a restore, or the installation is in maintenance.`;
      throw new CommandError(EXIT.failed, `The run of the push "${name}" is ${task.state} after ${waitMs / 1_000} s.`, {
        hint,
      });
    }
    await sleep(POLL_MS);
    task = await client.sendTo<IntegrationTask>('GET', `${path}tasks/${task.id}/`);
  }
  return task;
}
