import type { Project } from '@strata/contract';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

/** The length of the longest value, and the number of such values that fit into one request body. */
const TEXT = 'x'.repeat(65_000);
const OF_A_BODY = 120;
/** Together slightly more than the 64 MiB that one response may read. */
const BODIES = 9;
const SHORTER = 1;

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

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
  const costOf = async (ask: () => Promise<{ readonly status: number; readonly headers: object }>) => {
    const before = process.threadCpuUsage();
    const { status, headers } = await ask();
    return {
      status,
      code: (headers as Record<string, string>)['x-error-code'],
      user: process.threadCpuUsage(before).user,
    };
  };
  const preview = ({ url }: Project, bodies: number) => {
    const names = Array.from(
      { length: bodies * OF_A_BODY },
      (_, n) => `{{P_${Math.floor(n / OF_A_BODY)}_${n % OF_A_BODY}}}`,
    );
    return owner.post(`${url}template-preview/?environment=default`, { body: names.join('') });
  };
  const reads = [
    ({ url }: Project) => owner.get(`${url}effective/?environment=default`),
    ({ url }: Project) => owner.get(`${url}parameter-export/?environment=default&output=dotenv`),
    ({ url }: Project) => owner.get(`${url}parameters/?environment=default&page_size=2500`),
    preview,
  ];
  for (const [index, read] of reads.entries()) {
    const refused = await costOf(() => read(long, BODIES));
    const answered = await costOf(() => read(short, SHORTER));

    expect([index, refused.status, refused.code]).toEqual([index, 400, 'answer_too_long']);
    // a rendered text of this size exceeds a separate limit
    expect([index, answered.status]).toEqual([index, read === preview ? 422 : 200]);
    // Reading and showing a ninth of the text costs the main thread more than rejecting all of it. A preview is
    // excluded, because it parses the names in the template before the rejection.
    if (read !== preview) expect([index, refused.user < answered.user]).toEqual([index, true]);
  }
  expect(await owner.post('backup/snapshot/')).toMatchObject({
    status: 400,
    headers: { 'x-error-code': 'too_much_to_back_up' },
  });
});
