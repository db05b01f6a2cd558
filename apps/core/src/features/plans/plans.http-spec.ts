import type { AppliedChangeset, Plan, PlanDifference } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const set = (project: string, environment: string, values: object, more: object = {}) => ({
  set: { project, environment, values, create_missing: true, ...more },
});

interface Outdated {
  readonly difference: PlanDifference;
  readonly plan: Plan;
}

async function planned({ owner }: TestOrganization, ...operations: object[]): Promise<Plan> {
  const { status, body, text } = await owner.post<Plan>('changesets/plan/', { operations });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return body;
}

const applied = ({ owner }: TestOrganization, plan: Plan | null, ...operations: object[]) =>
  owner.post<AppliedChangeset & Outdated>('changesets/', {
    operations,
    ...(plan && { plan_hash: plan.plan_hash, plan }),
  });

const summarize = ({ effective_changes: changes }: Plan) =>
  changes.map((change) => `${change.environment_name}/${change.parameter_name}: ${change.before} -> ${change.after}`);

it('a plan lists changed effective values, including inherited ones, and can be applied with its hash', async () => {
  const organization = await core.organization();
  await organization.project({ name: 'web' });
  const operations = [set('web', 'default', { HOST: 'a' }), set('web', 'production', { HOST: 'b' })];

  const plan = await planned(organization, ...operations);

  expect(summarize(plan)).toEqual([
    'default/HOST: null -> a',
    'development/HOST: null -> a',
    'production/HOST: null -> b',
    'staging/HOST: null -> a',
  ]);
  expect(plan.totals).toMatchObject({ effective_changes: 4, changes: 3, refusals: 0, uncovered: 0 });
  const { body: still } = await organization.owner.get<{ count: number }>('projects/?name=web');
  expect(still.count).toBe(1);
  expect((await planned(organization, ...operations)).plan_hash).toBe(plan.plan_hash);
  expect((await applied(organization, plan, ...operations)).status).toBe(201);
});

it('a plan lists all rejected operations and the references that cause the rejections', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  const host = await organization.parameter({ project, name: 'HOST' });
  await organization.value({ parameter: host, internal_value: 'a' });
  const link = await organization.parameter({ project, name: 'URL' });
  await organization.value({ parameter: link, internal_value: 'http://{{ HOST }}', interpolated: true });

  const plan = await planned(
    organization,
    { operation: 'projects_parameters_destroy', path: { project_pk: project.id, id: host.id } },
    { operation: 'projects_create', as: 'again', body: { name: 'web' } },
    { set: { project: { $ref: 'again' }, environment: 'default', values: { A: '1' } } },
    set('web', 'default', { B: '2' }),
  );

  expect(plan.refusals.map(({ index, code }) => [index, code])).toEqual([
    [0, 'parameter_is_referenced'],
    [1, 'duplicate_name'],
    [2, 'skipped'],
  ]);
  expect(plan.blocking_references).toEqual([{ index: 0, project_name: 'web', text: 'URL in default' }]);
  expect(plan.totals.effective_changes).toBe(4);
});

it('a plan reports a secret as changed for any text, so that it does not reveal whether a guess is right', async () => {
  const organization = await core.organization();
  await organization.project({ name: 'web' });
  const secret = await applied(
    organization,
    null,
    set('web', 'default', { TOKEN: { value: 'hunter2', secret: true } }),
  );
  expect(secret.status).toBe(201);
  const guesses = ['hunter2', 'hunter3'];
  const plans = await Promise.all(
    guesses.map((guess) => planned(organization, set('web', 'default', { TOKEN: guess }))),
  );

  expect(plans[0]?.effective_changes).toEqual(plans[1]?.effective_changes);
  expect(plans[0]?.totals).toEqual(plans[1]?.totals);
  expect(plans[0]?.effective_changes[0]).toMatchObject({ before: '*****', after: '*****', masked: true });
  expect(JSON.stringify(plans)).not.toContain('hunter');
  const { status, body } = await applied(organization, plans[0] ?? null, set('web', 'default', { TOKEN: 'hunter2' }));
  expect([status, body.operations[0]?.changes.length]).toEqual([201, 1]);
});

