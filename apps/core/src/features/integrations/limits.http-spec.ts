import { newAwsAccount } from '@strata/testkit';
import { setUpAws } from '../../testing/push-fixture.ts';
import { query } from '../../testing/query.ts';

const { at, suite, standIn } = await setUpAws();

/** Repeats a request until one is rejected. Returns how many were accepted, and the error. */
async function countAccepted(send: (n: number) => Promise<{ status: number; headers: Headers }>) {
  for (let n = 0; ; n += 1) {
    const { status, headers } = await send(n);
    if (status !== 201) return [n, status, headers['x-error-code']];
  }
}

type Headers = Readonly<Record<string, string | undefined>>;

suite(`an organization (${standIn})`, () => {
  it('has at most 50 integrations, each with 100 pulls and pushes', async () => {
    const shop = await at.shop({});
    const { owner, id } = shop.organization;
    const pull = {
      region: 'eu-central-1',
      service: 'ssm',
      resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
    };
    // The mapped pull belongs to the integration.
    expect(
      await countAccepted((n) => owner.post(`${shop.integration.url}pulls/`, { name: `pull ${n}`, ...pull })),
    ).toEqual([99, 400, 'too_many_exchanges']);

    await query(
      at.core,
      `insert into integration (organization_id, id, provider, name, fqn, description, writable, settings, created_at, modified_at)
       select organization_id, gen_random_uuid(), provider, name || n, fqn || n, description, writable, settings, created_at, modified_at
         from integration, generate_series(1, 49) n where organization_id = $1`,
      [id],
    );
    const input = { aws_account_id: newAwsAccount(), aws_role_name: 'strata' };
    const more = { aws_enabled_regions: ['eu-central-1'], aws_enabled_services: ['ssm'] };
    expect(await countAccepted(() => owner.post('integrations/aws/', { ...input, ...more }))).toEqual([
      ...[0, 400, 'too_many_integrations'],
    ]);
  });

  it('has at most 100 rotations', async () => {
    const organization = await at.core.organization();
    const { owner, id } = organization;
    const project = await organization.project({ name: 'shop' });
    const environment = await organization.environmentNamed('production');
    const values = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`KEY_${n}`, 'text']));
    const { status } = await owner.post('changesets/', {
      operations: [{ set: { project: 'shop', environment: 'production', values, create_missing: true } }],
    });
    expect(status).toBe(201);
    await query(
      at.core,
      `insert into rotation (organization_id, id, name, parameter_id, environment_id, rotator, settings, grace_seconds, silent,
                             silent_after_seconds, stage_since, created_at, modified_at)
       select organization_id, gen_random_uuid(), name, id, $2, 'command', '{}', 0, 'wait', 0, now(), now(), now()
         from parameter where organization_id = $1`,
      [id, environment.id],
    );
    const rotate = async () => {
      const parameter = await organization.parameter({ project, secret: true });
      await organization.value({ parameter, environment });
      const command = { rotator: 'command', command: { program: 'rotate' } };
      return owner.post('rotations/', {
        name: 'r',
        parameter: parameter.url,
        environment: environment.url,
        ...command,
      });
    };
    expect(await countAccepted(rotate)).toEqual([1, 400, 'too_many_rotations']);
  });
});

suite(`a push (${standIn})`, () => {
  it('of more than 5,000 keys sends no request', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    for (const half of ['A', 'B']) {
      const values = Object.fromEntries(Array.from({ length: 2_501 }, (_, n) => [`${half}_${n}`, '']));
      const { status } = await owner.post('changesets/', {
        operations: [{ set: { project: 'shop', environment: 'production', values, create_missing: true } }],
      });
      expect(status).toBe(201);
    }
    at.aws.clear();

    const push = await shop.push({ include_parameters: true });

    expect(await push.latest()).toMatchObject({ state: 'failure', error_code: 'too_many_keys' });
    expect(at.aws.calls()).toEqual([]);
  });
});
