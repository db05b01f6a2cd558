import type { Effective, Environment, Parameter, Project, Value } from '@strata/contract';
import { type TestOrganization, testCredentials } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess, startSecondCore } from './core-in-process.ts';
import { EffectiveClient } from './effective-client.ts';

interface StreamFixture {
  readonly core: CoreInProcess;
  /** Another core of the same installation. */
  readonly otherCore: CoreInProcess;
  readonly org: TestOrganization;
  readonly project: Project;
}

/** Starts two cores, creates a project and a parameter for each test, and ends the streams of each test. */
export function setUpStreams() {
  let core: CoreInProcess;
  let otherCore: CoreInProcess;
  let org: TestOrganization;
  let project: Project;
  let parameter: Parameter;
  const clients: EffectiveClient[] = [];

  beforeAll(async () => {
    core = await startCoreInProcess({ STRATA_BOOTSTRAP_API_KEY: testCredentials().apiKey });
    const { StreamTimes } = await moduleOfCore<typeof import('../features/feed/stream-socket.ts')>(
      './features/feed/stream-socket.js',
    );
    Object.assign(core.core.app.get(StreamTimes), { bookmarkMs: 200, drainMs: 500 });
    otherCore = await startSecondCore(core);
  });
  afterAll(async () => {
    await otherCore.close();
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
  function client(
    query = '',
    authorization = org.ownerAuthorization,
    { origin } = core,
    target = project,
  ): EffectiveClient {
    const streamClient = new EffectiveClient(origin, `projects/${target.id}/effective/stream/?${query}`, authorization);
    clients.push(streamClient);
    return streamClient;
  }

  async function followingClient(...args: Parameters<typeof client>): Promise<EffectiveClient> {
    const streamClient = client(...args);
    await streamClient.open();
    await streamClient.until(() => streamClient.received.length > 0);
    return streamClient;
  }

  async function set(
    text: string | null,
    input: { parameter?: Parameter; environment?: Environment; interpolated?: boolean } = {},
  ) {
    return org.value({ parameter, internal_value: text, ...input });
  }

  const change = async ({ url }: Value, internal_value: string | null, extraFields = {}) =>
    Number((await org.owner.patch(url, { internal_value, ...extraFields })).headers['x-revision']);

  const readEffective = async (query = '') =>
    (await org.owner.get<Effective>(`${project.url}effective/?environment=default&${query}`)).body;

  const fixture = (): StreamFixture => ({ core, otherCore, org, project });
  return { fixture, client, following: followingClient, set, change, effective: readEffective };
}
