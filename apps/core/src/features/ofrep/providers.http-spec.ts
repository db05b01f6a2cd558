import { randomUUID } from 'node:crypto';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { ErrorCode, OpenFeature, type Client as ServerClient } from '@openfeature/server-sdk';
import { ProviderEvents, type Client as WebClient, OpenFeature as WebOpenFeature } from '@openfeature/web-sdk';
import { type OwnCore, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { flagsBase } from '../../testing/flags.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
let limited: OwnCore;
beforeAll(async () => {
  core = await sharedCore();
  limited = await startSecondCore(core, { STRATA_RATE_PER_CREDENTIAL: '60' });
});
afterAll(async () => {
  await OpenFeature.close();
  await WebOpenFeature.close();
  await limited.close();
});

const PER_MINUTE = 60;

/** Creates flags of each type in a project named `shop`. */
async function shop() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const set = async (name: string, type: string, text: string | null, input: object = {}) =>
    organization.value({
      parameter: await organization.parameter({ project, name, type, ...input }),
      internal_value: text,
    });
  const values = {
    title: await set('title', 'string', 'Hello'),
    limit: await set('limit', 'integer', '7'),
    beta: await set('beta', 'boolean', 'on'),
    none: await set('none', 'string', null),
    secret: await set('secret', 'string', 'hush', { secret: true }),
    huge: await set('huge', 'integer', '9'.repeat(20)),
  };
  return { organization, values };
}

const providerOptions = (
  authorization: string,
  { origin }: { readonly origin: string } = core,
  environment = 'default',
) => ({
  baseUrl: `${origin}/api/v1/${flagsBase('shop', environment)}`,
  headers: [['Authorization', authorization]] as [string, string][],
});

const unusedDomain = () => randomUUID();

async function nodeClient(...options: Parameters<typeof providerOptions>): Promise<ServerClient> {
  const domain = unusedDomain();
  await OpenFeature.setProviderAndWait(domain, new OFREPProvider(providerOptions(...options)));
  return OpenFeature.getClient(domain);
}

/** Counts the responses of a provider by status. */
function countingFetch() {
  const statuses: number[] = [];
  const fetchImplementation: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  };
  return { statuses, fetchImplementation };
}

async function webClient(options: ReturnType<typeof providerOptions>, fetchImplementation = fetch): Promise<WebClient> {
  const domain = unusedDomain();
  const provider = new OFREPWebProvider({ ...options, pollInterval: 50, cacheMode: 'disabled', fetchImplementation });
  await WebOpenFeature.setProviderAndWait(domain, provider);
  return WebOpenFeature.getClient(domain);
}

const viewer = (organization: TestOrganization) => organization.authorization('VIEWER');

describe('the OpenFeature provider for Node', () => {
  it('reads flags of each type, and uses the default of the code for all others', async () => {
    const { organization } = await shop();
    const client = await nodeClient(await viewer(organization));

    expect(await client.getStringDetails('title', 'x')).toMatchObject({
      ...{ value: 'Hello', reason: 'STATIC', variant: 'default' },
      flagMetadata: { source_project_name: 'shop', source_environment_name: 'default', dynamic: false },
    });
    expect(await client.getNumberValue('limit', 1)).toBe(7);
    expect(await client.getBooleanValue('beta', false)).toBe(true);
    expect(await client.getBooleanValue('beta', false, { targetingKey: 'user-1' })).toBe(true);
    expect(await client.getStringValue('none', 'code')).toBe('code');
    for (const [key, errorCode] of [
      ['secret', ErrorCode.FLAG_NOT_FOUND],
      ['missing', ErrorCode.FLAG_NOT_FOUND],
      ['huge', ErrorCode.PARSE_ERROR],
      ['title', ErrorCode.TYPE_MISMATCH],
    ] as const) {
      expect(await client.getNumberDetails(key, 1)).toMatchObject({ value: 1, reason: 'ERROR', errorCode });
    }
  });

  it('sees a change at once', async () => {
    const { organization, values } = await shop();
    const client = await nodeClient(await viewer(organization));
    expect(await client.getNumberValue('limit', 1)).toBe(7);
    await organization.owner.patch(values.limit.url, { internal_value: '8' });
    expect(await client.getNumberValue('limit', 1)).toBe(8);
  });

  it('reports a wrong credential, a wrong environment and too many requests as errors', async () => {
    const { organization } = await shop();
    const authorization = await viewer(organization);
    const wrong = await nodeClient('Api-Key abcdefgh.wrong');
    expect(await wrong.getNumberDetails('limit', 1)).toMatchObject({ value: 1, errorMessage: expect.any(String) });
    const otherClient = await nodeClient(authorization, core, 'nowhere');
    expect(await otherClient.getNumberDetails('limit', 1)).toMatchObject({ errorCode: ErrorCode.FLAG_NOT_FOUND });

    const client = await nodeClient(authorization, limited);
    const details = await Promise.all(
      Array.from({ length: PER_MINUTE * 2 }, () => client.getNumberDetails('limit', 1)),
    );
    const error = details.find(({ errorCode }) => errorCode !== undefined);
    expect(error).toMatchObject({
      value: 1,
      errorMessage: expect.stringContaining('rate limit exceeded, try again after'),
    });
    // the provider waits as long as Retry-After says
    expect((await client.getNumberDetails('limit', 1)).errorMessage).toContain('paused due to TooManyRequests');
  });
});

describe('the OpenFeature provider for browsers', () => {
  it('reads all flags at once, and uses the default of the code for those without a value', async () => {
    const { organization } = await shop();
    const { statuses, fetchImplementation } = countingFetch();
    const client = await webClient(providerOptions(await viewer(organization)), fetchImplementation);

    expect(statuses[0]).toBe(200);
    expect(client.getStringValue('title', 'x')).toBe('Hello');
    expect(client.getNumberValue('limit', 1)).toBe(7);
    expect(client.getBooleanValue('beta', false)).toBe(true);
    expect(client.getStringDetails('none', 'code')).toMatchObject({ value: 'code', reason: 'DEFAULT' });
    expect(client.getStringDetails('title', 'x').flagMetadata).toMatchObject({ source_environment_name: 'default' });
    for (const [key, errorCode] of [
      ['secret', ErrorCode.FLAG_NOT_FOUND],
      ['huge', ErrorCode.PARSE_ERROR],
      ['title', ErrorCode.TYPE_MISMATCH],
    ] as const) {
      expect(client.getNumberDetails(key, 1)).toMatchObject({ value: 1, reason: 'ERROR', errorCode });
    }
  });

  it('polls with the tag, and reports exactly the flags that changed', async () => {
    const { organization, values } = await shop();
    const { statuses, fetchImplementation } = countingFetch();
    const client = await webClient(providerOptions(await viewer(organization)), fetchImplementation);
    const changed: unknown[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changed.push(event?.flagsChanged));
    await organization.value();
    await waitUntil(
      async () => statuses.filter((status) => status === 304).length,
      (count) => count >= 2,
    );
    expect(changed).toEqual([]);

    await organization.owner.patch(values.limit.url, { internal_value: '8' });
    await waitUntil(
      async () => changed.length,
      (count) => count > 0,
    );
    expect(changed).toEqual([['limit']]);
    expect(client.getNumberValue('limit', 1)).toBe(8);
    expect(new Set(statuses)).toEqual(new Set([200, 304]));
  });

  it('is not ready with a wrong credential', async () => {
    await shop();
    await expect(webClient(providerOptions('Api-Key abcdefgh.wrong'))).rejects.toThrow();
  });
});
