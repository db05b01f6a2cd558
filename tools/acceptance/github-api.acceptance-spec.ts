import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import { findProvider, NO_INSTALLATION, type Store } from '@strata/providers';
import { startTestGitHub, type TestGitHub } from '@strata/testkit';
import { eventually } from '../../apps/e2e/src/processes.ts';

const PACKAGES = path.resolve(import.meta.dirname, '../github-api/node_modules');
const PRISM = path.join(PACKAGES, '@stoplight/prism-cli/dist/index.js');
const DESCRIPTION = path.join(PACKAGES, '@octokit/openapi/generated/api.github.com.json');
const suite = fs.existsSync(DESCRIPTION) ? describe : describe.skip;

const TENANT = { organizationId: '7d0c6f6e-58a1-4c63-9d3c-0f2f0a5a7a11', externalId: 'external-7' };

let stand: TestGitHub;
let prism: ChildProcess;
let apiUrl: string;
/** Prism checks each request and each response of the stand-in against GitHub's description, and rejects violations. */
beforeAll(async () => {
  if (suite === describe.skip) return;
  stand = await startTestGitHub();
  const port = await findFreePort();
  apiUrl = `http://127.0.0.1:${port}`;
  const proxy = ['proxy', DESCRIPTION, stand.endpoint, '--errors', '--port', String(port), '--host', '127.0.0.1'];
  prism = spawn(process.execPath, [PRISM, ...proxy], { stdio: 'ignore' });
  await eventually('Prism serves the description', () => fetch(apiUrl).then(Boolean, () => false));
});
afterAll(async () => {
  prism?.kill();
  await stand?.close();
});

const provider = findProvider('github');
const environment = () => ({
  ...NO_INSTALLATION,
  guard: { allowPrivate: true, setting: 'STRATA_PRIVATE_DESTINATIONS' },
  github: { appId: stand.appId, privateKey: stand.privateKey, apiUrl },
  onCall: () => undefined,
});

async function open(service: string | null) {
  const { repositories, ...installation } = stand.newInstallation(TENANT.organizationId);
  repositories.add('shop', 'production');
  const settings = { gh_installation_id: installation.gh_installation_id };
  const store = await provider?.open(settings, environment(), { region: null, service }, TENANT);
  return { store: store as Store, settings, repositories, installation };
}

suite("GitHub's description of its API (Prism)", () => {
  it.each(['shop', 'shop/production'])(
    'has all requests for the secrets of %s, and the responses to them',
    async (path) => {
      const { store, settings, repositories, installation } = await open(null);
      const key = `${path}/HOST`;
      const write = (text: string) => ({ key, text, isSecret: true, owner: 'push-1' });

      const discovered = await provider?.test(settings, environment(), TENANT);
      await store.create(write('one'));
      const version = await store.update(write('two'));

      expect(discovered).toEqual({ gh_organization_slug: installation.organization });
      expect(await store.list('', 'push-1', new Set([key]))).toEqual([{ key, version, isDeleted: false }]);
      expect(repositories.secrets()).toEqual({ [key]: 'two' });
      await store.remove(key);
      expect(await store.read(key)).toBeNull();
      store.close();
    },
  );

  it('has the requests for files', async () => {
    const { store } = await open('contents');

    expect(await store.read('shop/main/none.json')).toBeNull();
    store.close();
  });

  it('finds a request that GitHub does not know', async () => {
    const response = await fetch(`${apiUrl}/repos/acme/shop/actions/secrets/HOST`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: JSON.stringify({ encrypted: 'one' }),
    });

    expect(response.status).toBe(422);
  });
});
