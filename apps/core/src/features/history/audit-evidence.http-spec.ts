import type { AuditCheckpoint, AuditProof } from '@strata/contract';
import { isConsistent, ledgerOrigin, readCheckpoints, rootOfInclusion, type TreeHead } from '@strata/evidence';
import type { TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { insertUnlinked } from '../../testing/large-write.ts';
import { query } from '../../testing/query.ts';

const SETTINGS = { STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 1).toString('base64') };

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess(SETTINGS);
});
afterAll(() => core.close());

const parseHead = ({ note, key }: AuditCheckpoint): TreeHead => readCheckpoints(note, [key])[0] as TreeHead;
const parse = (hashes: readonly string[]) => hashes.map((hash) => Buffer.from(hash, 'base64'));

async function readCheckpoint({ owner }: TestOrganization, search = ''): Promise<AuditCheckpoint> {
  const { status, body } = await owner.get<AuditCheckpoint>(`audit/checkpoints/${search}`);
  expect(status).toBe(200);
  return body;
}

describe('checkpoints', () => {
  it('are signed notes of the latest revision or of an earlier one, and do not change later', async () => {
    const organization = await core.organization();
    const before = await readCheckpoint(organization);
    expect(readCheckpoints(before.note, [before.key])).toEqual([
      {
        origin: ledgerOrigin(organization.id),
        size: before.revision,
        root: Buffer.from(before.root_hash, 'base64'),
        contents: Buffer.from(before.contents_root_hash, 'base64'),
      },
    ]);
    await organization.owner.post('environments/', { name: 'another' });
    const after = await readCheckpoint(organization);
    expect([after.revision, after.key]).toEqual([before.revision + 1, before.key]);
    expect(await readCheckpoint(organization, `?revision=${before.revision}`)).toEqual(before);
    expect((await organization.owner.get(`audit/checkpoints/?revision=${after.revision + 1}`)).status).toBe(404);
  });

  it('are read by a caller who may read the whole audit', async () => {
    const organization = await core.organization();
    for (const [role, status] of [
      ['CONTRIB', 403],
      ['ADMIN', 200],
    ] as const) {
      const client = organization.as(role);
      expect((await client.get('audit/checkpoints/')).status).toBe(status);
      expect((await client.get('audit/proof/?revision=1')).status).toBe(status);
    }
  });

  it('are signed only if the changesets match their links', async () => {
    const organization = await core.organization();
    await query(core, `update changeset set actor_name = 'Mallory' where organization_id = $1 and revision = 1`, [
      organization.id,
    ]);
    const { status, headers } = await organization.owner.get('audit/checkpoints/');
    expect([status, headers['x-error-code']]).toEqual([409, 'ledger_damaged']);
  });

  it('require a key', async () => {
    const withoutKey = await startSecondCore(core);
    try {
      const { status, headers } = await (await withoutKey.organization()).owner.get('audit/checkpoints/');
      expect([status, headers['x-error-code']]).toEqual([404, 'checkpoints_off']);
    } finally {
      await withoutKey.close();
    }
  });
});

it('a proof shows that a checkpoint covers a changeset and continues an earlier checkpoint', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  // More than two tiles.
  await insertUnlinked(core, organization, 600);
  await owner.post('environments/', { name: 'linked' });
  const latest = await readCheckpoint(organization);
  const head = parseHead(latest);
  for (const revision of [1, 2, 255, 256, 257, 512, 513, head.size]) {
    const earlier = parseHead(await readCheckpoint(organization, `?revision=${revision}`));
    const { body } = await owner.get<AuditProof>(`audit/proof/?revision=${revision}&since=${revision}`);
    expect(body.checkpoint).toEqual(latest);
    const leaf = Buffer.from(body.changeset_hash, 'base64');
    const input = { leaf, index: revision - 1, size: head.size };
    expect(rootOfInclusion(input, parse(body.inclusion))).toEqual(head.root);
    expect(isConsistent(earlier, head, parse(body.consistency ?? []))).toBe(true);
  }
  const { body: plain } = await owner.get<AuditProof>('audit/proof/?revision=3&checkpoint=5');
  expect([plain.since, plain.consistency, plain.checkpoint.revision]).toEqual([null, null, 5]);
  expect((await owner.get('audit/proof/?revision=6&checkpoint=5')).status).toBe(404);
  expect((await owner.get('audit/proof/')).status).toBe(400);
});
