import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buildMissingApps } from '../../apps/e2e/src/processes.ts';
import { type RunningCore, sharedCore, testCredentials } from '../../libs/testkit/src/index.ts';
import { Guide } from '../testing/guide.ts';
import { installedProgramVariables } from '../testing/installed-program.ts';
import { describeWith, installDebianProgram, installPythonProgram } from './tools.ts';

const PKCS11_MODULE = '/usr/lib/softhsm/libsofthsm2.so';
const [AGE = '', HSM = '', KMS = ''] = readBlocks();

let core: RunningCore;
let guide: Guide;
beforeAll(async () => {
  await buildMissingApps('core', 'cli');
  core = await sharedCore();
});
beforeEach(() => {
  guide = new Guide('rotate-keys');
});
afterEach(() => guide.remove());

function readBlocks(): string[] {
  const source = new Guide('rotate-keys');
  const blocks = source.blocks('Keep the root key in another system');
  source.remove();
  return blocks;
}

/** Runs the code of the guide, and then `strata keys list` with the root key that the program prints. */
async function listKeys(code: string, variables: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const shell = {
    ...installedProgramVariables(guide, core),
    ...{ ROOT_KEY: testCredentials().rootKey, DATABASE_URL: core.database.url },
    ...variables,
  };
  const output = await guide.run(`{\n${code}} > setup.log\nstrata keys list --json\n`, shell);
  return JSON.parse(output);
}

const USABLE = { remaining_keys: 0, is_held_by_all_cores: true };

describeWith([installDebianProgram('age')], 'the root key in a file that age encrypted', () => {
  test('is used', async () => {
    expect(await listKeys(AGE)).toMatchObject(USABLE);
    expect(fs.readFileSync(path.join(guide.directory, 'root-key.age'), 'utf8')).not.toContain(
      testCredentials().rootKey,
    );
  });
});

describeWith(
  [installDebianProgram('softhsm2-util', 'softhsm2'), installDebianProgram('pkcs11-tool', 'opensc')],
  'the root key in a module with PKCS #11',
  () => {
    test('is used', async () => {
      const tokens = path.join(guide.directory, 'tokens');
      fs.mkdirSync(tokens);
      const configuration = path.join(guide.directory, 'softhsm2.conf');
      fs.writeFileSync(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
      const module = { PKCS11_MODULE, SOFTHSM2_CONF: configuration, SO_PIN: '12345678', PIN: '1234' };

      expect(await listKeys(HSM, module)).toMatchObject(USABLE);
    });
  },
);

const AWS = await installPythonProgram('aws', 'awscli==1.46.3');
const MOTO = await installPythonProgram('python', 'moto[server,kms]==5.2.5');

describeWith([AWS, MOTO], 'the root key in a file that AWS KMS encrypted', () => {
  let moto: ChildProcess;
  let endpoint: string;
  beforeAll(async () => {
    moto = spawn(MOTO.program, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const lines = createInterface({ input: moto.stderr as Readable });
    for await (const line of lines) {
      endpoint = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? '';
      if (endpoint) break;
    }
  });
  afterAll(() => moto.kill());

  test('is used', async () => {
    const account = {
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_DEFAULT_REGION: 'eu-central-1' },
      ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', AWS_BIN: path.dirname(AWS.program) },
    };
    const createKey = 'PATH="$AWS_BIN:$PATH"\nKMS_KEY=$(aws kms create-key --query KeyMetadata.KeyId --output text)\n';

    expect(await listKeys(`${createKey}${KMS}`, account)).toMatchObject(USABLE);
  });
});
