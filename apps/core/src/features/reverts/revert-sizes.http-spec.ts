import { ledgerProblems } from '@strata/testkit';
import fc from 'fast-check';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { type FaultKind, PlantedFaults } from '../../testing/planted-faults.ts';
import { applyPossible, COMPATIBLE_KINDS, randomChanges, readConfiguration } from '../../testing/random-changes.ts';
import { applyChanges, revertChanges, set } from '../../testing/reverts.ts';

/** This test needs its own core and database, because it makes PostgreSQL statements fail. */
let core: CoreInProcess;
let faults: PlantedFaults;
beforeAll(async () => {
  core = await startCoreInProcess();
  faults = await PlantedFaults.in(core, TABLES);
});
afterAll(() => core.close());

const TABLES = [
  'environment',
  'project',
  'parameter',
  'parameter_rule',
  'value',
  'value_history',
  'reference',
  'template',
  'access_grant',
  'departed_scope',
  'changeset',
  'change',
];

it.each<FaultKind>(['rejected', 'lost'])(
  'a revert writes everything or nothing if any of its statements is %s',
  async (kind) => {
    const organization = await core.organization();
    const project = await organization.project();
    await organization.owner.patch(project.url, { access_controlled: true });
    await applyChanges(organization, [
      set(project.name, { A: '1', B: { value: '2', secret: true }, C: 'x' }),
      {
        operation: 'projects_templates_create',
        path: { project_pk: project.id },
        body: { name: 't', body: '{{ A }}' },
      },
    ]);
    const { revision } = await applyChanges(organization, [
      { operation: 'projects_destroy', path: { id: project.id } },
      { operation: 'environments_create', as: 'e', body: { name: 'canary' } },
      { operation: 'projects_create', as: 'p', body: { name: project.name } },
      { set: { project: { $ref: 'p' }, environment: { $ref: 'e' }, values: { A: '1' }, create_missing: true } },
    ]);
    const failures = await faults.failAtEachStatement(kind, organization, () =>
      revertChanges(organization.owner, revision),
    );
    expect(failures).toBeGreaterThan(10);
  },
);

it('a thousand mixed operations of one changeset can be reverted, and so can the revert', async () => {
  await fc.assert(
    fc.asyncProperty(
      randomChanges(120, COMPATIBLE_KINDS),
      randomChanges(1_000, COMPATIBLE_KINDS),
      async (first, then) => {
        const organization = await core.organization();
        await applyPossible(core, organization, first.slice(0, 60));
        await applyPossible(core, organization, first.slice(60));
        const before = await readConfiguration(core, organization);
        const done = await applyPossible(core, organization, then);
        expect(done?.operations.length).toBeGreaterThan(800);
        const after = await readConfiguration(core, organization);
        const back = await revertChanges(organization.owner, done?.revision ?? 0);
        expect([back.status, back.status === 201 ? '' : back.text]).toEqual([201, '']);
        expect(await readConfiguration(core, organization)).toEqual(before);
        expect((await revertChanges(organization.owner, back.body.revision)).status).toBe(201);
        expect(await readConfiguration(core, organization)).toEqual(after);
      },
    ),
    { numRuns: 1 },
  );
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
