import { type RunningCore, sharedCore } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';

const guide = new Guide('send-the-audit-to-a-siem');
let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});
afterAll(() => guide.remove());

const pasted = (code: string, keys: Readonly<Record<string, string>>) =>
  guide.run(code, { API: `${core.origin}/api/v1`, ...keys });

it('the guide collects each record once', async () => {
  const organization = await core.organization();
  const KEY = parseApiKey(await organization.authorization('OWNER'));
  const { apikey: SIEM_KEY } = JSON.parse(await pasted(guide.code('Create a key'), { KEY }));
  const collected = async () => {
    const lines = await pasted(`${guide.code('Collect in intervals')}\ncat records.ndjson`, { SIEM_KEY });
    const records = lines.split('\n').filter(Boolean);
    return records.map((line) => JSON.parse(line).object.name);
  };
  await organization.project({ name: 'first' });
  expect(await collected()).toContain('first');
  await organization.project({ name: 'second' });

  expect(await collected()).toEqual(['second']);
  expect(await collected()).toEqual([]);
});