it('a plan validates no secret, not even in an evaluated text, and reports this', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  const token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  await organization.value({ parameter: token, internal_value: 'hunter2' });
  const says = await organization.parameter({ project, name: 'SAYS' });
  await organization.value({ parameter: says, internal_value: 'is {{ TOKEN }}', interpolated: true });
  const rule = (parameter: string, constraint: string) => ({
    operation: 'projects_parameters_rules_create',
    path: { project_pk: project.id, parameter_pk: parameter },
    body: { type: 'regex', constraint },
  });

  for (const constraint of ['hunter.*', 'x.*']) {
    const plan = await planned(organization, rule(token.id, constraint), rule(says.id, `is ${constraint}`));
    expect([plan.refusals, plan.uncovered.map(({ reason, name }) => `${reason} ${name}`)]).toEqual([
      [],
      ['secret_not_judged SAYS', 'secret_not_judged TOKEN'],
    ]);
  }
});

describe('a changeset with the hash of a plan', () => {
  it('is rejected with the differences if the basis of the plan has changed, and stores nothing', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    await applied(organization, null, set('web', 'default', { A: '1', B: '2' }));
    const plan = await planned(organization, set('web', 'default', { A: '3' }));
    await applied(organization, null, set('web', 'production', { A: '4' }), set('web', 'default', { A: '5' }));

    const { status, body, headers } = await applied(organization, plan, set('web', 'default', { A: '3' }));

    expect([status, headers['x-error-code']]).toEqual([412, 'plan_outdated']);
    expect(body.difference.parts).toEqual(['objects', 'effective_changes']);
    expect(body.difference.effective_changes?.gone).toMatchObject([{ environment_name: 'production', before: '1' }]);
    expect(body.difference.effective_changes?.other).toHaveLength(3);
    expect(body.difference.objects?.other).toHaveLength(1);
    expect(summarize(body.plan)).toEqual(expect.arrayContaining(['default/A: 5 -> 3']));
    const currentPlan = await planned(organization, set('web', 'default', { A: '6' }));
    expect(summarize(currentPlan)).toContain('default/A: 5 -> 6');
    const repeatedResponse = await applied(organization, body.plan, set('web', 'default', { A: '3' }));
    expect([repeatedResponse.status, repeatedResponse.status === 201 ? '' : repeatedResponse.text]).toEqual([201, '']);
  });

  it.each([
    [
      'copies',
      (project: string) => ({
        operation: 'projects_copy_create',
        path: { id: project },
        body: { name: 'copy' },
      }),
    ],
    ['promotes', () => ({ promote: { project: 'web', from: 'staging', to: 'production' } })],
  ])('is rejected if a secret that it %s was written meanwhile, even to the same text', async (_, operationOn) => {
    const organization = await core.organization();
    const { id } = await organization.project({ name: 'web' });
    const token = set('web', 'staging', { TOKEN: { value: 'hunter2', secret: true } }, { touch: true });
    await applied(organization, null, token);
    const operation = operationOn(id);
    const plan = await planned(organization, operation);
    expect(plan.totals.effective_changes).toBeGreaterThan(0);
    await applied(organization, null, set('web', 'production', { OTHER: '1' }));
    const planAfterOtherChange = await planned(organization, operation);
    expect(planAfterOtherChange.plan_hash === plan.plan_hash).toBe('promote' in operation);
    await applied(organization, null, token);

    const { status, body } = await applied(organization, planAfterOtherChange, operation);
    expect([status, body.difference.parts]).toEqual([412, ['objects']]);
  });

  it.each(['the type of a dynamic value that refers to it', 'a rule'])(
    'is rejected with the error if a secret violates %s, because no plan shows that',
    async (what) => {
      const organization = await core.organization();
      const project = await organization.project({ name: 'web' });
      const secret = await organization.parameter({ project, name: 'PW', secret: true });
      const { environment } = await organization.value({ parameter: secret, internal_value: 'no number' });
      const port = await organization.parameter({ project, name: 'PORT', type: 'integer' });
      const operation =
        what === 'a rule'
          ? {
              operation: 'projects_parameters_rules_create',
              path: { project_pk: project.id, parameter_pk: secret.id },
              body: { type: 'regex', constraint: 'x.*' },
            }
          : {
              operation: 'projects_parameters_values_create',
              path: { project_pk: project.id, parameter_pk: port.id },
              body: { environment, internal_value: '{{ PW }}', interpolated: true },
            };
      const secondOperation = set('web', 'default', { OTHER: '1' });
      const plan = await planned(organization, operation, secondOperation);
      expect([plan.refusals, plan.uncovered.map(({ reason }) => reason)]).toEqual([[], ['secret_not_judged']]);
      const without = await applied(organization, null, operation, secondOperation);
      expect([without.status, without.body.operations.length]).toEqual([400, 1]);

      const response = await applied(organization, plan, operation, secondOperation);
      expect([response.status, response.headers['x-error-code'], response.body]).toEqual([
        400,
        without.headers['x-error-code'],
        without.body,
      ]);

      await applied(organization, null, secondOperation);
      expect((await applied(organization, plan, secondOperation)).headers['x-error-code']).toBe('plan_outdated');
    },
  );

  it('ignores changes of other objects', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    await organization.project({ name: 'other' });
    await applied(organization, null, set('web', 'default', { A: '1', B: '2' }));
    const operations = [set('web', 'staging', { A: '3' })];
    const plan = await planned(organization, ...operations);
    await applied(organization, null, set('web', 'default', { B: '5' }), set('other', 'staging', { A: '6' }));
    await applied(organization, null, set('web', 'production', { A: '7' }));

    const { status, text } = await applied(organization, plan, ...operations);
    expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  });

  it.each([
    ['other operations', (plan: Plan) => plan.plan_hash, [set('web', 'default', { A: '2' })]],
    ['an invalid hash', () => 'made.up', [set('web', 'default', { A: '1' })]],
  ])('is rejected for %s', async (_, hashOf, operations) => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    const plan = await planned(organization, set('web', 'default', { A: '1' }));
    const response = await organization.owner.post('changesets/', { operations, plan_hash: hashOf(plan) });
    expect(response.status).toBe(412);
  });

  it('is rejected for another caller', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'web' });
    const operations = [set('web', 'default', { A: '1' })];
    const plan = await planned(organization, ...operations);
    const response = await organization
      .as('CONTRIB')
      .post<Outdated>('changesets/', { operations, plan_hash: plan.plan_hash });
    expect([response.status, response.body.difference.parts]).toEqual([412, ['operations']]);
  });
});

