import { assertCosigned, CheckpointKey, ledgerOrigin, readCheckpoints, readWitnessKey } from '@strata/evidence';
import { LocalServers, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { TestWitness } from '../../testing/test-witness.ts';
import { waitUntil } from '../../testing/until.ts';

const SEED = Buffer.alloc(32, 1);

const servers = new LocalServers();
let core: CoreInProcess;
let witness: TestWitness;
let organization: TestOrganization;
let publisher: { run(): Promise<void> };
beforeAll(async () => {
  witness = await TestWitness.start(servers, (origin) => new CheckpointKey(SEED).verifierKey(origin));
  core = await startCoreInProcess({
    STRATA_CHECKPOINT_KEY: SEED.toString('base64'),
    STRATA_WITNESSES: `${witness.key} ${witness.url}/`,
  });
  const module = await moduleOfCore<typeof import('./checkpoint-publisher.ts')>(
    './features/history/checkpoint-publisher.js',
  );
  publisher = core.core.app.get(module.CheckpointPublisher);
});
afterAll(async () => {
  await core?.close();
  servers.close();
});
beforeEach(async () => {
  organization = await core.organization();
  witness.isReachable = true;
});

async function readNote({ ownerAuthorization }: TestOrganization): Promise<string> {
  const response = await fetch(`${core.origin}/api/v1/audit/log/checkpoint`, {
    headers: { authorization: ownerAuthorization },
  });
  return response.text();
}

const isCosigned = (note: string): boolean => readWitnessKey(witness.key).verify(note) !== null;
const isPublished = async ({ id }: TestOrganization, revision: number) =>
  (await query(core, 'select from published_checkpoint where organization_id = $1 and revision = $2', [id, revision]))
    .length > 0;
const origin = () => ledgerOrigin(organization.id);

/** Lets the next run publish and request again, as if the interval had passed. */
const passInterval = () =>
  query(
    core,
    `update published_checkpoint set attempted_at = attempted_at - interval '1 hour' where organization_id = $1`,
    [organization.id],
  );

/** Writes, publishes the checkpoint, and returns the note that the log then serves. */
async function publish(isEnough: (note: string) => boolean = isCosigned): Promise<string> {
  await organization.owner.post('environments/', { name: `environment ${Math.random()}` });
  return republish(isEnough);
}

async function republish(isEnough: (note: string) => boolean = isCosigned): Promise<string> {
  await passInterval();
  const { revision } = await head();
  await publisher.run();
  await waitUntil(() => isPublished(organization, revision), Boolean);
  return waitUntil(
    () => readNote(organization),
    (note) => note.split('\n')[1] === String(revision) && isEnough(note),
  );
}

const head = async () =>
  (
    await query<{ revision: number }>(core, 'select revision::int from organization_head where organization_id = $1', [
      organization.id,
    ])
  )[0] ?? { revision: 0 };

test('a witness cosigns each published checkpoint, with a proof that it continues the one before', async () => {
  for (let round = 0; round < 3; round += 1) {
    const note = await publish();
    expect(() => assertCosigned(note, [readWitnessKey(witness.key)], 1)).not.toThrow();
    const [checkpoint] = readCheckpoints(note, [new CheckpointKey(SEED).verifierKey(origin())]);
    expect(witness.heads.get(origin())).toEqual(checkpoint);
  }
  const sizes = witness.requests
    .filter((body) => body.includes(origin()))
    .map((body) => Number(/^old (\d+)/.exec(body)?.[1]));
  expect(sizes).toEqual([0, expect.any(Number), expect.any(Number)]);
  expect(sizes[2]).toBeGreaterThan(sizes[1] ?? 0);
});

test('a witness that has cosigned more than the core has stored says from where it needs a proof', async () => {
  await publish();
  await query(core, 'delete from published_checkpoint where organization_id = $1', [organization.id]);
  const requests = witness.requests.length;
  await publish();
  expect(witness.requests.slice(requests).map((body) => body.startsWith('old 0\n'))).toEqual([true, false]);
});

test('a checkpoint is published without a witness that does not respond, which cosigns it later', async () => {
  witness.isReachable = false;
  const note = await publish(() => true);
  expect(isCosigned(note)).toBe(false);
  witness.isReachable = true;
  expect(isCosigned(await republish())).toBe(true);
});

test('a witness does not cosign a history that was rewritten, or whose end was removed', async () => {
  await publish();
  const first = witness.heads.get(origin());
  witness.heads.set(origin(), { size: first?.size ?? 0, root: Buffer.alloc(32) });
  expect(isCosigned(await publish(() => true))).toBe(false);
  witness.heads.set(origin(), { size: 1_000, root: Buffer.alloc(32) });
  expect(isCosigned(await publish(() => true))).toBe(false);
});

test('a damaged ledger is not published', async () => {
  await publish();
  await query(core, `update changeset set actor_name = 'Mallory' where organization_id = $1 and revision = 2`, [
    organization.id,
  ]);
  await organization.owner.post('environments/', { name: 'after' });
  await passInterval();
  await publisher.run();
  const { revision } = await head();
  const another = await core.organization();
  await publisher.run();
  // Jobs run in the order of their creation.
  await waitUntil(
    async () => (await query(core, 'select from published_checkpoint where organization_id = $1', [another.id])).length,
    Boolean,
  );
  expect(await isPublished(organization, revision)).toBe(false);
});

test('the latest 1,000 checkpoints of an organization are kept', async () => {
  await query(
    core,
    `insert into published_checkpoint (organization_id, revision, note) select $1, -number, '' from generate_series(1, 1100) number`,
    [organization.id],
  );
  await publish();
  const rows = await query(core, 'select from published_checkpoint where organization_id = $1', [organization.id]);
  expect(rows).toHaveLength(1_000);
});
