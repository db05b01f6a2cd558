import type { AppliedChangeset } from '@strata/contract';
import { ledgerProblems } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { type FaultKind, PlantedFaults } from '../../testing/planted-faults.ts';

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
  'value',
  'value_history',
  'reference',
  'tag',
  'changeset',
  'change',
];

const OPERATIONS = [
  { operation: 'environments_create', as: 'canary', body: { name: 'canary' } },
  { operation: 'projects_create', as: 'web', body: { name: 'web' } },
  {
    set: {
      project: { $ref: 'web' },
      environment: { $ref: 'canary' },
      values: { A: '1', B: { value: '2', secret: true } },
      create_missing: true,
    },
  },
  { operation: 'projects_parameters_create', as: 'c', path: { project_pk: { $ref: 'web' } }, body: { name: 'C' } },
  {
    operation: 'projects_parameters_values_create',
    path: { project_pk: { $ref: 'web' }, parameter_pk: { $ref: 'c' } },
    body: { environment: { $ref: 'canary' }, internal_value: 'is {{ A }}', interpolated: true },
  },
  { promote: { project: { $ref: 'web' }, from: { $ref: 'canary' }, to: 'default' } },
  { unset: { project: { $ref: 'web' }, environment: { $ref: 'canary' }, names: ['B'] } },
  { operation: 'environments_tags_create', path: { environment_pk: { $ref: 'canary' } }, body: { name: 'v1' } },
];

it.each<FaultKind>(['rejected', 'lost'])(
  'a changeset writes everything or nothing if any of its statements is %s',
  async (kind) => {
    const organization = await core.organization();
    const failures = await faults.failAtEachStatement(kind, organization, () =>
      organization.owner.post<AppliedChangeset>('changesets/', { operations: OPERATIONS }),
    );
    // Each operation runs at least one statement, and so does the ledger.
    expect(failures).toBeGreaterThan(OPERATIONS.length);
  },
);

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
