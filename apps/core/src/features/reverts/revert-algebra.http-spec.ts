import type { Environment, Page, Project, Reverted } from '@strata/contract';
import { countCases, ledgerProblems, runsAllCases, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { applyPossible, randomChanges, readConfiguration } from '../../testing/random-changes.ts';

/** This test needs its own core, so that it can check the whole ledger at the end. */
let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

/** Reads all effective values, exports, matrices and templates. */
async function readResponses({ owner }: TestOrganization) {
  const { body: environments } = await owner.get<Page<Environment>>('environments/?page_size=100');
  const { body: projects } = await owner.get<Page<Project>>('projects/?page_size=100');
  const read = async (path: string) => {
    const { status, text } = await owner.get(path);
    return [path, status, text.replaceAll(/"(created_at|modified_at|ledger_id|revision)":("[^"]*"|\d+)/g, '')];
  };
  const responses = [];
  // Reads one project at a time, because one organization may not send that many requests at once.
  for (const { url } of projects.results) {
    const ofEnvironments = environments.results.flatMap(({ id }) => [
      `${url}effective/?environment=${id}&mask_secrets=false`,
      `${url}parameter-export/?output=dotenv&environment=${id}`,
      `${url}templates/?environment=${id}&evaluate=true`,
    ]);
    responses.push(...(await Promise.all([`${url}matrix/`, ...ofEnvironments].map(read))));
  }
  expect(responses.filter(([, status]) => status === 503)).toEqual([]);
  return responses;
}

const revert = ({ owner }: TestOrganization, revision: number, body: object = {}) =>
  owner.post<Reverted>(`changesets/${revision}/revert/`, body);

it('a revert restores the state before any changeset, including ids, and can be reverted itself', async () => {
  let reverted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomChanges(14), { minLength: 6, maxLength: 6 }),
      randomChanges(12),
      async (first, then) => {
        const organization = await core.organization();
        for (const change of first) await applyPossible(core, organization, change);
        const before = await readConfiguration(core, organization);
        const answersBefore = await readResponses(organization);
        const done = await applyPossible(core, organization, then);
        if (done === null) return;
        reverted += 1;
        const after = await readConfiguration(core, organization);
        const answersAfter = await readResponses(organization);

        const back = await revert(organization, done.revision);
        expect([back.status, back.status === 201 ? '' : back.text]).toEqual([201, '']);
        expect(await readConfiguration(core, organization)).toEqual(before);
        expect(await readResponses(organization)).toEqual(answersBefore);

        const repeatedResponse = await revert(organization, back.body.revision);
        expect([repeatedResponse.status, repeatedResponse.status === 201 ? '' : repeatedResponse.text]).toEqual([
          201,
          '',
        ]);
        expect(await readConfiguration(core, organization)).toEqual(after);
        expect(await readResponses(organization)).toEqual(answersAfter);
      },
    ),
    { numRuns: countCases(14), endOnFailure: true },
  );
  if (runsAllCases) expect(reverted).toBeGreaterThan(7);
});

it('a revert restores all objects without a conflict, and reports the conflicts', async () => {
  const codes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(randomChanges(14), { minLength: 4, maxLength: 4 }),
      randomChanges(12),
      randomChanges(12),
      async (first, then, laterChanges) => {
        const organization = await core.organization();
        for (const change of first) await applyPossible(core, organization, change);
        const done = await applyPossible(core, organization, then);
        await applyPossible(core, organization, laterChanges);
        if (done === null) return;

        const aborted = await revert(organization, done.revision);
        expect([aborted.status, aborted.status < 500 ? '' : aborted.text]).toEqual([expect.any(Number), '']);
        if (aborted.status === 201) return;
        expect(aborted.status).toBe(409);
        const skipped = await revert(organization, done.revision, { on_conflict: 'skip' });
        expect([skipped.status, skipped.status === 201 ? '' : skipped.text]).toEqual([201, '']);
        for (const { code } of skipped.body.conflicts) codes.add(code);
        // Conflicts of the first revert remain conflicts, and everything else is already restored.
        const repeatedResponse = await revert(organization, done.revision, { on_conflict: 'skip' });
        expect([repeatedResponse.status, repeatedResponse.body.changes]).toEqual([201, []]);
        const overwritten = await revert(organization, done.revision, { on_conflict: 'overwrite' });
        expect([overwritten.status, [201, 409].includes(overwritten.status) ? '' : overwritten.text]).toEqual([
          expect.any(Number),
          '',
        ]);
      },
    ),
    { numRuns: countCases(8), endOnFailure: true },
  );
  if (runsAllCases) expect(codes.size).toBeGreaterThanOrEqual(4);
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
