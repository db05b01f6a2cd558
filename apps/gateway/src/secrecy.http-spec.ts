import type { LoggerService } from '@nestjs/common';
import { readEnv } from './env.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { ScriptedCore } from './testing/scripted-core.ts';
import { CREDENTIAL, SocketClient } from './testing/socket-client.ts';

/** Every variable, value and credential of these tests contains this text. */
const CANARY = 'hunter2';

let core: ScriptedCore;
let gateway: Gateway;
let url: string;
let socket: SocketClient;
const logLines: unknown[] = [];

const write = (...args: unknown[]) => void logLines.push(...args);
const logger: LoggerService = { log: write, error: write, warn: write, fatal: write };

beforeAll(async () => {
  core = new ScriptedCore();
  await core.start();
  gateway = await createGateway(readEnv({ STRATA_CORE_URL: core.origin, NODE_ENV: 'production' }), { logger });
  await gateway.listen(0, '127.0.0.1');
  url = await gateway.url();
  socket = await new SocketClient(`${url.replace('http', 'ws')}/graphql`).init({
    Authorization: `${CREDENTIAL}${CANARY}`,
  });
});
afterAll(async () => {
  socket.socket.terminate();
  await gateway.close();
  await core.stop();
});
beforeEach(() => {
  logLines.length = 0;
  core.answer = {};
});

interface Document {
  readonly query: string;
  readonly variables?: object;
  readonly operationName?: string;
}
interface DocumentResult {
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function overHttp(document: Document): Promise<DocumentResult> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `${CREDENTIAL}${CANARY}` },
    body: JSON.stringify(document),
  });
  return (await response.json()) as DocumentResult;
}

let operations = 0;
async function overSocket(document: Document): Promise<DocumentResult> {
  operations += 1;
  const id = String(operations);
  socket.send({ id, type: 'subscribe', payload: document });
  const { type, payload } = await socket.receives((message) => message.id === id);
  return type === 'error' ? { errors: payload as DocumentResult['errors'] } : (payload as DocumentResult);
}

const TRANSPORTS = { HTTP: overHttp, 'a websocket': overSocket } as const;

/** Formats an object like a log, including all members of an error. */
const text = () =>
  JSON.stringify(
    logLines.map((word) => (word instanceof Error ? { ...word, message: word.message, stack: word.stack } : word)),
  );

describe.each(Object.entries(TRANSPORTS))('over %s, the gateway in production', (_, send) => {
  it.each([
    ['a number', 'query ($n: Int!) { projects(first: $n) { totalCount } }', { n: CANARY }],
    ['an enum value', 'query ($t: [EventType!]) { changesAfter(types: $t) { cursor } }', { t: [CANARY] }],
    ['text', 'query ($id: ID!) { project(id: $id) { name } }', { id: { [CANARY]: CANARY } }],
    ['absent', 'query ($id: ID!) { project(id: $id) { name } }', { other: CANARY }],
  ])(
    'rejects a variable that should be %s, returns its value only to the sender, and does not log it',
    async (_, query, variables) => {
      const { errors } = await send({ query, variables });

      expect(errors).toMatchObject([
        { message: expect.stringMatching(/^Variable /), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
      expect(text()).not.toContain(CANARY);
    },
  );

  it.each([
    ['not JSON', `{"cursor":${CANARY}`],
    ['JSON of another shape', { results: [{ name: { [CANARY]: CANARY } }], count: 1 }],
  ])('logs a response of the core that is %s without its content', async (_, response) => {
    core.answer = response;
    const { errors } = await send({ query: '{ projects { edges { node { name } } } }' });

    expect(errors[0]).toMatchObject({
      message: 'An internal error occurred in the gateway.',
      extensions: { code: 'INTERNAL' },
    });
    expect(JSON.stringify(errors)).not.toContain(CANARY);
    expect(logLines.length).toBeGreaterThan(0);
    expect(text()).not.toContain(CANARY);
  });

  it.each([
    ['a field', { query: '{ viewe { role } }' }],
    ['an event type', { query: 'subscription { changes(types: [value_update]) { cursor } }' }],
    [
      'an event type in a variable',
      {
        query: 'query ($t: [EventType!]) { changesAfter(types: $t) { cursor } }',
        variables: { t: ['value_update'] },
      },
    ],
    ['an argument', { query: '{ projects(firs: 1) { totalCount } }' }],
  ])('does not suggest the name of %s', async (_, document) => {
    const { errors } = await send(document);

    expect(errors[0]?.message).not.toMatch(/did you mean|value_updated/i);
    expect(errors[0]?.extensions.code).toMatch(/^(GRAPHQL_VALIDATION_FAILED|BAD_USER_INPUT)$/);
  });

  it.each(['{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }'])(
    'does not reveal the schema by %s',
    async (query) => {
      const { errors } = await send({ query });

      expect(errors[0]).toMatchObject({
        message: expect.stringMatching(/Introspection.+docs\/schema\.graphql.+STRATA_GRAPHQL_INTROSPECTION=on/),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
    },
  );

  it('rejects an unknown operation of a document with the same message', async () => {
    expect(await send({ query: 'query A { __typename }', operationName: 'B' })).toMatchObject({
      errors: [
        { message: expect.stringMatching(/no such operation/), extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } },
      ],
    });
  });
});
