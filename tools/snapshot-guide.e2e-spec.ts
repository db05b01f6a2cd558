import fs from 'node:fs';
import path from 'node:path';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { sharedCore } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';
import { installedProgramVariables } from './testing/installed-program.ts';

const guide = new Guide('move-from-a-snapshot');
afterAll(() => guide.remove());

it('the guide takes a snapshot that only its owner can read, and compares the result of the import', async () => {
  await buildMissingApps('cli');
  const core = await sharedCore();
  const [source, target] = [await core.organization(), await core.organization()];
  const project = await source.project({ name: 'shop' });
  const token = await source.parameter({ project, name: 'TOKEN', secret: true });
  await source.value({ parameter: token, internal_value: 'hunter2' });
  const [OLD_KEY, KEY] = [
    parseApiKey(await source.authorization('ADMIN')),
    parseApiKey(await target.authorization('ADMIN')),
  ];
  const API = `${core.origin}/api/v1`;
  const variables = { OLD_API: API, OLD_KEY, API, KEY, PROJECT: 'shop' };

  await guide.run(guide.code('Take a snapshot'), variables);
  const file = path.join(guide.directory, 'snapshot.json');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const program = { ...installedProgramVariables(guide, core), STRATA_API_KEY: KEY };
  const output = await guide.run(guide.code('Import it with the command line'), program);
  expect(output).toMatch(/To import: \d+ objects\n\d+ objects imported/);

  expect(await guide.run(guide.code('Check the result'), variables)).toBe('equal\n');
  expect(fs.existsSync(file)).toBe(false);
});
