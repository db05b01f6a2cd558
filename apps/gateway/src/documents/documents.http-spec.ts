import fs from 'node:fs';
import path from 'node:path';
import { type OwnGateway, sharedCore, startGateway, type TestOrganization } from '@strata/testkit';
import { readEnv } from '../env.ts';
import { createGateway } from '../gateway.ts';
import { ScriptedCore } from '../testing/scripted-core.ts';
import { CREDENTIAL, SocketClient } from '../testing/socket-client.ts';
import { hashText } from './documents.ts';

let organization: TestOrganization;
/** A gateway that accepts only the console's documents. */
let shut: OwnGateway;
/** A gateway that accepts all documents. */
let open: OwnGateway;
/** Hashes of two documents of the console: a cheap one, and one that can request too many rows. */
let viewer: string;
let search: string;

beforeAll(async () => {
  const core = await sharedCore();
  [shut, open, organization] = await Promise.all([
    startGateway(core, { STRATA_CONSOLE: 'on', STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' }),
    startGateway(core, { STRATA_CONSOLE: 'on' }),
    core.organization(),
  ]);
  const manifest = path.resolve(import.meta.dirname, '../../../console/dist/documents.json');
  const texts = JSON.parse(fs.readFileSync(manifest, 'utf8')) as Record<string, string>;
  const hashIn = (beginning: string) => Object.keys(texts).find((hash) => texts[hash]?.startsWith(beginning)) ?? '';
  viewer = hashIn('query Viewer');
  search = hashIn('query SearchParameters');
});
afterAll(async () => {
  await Promise.all([shut?.close(), open?.close()]);
});

interface Answer {
  readonly status?: number;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}
type Ask = (origin: string, payload: object) => Promise<Answer>;

const named = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const readAnswer = async (response: Response): Promise<Answer> => ({
  status: response.status,
  ...((await response.json()) as Answer),
});
const headers = () => ({ authorization: organization.ownerAuthorization, 'content-type': 'application/json' });

const byPost: Ask = async (origin, payload) =>
  readAnswer(await fetch(`${origin}/graphql`, { method: 'POST', headers: headers(), body: JSON.stringify(payload) }));

const byGet: Ask = async (origin, payload) => {
  const parameters = Object.entries(payload).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return readAnswer(await fetch(`${origin}/graphql?${new URLSearchParams(parameters)}`, { headers: headers() }));
};

const bySocket: Ask = async (origin, payload) => {
  const address = `${origin.replace('http', 'ws')}/graphql`;
  const socket = await new SocketClient(address).init({ Authorization: organization.ownerAuthorization });
  try {
    socket.send({ id: '1', type: 'subscribe', payload: { query: '', ...payload } });
    const { type, payload: resultPayload } = await socket.receives(({ id }) => id === '1');
    return type === 'error' ? { errors: resultPayload as NonNullable<Answer['errors']> } : (resultPayload as Answer);
  } finally {
    socket.socket.terminate();
  }
};

const TRANSPORTS: Readonly<Record<string, Ask>> = { POST: byPost, GET: byGet, 'a websocket': bySocket };

describe.each(Object.entries(TRANSPORTS))('documents that are requested over %s', (transport, ask) => {
  const status = (expected: number) => (transport === 'a websocket' ? {} : { status: expected });

  it('can be named by their hash if they belong to the console', async () => {
    for (const { origin } of [open, shut]) {
      expect(await ask(origin, { extensions: named(viewer) })).toMatchObject({
        ...status(200),
        data: { viewer: { role: 'OWNER' } },
      });
    }
  });

  it('are subject to the limits, even if they belong to the console', async () => {
    const { data, errors } = await ask(shut.origin, { extensions: named(search), variables: { first: 200 } });
    expect([data, errors?.map(({ extensions }) => extensions.code)]).toEqual([undefined, ['COMPLEXITY_EXCEEDED']]);
  });

  it('cause the error that Apollo clients expect if their hash is unknown', async () => {
    for (const { origin } of [open, shut]) {
      const { data, errors, ...rest } = await ask(origin, { extensions: named(hashText('{ viewer { role } }')) });
      expect([data, rest]).toEqual([undefined, expect.objectContaining(status(200))]);
      expect(errors).toEqual([
        {
          message: 'PersistedQueryNotFound',
          extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', requestId: expect.any(String) },
        },
      ]);
    }
  });

  it('may belong to other clients unless this is switched off, which the error explains', async () => {
    const query = 'query Mine { viewer { role } }';
    expect(await ask(open.origin, { query, operationName: 'Mine' })).toMatchObject({
      data: { viewer: { role: 'OWNER' } },
    });
    for (const payload of [
      { query, operationName: 'Mine' },
      { query: '{ __schema { types { name } } }' },
      { query: '{' },
    ]) {
      const { data, errors, ...rest } = await ask(shut.origin, payload);
      expect([data, rest]).toEqual([undefined, expect.objectContaining(status(403))]);
      expect(errors).toEqual([
        {
          message: expect.stringMatching(/REST API.*STRATA_GRAPHQL_OTHER_DOCUMENTS=on/),
          extensions: { code: 'UNTRUSTED_DOCUMENT', requestId: expect.any(String) },
        },
      ]);
    }
  });
});

describe('introspection', () => {
  it.each([
    ['development', '', 'answered'],
    ['development', 'off', 'rejected'],
    ['production', '', 'rejected'],
    ['production', 'on', 'answered'],
  ])('in %s with the setting "%s" is %s', async (NODE_ENV, STRATA_GRAPHQL_INTROSPECTION, expected) => {
    const core = new ScriptedCore();
    await core.start();
    const settings = { STRATA_CORE_URL: core.origin, STRATA_CONSOLE: 'off', NODE_ENV, STRATA_GRAPHQL_INTROSPECTION };
    const gateway = await createGateway(readEnv(settings), { logger: false });
    try {
      await gateway.listen(0, '127.0.0.1');
      const response = await fetch(`${await gateway.url()}/graphql`, {
        method: 'POST',
        headers: { authorization: CREDENTIAL, 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ __schema { queryType { name } } }' }),
      });
      const { data } = await readAnswer(response);
      expect(data === undefined ? 'rejected' : 'answered').toBe(expected);
    } finally {
      await gateway.close();
      await core.stop();
    }
  });
});
