import type { Project } from '@strata/contract';
import { RawClient } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { SilentProxy } from '../../testing/silent-proxy.ts';

/** The length of the longest value, and the number of such values that fit into one request body. */
const TEXT = 'x'.repeat(65_000);
const OF_A_BODY = 120;
/** Together slightly more than the 64 MiB that one response may read. */
const BODIES = 9;
const SHORTER = 1;

/** The least that a response with the shorter texts reads from the database, and the most that a rejection reads, in bytes. */
const READ_BYTES = 4_000_000;
const REJECTION_BYTES = 1_000_000;

let core: CoreInProcess;
let proxy: SilentProxy;
let reader: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  proxy = await SilentProxy.before(core.database.url);
  // Has nothing in memory that the writes have stored there.
  reader = await startSecondCore({ database: { url: proxy.url } });
});
afterAll(async () => {
  await reader.close();
  await proxy.close();
  await core.close();
});

it('every route rejects a response with too much text before it reads any of the text', async () => {
  const organization = await core.organization();
  const { owner } = organization;
  const fill = async (project: string, bodies: number) => {
    for (let n = 0; n < bodies; n += 1) {
      const values = Object.fromEntries(Array.from({ length: OF_A_BODY }, (_, place) => [`P_${n}_${place}`, TEXT]));
      const set = { project, environment: 'default', create_missing: true, values };
      expect((await owner.post('changesets/', { operations: [{ set }] })).status).toBe(201);
    }
  };
  const [long, short] = [await organization.project(), await organization.project()];
  await fill(long.name, BODIES);
  await fill(short.name, SHORTER);
  const client = new RawClient(reader.origin, organization.ownerAuthorization);
  const preview = ({ url }: Project, bodies: number) => {
    const names = Array.from(
      { length: bodies * OF_A_BODY },
      (_, n) => `{{P_${Math.floor(n / OF_A_BODY)}_${n % OF_A_BODY}}}`,
    );
    return client.post(`${url}template-preview/?environment=default`, { body: names.join('') });
  };
  const reads = [
    ({ url }: Project) => client.get(`${url}effective/?environment=default`),
    ({ url }: Project) => client.get(`${url}parameter-export/?environment=default&output=dotenv`),
    ({ url }: Project) => client.get(`${url}parameters/?environment=default&page_size=2500`),
    preview,
  ];
  for (const [index, read] of reads.entries()) {
    const bytes = await proxy.bytesDuring(async () => {
      const { status, headers } = await read(long, BODIES);
      expect([index, status, headers['x-error-code']]).toEqual([index, 400, 'answer_too_long']);
    });
    expect([index, bytes < REJECTION_BYTES]).toEqual([index, true]);
  }
  for (const [index, read] of reads.entries()) {
    const bytes = await proxy.bytesDuring(async () => {
      const { status } = await read(short, SHORTER);
      // A rendered text of this size exceeds a separate limit.
      expect([index, status]).toEqual([index, read === preview ? 422 : 200]);
    });
    expect([index, bytes > READ_BYTES]).toEqual([index, true]);
  }
  expect(await client.post('backup/snapshot/')).toMatchObject({
    status: 400,
    headers: { 'x-error-code': 'too_much_to_back_up' },
  });
});
