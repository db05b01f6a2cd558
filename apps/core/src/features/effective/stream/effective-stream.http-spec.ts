import type { Effective, Environment, Parameter, Project, ServiceAccountCreated, Value } from '@strata/contract';
import { type TestOrganization, testCredentials } from '@strata/testkit';
import {
  type CoreInProcess,
  moduleOfCore,
  startCoreInProcess,
  startSecondCore,
} from '../../../testing/core-in-process.ts';
import { EffectiveClient } from '../../../testing/effective-client.ts';

let core: CoreInProcess;
let other: CoreInProcess;
let org: TestOrganization;
let project: Project;
let parameter: Parameter;
const clients: EffectiveClient[] = [];

beforeAll(async () => {
  core = await startCoreInProcess({ STRATA_BOOTSTRAP_API_KEY: testCredentials().apiKey });
  const { StreamTimes } = await moduleOfCore<typeof import('../../feed/stream-socket.ts')>(
    './features/feed/stream-socket.js',
  );
  Object.assign(core.core.app.get(StreamTimes), { bookmarkMs: 200, drainMs: 500 });
  other = await startSecondCore(core);
});
afterAll(async () => {
  await other.close();
  await core.close();
});
beforeEach(async () => {
  org = await core.organization();
  project = await org.project({ name: 'shop' });
  parameter = await org.parameter({ project, name: 'PORT' });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.cut();
});

/** Returns a client of the default environment that has not connected yet. */
function client(query = '', authorization = org.ownerAuthorization, { origin } = core, of = project): EffectiveClient {
  const made = new EffectiveClient(`${origin}/api/v1/projects/${of.id}/effective/stream/?${query}`, authorization);
  clients.push(made);
  return made;
}

async function following(...args: Parameters<typeof client>): Promise<EffectiveClient> {
  const made = client(...args);
  await made.open();
  await made.until(() => made.received.length > 0);
  return made;
}

async function set(
  text: string | null,
  input: { parameter?: Parameter; environment?: Environment; interpolated?: boolean } = {},
) {
  return org.value({ parameter, internal_value: text, ...input });
}

const change = async ({ url }: Value, internal_value: string | null, more = {}) =>
  Number((await org.owner.patch(url, { internal_value, ...more })).headers['x-revision']);

const effective = async (query = '') =>
  (await org.owner.get<Effective>(`${project.url}effective/?environment=default&${query}`)).body;

describe('a new stream', () => {
  it('starts with a snapshot that equals the effective configuration, with the same digest', async () => {
    await set('8080');
    const stream = await following();
    const { values, digest, revision } = await effective('mask_secrets=true');

    expect(stream.of('snapshot')).toEqual([
      { kind: 'snapshot', cursor: expect.any(String), revision, digest, masked: [], values },
    ]);
    expect(values).toEqual({ PORT: '8080' });
  });

  it('then sends a delta for each revision that changes a value, with the cell that sets it', async () => {
    const value = await set('8080');
    const stream = await following();
    const revision = await change(value, '8081');
    await stream.until(() => stream.of('delta').length > 0);

    expect(stream.of('delta')).toEqual([
      {
        kind: 'delta',
        cursor: expect.any(String),
        revision,
        digest: (await effective()).digest,
        changes: [
          {
            name: 'PORT',
            kind: 'changed',
            value: '8081',
            masked: false,
            source: {
              project: { id: project.id, name: 'shop' },
              environment: { id: (await org.environmentNamed('default')).id, name: 'default' },
            },
            changeset: revision,
          },
        ],
      },
    ]);
  });

  it('reports values that are set and unset, an explicit null, and nothing about other projects', async () => {
    const stream = await following();
    const value = await set(null);
    await org.value({ internal_value: 'elsewhere' });
    await change(value, '1');
    await org.owner.delete(value.url);
    await stream.until(() => stream.of('delta').length === 3);

    expect(stream.of('delta').map(({ changes: [first] }) => [first?.name, first?.kind, first?.value])).toEqual([
      ['PORT', 'set', null],
      ['PORT', 'changed', '1'],
      ['PORT', 'unset', null],
    ]);
    expect(stream.last?.values).toEqual({});
  });
});
