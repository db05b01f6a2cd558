import { hash } from 'node:crypto';
import type { AuditCheckpoint } from '@strata/contract';
import { ledgerOrigin, readCheckpoints, TreeEdge, verifyStoredLedger } from '@strata/evidence';
import type { TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { insertUnlinked } from '../../testing/large-write.ts';
import { query } from '../../testing/query.ts';

const SETTINGS = { STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 1).toString('base64') };

let core: CoreInProcess;
let organization: TestOrganization;
let checkpoint: AuditCheckpoint;
beforeAll(async () => {
  core = await startCoreInProcess(SETTINGS);
  organization = await core.organization();
  await insertUnlinked(core, organization, 600);
  for (const text of ['a', 'b']) await organization.value({ internal_value: text });
  checkpoint = (await organization.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
});
afterAll(() => core.close());

/** Requests a resource of the log as its client. */
async function fetchResource(path: string, client = organization.ownerAuthorization) {
  const response = await fetch(`${core.origin}/api/v1/audit/log/${path}`, { headers: { authorization: client } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes };
}

const split = (bytes: Buffer): readonly Buffer[] =>
  Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));

test('the checkpoint of the log is the latest one, and is not cached', async () => {
  const { status, headers, bytes } = await fetchResource('checkpoint');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(headers.get('cache-control')).not.toContain('max-age=31536000');
  expect(bytes.toString()).toBe(checkpoint.note);
  expect(readCheckpoints(bytes.toString(), [checkpoint.key])[0]?.origin).toBe(ledgerOrigin(organization.id));
});

test('the tiles make the root hash, and are cached for good', async () => {
  const size = checkpoint.revision;
  const width = size % 256;
  const paths = ['tile/0/000', 'tile/0/001', `tile/0/002.p/${width}`, 'tile/1/000.p/2'];
  const tiles = await Promise.all(paths.map((path) => fetchResource(path)));
  for (const { status, headers } of tiles) {
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  }
  const [first, second, last, upper] = tiles.map(({ bytes }) => split(bytes));
  expect([first, second, last, upper].map((hashes) => hashes?.length)).toEqual([256, 256, width, 2]);
  const edge = new TreeEdge();
  for (const leaf of [first, second, last].flat()) edge.add(leaf as Buffer);
  expect(edge.root().toString('base64')).toBe(checkpoint.root_hash);
  const subtree = new TreeEdge();
  for (const leaf of second ?? []) subtree.add(leaf);
  expect(upper?.[1]).toEqual(subtree.root());
});

test('the entries of a bundle are the changesets that the tile of level 0 has hashed, without values', async () => {
  const width = checkpoint.revision % 256;
  const { bytes } = await fetchResource(`tile/entries/002.p/${width}`);
  const hashes = split((await fetchResource(`tile/0/002.p/${width}`)).bytes);
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at))
    entries.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
  const leaves = entries.map((entry) => hash('sha256', Buffer.concat([Buffer.from([0]), entry]), 'buffer'));
  expect(leaves).toEqual(hashes);
  expect(bytes.includes('value_created')).toBe(true);
  expect(bytes.includes('a secret')).toBe(false);
});

test('resources that the log does not have return 404', async () => {
  const width = checkpoint.revision % 256;
  for (const path of [
    'tile/0/003',
    `tile/0/002.p/${width + 1}`,
    'tile/1/000',
    'tile/0/000.p/256',
    'tile/0/000.p/0',
    'tile/00/000',
    'tile/0/0',
    'tile/0/x000/000',
    'tile/63/000',
    'tile/data/000',
    'tile/0/x001/000.p/1',
    'tile/entries/003',
  ])
    expect([path, (await fetchResource(path)).status]).toEqual([path, 404]);
});

test('a bundle with an entry that is too long for the format returns 409, and its tile has the hash', async () => {
  const large = await core.organization();
  const operations = Array.from({ length: 400 }, (_, at) => ({
    operation: 'environments_create',
    body: { name: `${at}-${'x'.repeat(150)}` },
  }));
  expect((await large.owner.post('changesets/', { operations })).status).toBe(201);
  const { revision } = (await large.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  const bundle = await fetchResource(`tile/entries/000.p/${revision}`, large.ownerAuthorization);
  expect([bundle.status, bundle.headers.get('x-error-code')]).toEqual([409, 'entry_too_long']);
  expect((await fetchResource(`tile/0/000.p/${revision}`, large.ownerAuthorization)).status).toBe(200);
});

test('the log is read by a caller who may read the whole audit, and contains their organization only', async () => {
  const paths = ['checkpoint', 'tile/0/000', 'tile/entries/000'];
  for (const path of paths) {
    expect((await fetchResource(path, await organization.authorization('CONTRIB'))).status).toBe(403);
    expect((await fetchResource(path, await organization.authorization('ADMIN'))).status).toBe(200);
  }
  const another = await core.organization();
  expect((await fetchResource('tile/0/000', another.ownerAuthorization)).status).toBe(404);
});

test('a checkpoint covers the contents that a verification reads, and does not change when rows are replaced', async () => {
  const target = await core.organization();
  const value = await target.value({ internal_value: 'a' });
  const before = (await target.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  const verified = await verifyStoredLedger((text, values) => query(core, text, [...values]), target.id);
  expect(verified.treeHead.contents?.toString('base64')).toBe(before.contents_root_hash);
  await target.owner.patch(value.url, { internal_value: 'b' });
  await target.owner.delete(value.url);
  const search = `?revision=${before.revision}`;
  expect((await target.owner.get<AuditCheckpoint>(`audit/checkpoints/${search}`)).body).toEqual(before);
  const after = (await target.owner.get<AuditCheckpoint>('audit/checkpoints/')).body;
  expect(after.contents_root_hash).not.toBe(before.contents_root_hash);
});
