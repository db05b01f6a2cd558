import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Effective, Page, Parameter, Project, Value, Webhook } from '@strata/contract';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  type FakeChat,
  RawClient,
  startFakeChat,
  type TestDatabase,
  testCredentials,
} from '@strata/testkit';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { buildMissingApps, type Service, startService } from './processes.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const { apiKey, rootKey } = testCredentials();
const authorization = `Api-Key ${apiKey}`;

let database: TestDatabase;
let chat: FakeChat;
let core: Service;
let gateway: Service;
let socket: Client;
let owner: RawClient;

beforeAll(async () => {
  await buildMissingApps('core', 'gateway');
  [database, chat] = await Promise.all([createTestDatabase(), startFakeChat()]);
  core = await startService('core', await findFreePort(), {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: rootKey,
    STRATA_SLACK_API_URL: chat.url,
    STRATA_LOG_LEVEL: 'error',
  });
  gateway = await startService('gateway', await findFreePort(), {
    STRATA_CORE_URL: core.origin,
    STRATA_LOG_LEVEL: 'error',
  });
  owner = new RawClient(core.origin, authorization);
  socket = createClient({
    url: `${gateway.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: authorization },
  });
  await promisify(execFile)(process.execPath, [
    path.join(root, 'tools/seed/run.mjs'),
    '--url',
    core.origin,
    '--api-key',
    apiKey,
  ]);
});
afterAll(async () => {
  await socket.dispose();
  await Promise.all([gateway.end('SIGTERM'), core.end('SIGTERM'), chat.close()]);
  await database.drop();
});

async function first<T>(url: string): Promise<T> {
  const [firstResult] = (await owner.get<Page<T>>(url)).body.results;
  if (!firstResult) throw new Error(`${url} lists nothing.`);
  return firstResult;
}

async function request(query: string, variables: Record<string, unknown> = {}) {
  const response = await fetch(`${gateway.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as { data: Record<string, never>; errors?: unknown };
}

it('a client reads a realistic organization over REST and GraphQL, changes a value, and every subscriber receives the change', async () => {
  const project = await first<Project>('projects/?name=postgresql');
  const effective = () => owner.get<Effective>(`projects/${project.id}/effective/?environment=production`);
  const before = await effective();
  expect(Object.keys(before.body.values).length).toBeGreaterThan(40);
  expect(before.body.values).toMatchObject({ TZ: 'Etc/UTC', max_connections: '300' });
  const { data: graphql } = await request(
    'query ($project: ID!) { effective(projectId: $project, environmentId: "production", reveal: true) { digest revision }}',
    { project: project.id },
  );
  expect(graphql.effective).toEqual({ digest: before.body.digest, revision: before.body.revision });

  const webhook = await first<Webhook>('webhooks/');
  expect((await owner.patch(webhook.url, { configuration: { channel: 'C-CONFIG' } })).status).toBe(200);
  const changes = socket.iterate({
    query: `subscription ($after: String) { changes(after: $after, types: [value_updated]) {
      type revision actor { name } parameter { name } project { name } environment { name } } }`,
    variables: { after: (await request('{ changesCursor }')).data.changesCursor },
  });

  const parameter = await first<Parameter>(
    `projects/${project.id}/parameters/?name=max_connections&environment=production`,
  );
  const [value] = Object.values(parameter.values) as Value[];
  const changeResponse = await owner.patch<Value>(value?.url ?? '', { internal_value: '262143' });
  expect(changeResponse.status).toBe(200);

  const live = await changes.next();
  expect(live.value.data.changes).toMatchObject({
    type: 'value_updated',
    revision: Number(changeResponse.headers['x-revision']),
    parameter: { name: 'max_connections' },
    project: { name: 'postgresql' },
    environment: { name: 'production' },
  });
  await changes.return?.(undefined);

  const after = await effective();
  expect(after.body.values.max_connections).toBe('262143');
  const then = await owner.get<Effective>(
    `projects/${project.id}/effective/?environment=production&as_of=${value?.modified_at}`,
  );
  expect(then.body.values.max_connections).toBe('300');
  const history = await owner.get<Effective>(
    `projects/${project.id}/effective/?environment=production&revision=${before.body.revision}`,
  );
  expect(history.body.digest).toBe(before.body.digest);

  const [message] = await chat.waitFor(1, 'C-CONFIG');
  const text = JSON.stringify([message?.text, message?.blocks]);
  for (const word of ['max_connections', 'postgresql', 'production']) expect(text).toContain(word);
  expect(text).not.toContain('262143');
  expect([core.log(), gateway.log()]).toEqual(['', '']);
});
