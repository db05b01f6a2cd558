import { jsonpath } from 'json-p3';
import { parseAllDocuments } from 'yaml';
import type { ServiceAccount } from '../libs/contract/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { Guide } from './testing/guide.ts';
import { waitUntil } from './testing/start-folder.ts';

const guide = new Guide('use-external-secrets-operator');

interface Store {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: { readonly jsonPath: string };
}
type Manifest = { readonly spec: { readonly provider: { readonly webhook: Store } } };

/** Returns the store of a section. */
function store(heading: string): Store {
  const [manifest] = parseAllDocuments(guide.blocks(heading, 'yaml').join()).map(
    (document) => document.toJS() as Manifest,
  );
  if (!manifest) throw new Error(`The guide has no store in the section ${heading}.`);
  return manifest.spec.provider.webhook;
}
const SINGLE = store('Copy single values');
const ALL = store('Copy all values');

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const set = async (name: string, text: string | null, secret = false) => {
    const parameter = await organization.parameter({ project, name, secret });
    await organization.value({ parameter, internal_value: text });
  };
  await Promise.all([set('DB_PASSWORD', 'canary "7f" & <b>', true), set('a+b c', '1'), set('NOTHING', null)]);
});
afterAll(() => guide.remove());

/** Creates a key as the guide describes it, and returns it. */
async function key(more: object = {}): Promise<string> {
  const { body } = await organization.owner.get<{ results: { url: string }[] }>('projects/?name=shop');
  const only = body.results.map(({ url }) => url);
  const account = { name: crypto.randomUUID(), role: 'VIEWER', only_projects: only, ...more };
  const createResponse = await organization.owner.post<ServiceAccount & { apikey: string }>(
    'serviceaccounts/',
    account,
  );
  expect(createResponse.status).toBe(201);
  return createResponse.body.apikey;
}

/** Sends the request of a store as the operator does: its templates are evaluated, and what they insert is encoded. */
async function read({ url, headers, result }: Store, apikey: string, name = '') {
  const filled = (text: string, encode: (text: string) => string) =>
    text.replace('{{ .remoteRef.key }}', encode(name)).replace('{{ .strata.key }}', encode(apikey));
  const address = filled(url, (text) => new URLSearchParams({ text }).toString().slice('text='.length));
  const { status, body } = await fetch(address.replace('https://strata.example.com', core.origin), {
    headers: Object.entries(headers).map(([header, text]): [string, string] => [header, filled(text, String)]),
  }).then(async (response) => ({ status: response.status, body: await response.json() }));
  return { status, found: status === 200 ? jsonpath.query(result.jsonPath, body as never).values() : [] };
}

it('the first store returns one value by its name', async () => {
  const apikey = await key();
  expect(await read(SINGLE, apikey, 'DB_PASSWORD')).toEqual({ status: 200, found: ['canary "7f" & <b>'] });
  expect(await read(SINGLE, apikey, 'a+b c')).toEqual({ status: 200, found: ['1'] });
  expect(await read(SINGLE, apikey, 'NOTHING')).toEqual({ status: 200, found: [null] });
  expect(await read(SINGLE, apikey, 'MISSING')).toEqual({ status: 200, found: [] });
});

it('the second store returns all values, and nothing else of them', async () => {
  expect(await read(ALL, await key())).toEqual({
    status: 200,
    found: [{ DB_PASSWORD: { value: 'canary "7f" & <b>' }, 'a+b c': { value: '1' }, NOTHING: { value: null } }],
  });
});

it('the stores return no value to a key without access, and the statuses of the guide', async () => {
  const masked = await key({ reveals_secrets: false });
  const outside = await key({ only_projects: [(await organization.project({ name: 'other' })).url] });
  for (const at of [SINGLE, ALL]) {
    expect((await read(at, 'wrong', 'DB_PASSWORD')).status).toBe(403);
    expect((await read(at, masked, 'DB_PASSWORD')).status).toBe(403);
    const renamed = { ...at, url: at.url.replace('project=shop', 'project=former') };
    expect((await read(renamed, await key(), 'DB_PASSWORD')).status).toBe(404);
  }
  expect(await read(SINGLE, outside, 'DB_PASSWORD')).toEqual({ status: 200, found: [] });
  expect(await read(ALL, outside)).toEqual({ status: 200, found: [null] });
});

it('the access log records what a store reads', async () => {
  const apikey = await key({ name: 'operator of shop' });
  await read(ALL, apikey);
  const recorded = async () => {
    const { body } = await organization.owner.get('audit/?action=reveal');
    return JSON.stringify(body).includes('operator of shop');
  };
  await waitUntil(recorded);
});
