import fs from 'node:fs';
import path from 'node:path';
import { applyImport, planFor, readSnapshot, restImportClient } from '../libs/import/src/index.ts';
import { sharedCore } from '../libs/testkit/src/index.ts';
import { connect } from './seed/client.mjs';
import { Guide, keyOf } from './testing/guide.ts';

const guide = new Guide('move-from-a-snapshot');
afterAll(() => guide.remove());

it('the guide takes a snapshot that only its owner can read, and compares the result of the import', async () => {
  const core = await sharedCore();
  const [source, target] = [await core.organization(), await core.organization()];
  const project = await source.project({ name: 'shop' });
  const token = await source.parameter({ project, name: 'TOKEN', secret: true });
  await source.value({ parameter: token, internal_value: 'hunter2' });
  const [OLD_KEY, KEY] = [keyOf(await source.authorization('ADMIN')), keyOf(await target.authorization('ADMIN'))];
  const API = `${core.origin}/api/v1`;
  const variables = { OLD_API: API, OLD_KEY, API, KEY, PROJECT: 'shop' };

  await guide.run(guide.code('Take a snapshot'), variables);
  const file = path.join(guide.directory, 'snapshot.json');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const { platform, problem } = readSnapshot(fs.readFileSync(file, 'utf8'));
  if (!platform) throw new Error(problem);
  // The console does the same with the file (console-snapshot.e2e-spec.ts).
  const client = restImportClient(connect(core.origin, KEY));
  await applyImport(client, await planFor(client, platform), { message: (part) => part });

  expect(await guide.run(guide.code('Check the result'), variables)).toBe('equal\n');
  expect(fs.existsSync(file)).toBe(false);
});
