import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { ServiceAccount } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { Guide } from '../testing/guide.ts';
import { describeWith, installDebianProgram, installGoSource } from './tools.ts';

const SOURCE = fs.readFileSync(path.join(import.meta.dirname, 'programs/external-secrets.go'), 'utf8');
const OPERATOR = installGoSource(SOURCE, ['github.com/external-secrets/external-secrets@v0.16.2']);
const KUBECTL = installDebianProgram('kubectl', 'kubernetes-client');
const SECRET = 'canary "7f" & <b>\n: {{ x }}';

describeWith([OPERATOR, KUBECTL], 'the External Secrets Operator with the manifests of the guide', () => {
  const guide = new Guide('use-external-secrets-operator');
  let core: RunningCore;
  let organization: TestOrganization;
  let only: string;
  beforeAll(async () => {
    core = await sharedCore();
    organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    only = project.url;
    const set = async (name: string, internal_value: string | null, secret = false) => {
      const parameter = await organization.parameter({ project, name, secret });
      await organization.value({ parameter, internal_value });
    };
    await Promise.all([set('DB_PASSWORD', SECRET, true), set('PORT', '8080'), set('NOTHING', null)]);
  });
  afterAll(() => guide.remove());

  /** Returns the data of the Secret of the program, or the error of the operator. */
  async function read(heading: string, { change = (yaml: string) => yaml, account = {} } = {}) {
    const body = { name: crypto.randomUUID(), role: 'VIEWER', only_projects: [only], ...account };
    const createResponse = await organization.owner.post<ServiceAccount & { apikey: string }>('serviceaccounts/', body);
    await guide.run(guide.code('Create a key'), { KEY: createResponse.body.apikey });
    const secret = fs.readFileSync(path.join(guide.directory, 'strata-key.yaml'), 'utf8');
    const manifests = guide.blocks(heading, 'yaml').join().replace('https://strata.example.com', core.origin);
    const operator = spawn(OPERATOR.program);
    operator.stdin.end(`${change(manifests)}\n---\n${secret}`);
    const [output, error] = await Promise.all([text(operator.stdout), text(operator.stderr)]);
    return error === '' ? JSON.parse(output) : error;
  }

  test('copy single values', async () => {
    expect(await read('Copy single values')).toEqual({ DB_PASSWORD: SECRET });
  });

  test('copy all values exactly, and explicit nulls as empty texts', async () => {
    expect(await read('Copy all values')).toEqual({ DB_PASSWORD: SECRET, PORT: '8080', NOTHING: '' });
  });

  test.each(['Copy single values', 'Copy all values'])(
    'report an error instead of an empty Secret: %s',
    async (heading) => {
      expect(await read(heading, { account: { reveals_secrets: false } })).toContain('endpoint gave error 403');
      const { url } = await organization.project();
      expect(await read(heading, { account: { only_projects: [url] } })).toMatch(/didn't get any result|wrong type/);
      const change = (yaml: string) => yaml.replace('project=shop', 'project=former');
      expect(await read(heading, { change })).toContain('NoSecretError');
    },
  );

  test('report an error for a name that does not exist', async () => {
    const change = (yaml: string) => yaml.replace('key: DB_PASSWORD', 'key: MISSING');
    expect(await read('Copy single values', { change })).toContain("didn't get any result");
  });
});