it('a plan shows a text that cannot be evaluated as a problem, and lists it as uncovered', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  await applied(organization, null, set('web', 'default', { N: '1' }));
  const share = await organization.parameter({ project, name: 'SHARE' });
  await organization.value({ parameter: share, internal_value: '{{ N }}'.repeat(17), interpolated: true });

  const operations = [set('web', 'staging', { N: 'x'.repeat(65_000) })];
  const plan = await planned(organization, ...operations);

  expect(plan.effective_changes.map(({ parameter_name: name, before }) => [name, before])).toEqual([
    ['N', '1'],
    ['SHARE', '1'.repeat(17)],
  ]);
  expect(plan.effective_changes[1]).toMatchObject({ after: null, problem: expect.any(String) });
  expect(plan.uncovered).toMatchObject([{ reason: 'not_evaluated', name: 'SHARE', environment_name: 'staging' }]);
  const { status, body } = await applied(organization, plan, ...operations);
  expect(status).toBe(201);
  const { body: laterValues } = await organization.owner.get<{ results: Plan['effective_changes'] }>(
    `changesets/${body.revision}/effective/`,
  );
  expect(laterValues.results).toEqual(plan.effective_changes);
});

it('a plan lists notified webhooks, restarted expirations and changed access', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'web' });
  await organization.parameter({ project, name: 'TOKEN', expires: 'P30D' });
  const { body: me } = await organization.owner.get<{ url: string }>('users/current/');

  const plan = await planned(organization, set('web', 'default', { TOKEN: '1' }), {
    operation: 'grants_create',
    body: { scope: project.url, principal: me.url, role: 'OWNER' },
  });

  expect(plan.expirations).toEqual([
    { project_name: 'web', environment_name: 'default', name: 'TOKEN', expires: 'P30D' },
  ]);
  expect(plan.access.every(({ scope_name: scope, after }) => scope === 'web' && after === null)).toBe(true);
});
