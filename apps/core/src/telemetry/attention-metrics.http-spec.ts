import type { Rotation } from '@strata/contract';
import { LocalServers, Metrics, metricsPort } from '@strata/testkit';
import { setUpAws } from '../testing/push-fixture.ts';
import { RotatedSecret } from '../testing/rotation-fixture.ts';
import { waitUntil } from '../testing/until.ts';

const port = await metricsPort();
const { at, suite, standIn } = await setUpAws({ STRATA_METRICS_PORT: String(port) });

const read = async (name: string, state?: string) =>
  (await Metrics.read(port)).sum(name, state === undefined ? {} : { strata_state: state });
const readSyncs = () =>
  Promise.all(['failing', 'drifted', 'undecided'].map((state) => read('strata_integration_syncs', state)));

suite(`the metrics for what needs a person (${standIn})`, () => {
  it('count pushes whose latest run failed, found drift, or waits for a decision', async () => {
    const shop = await at.shop({ A: 'ours' });
    const push = await shop.push();
    expect(await readSyncs()).toEqual([0, 0, 0]);

    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();
    const foreign = await at.shop({ A: 'ours' });
    await foreign.writeElsewhere('/shop/A', 'theirs');
    await foreign.push();
    const denied = await at.shop({ A: 'ours' });
    at.aws.interfere(({ operation }) =>
      operation === 'CreateSecret' ? { kind: 'error', code: 'AccessDeniedException', status: 400 } : null,
    );
    await denied.push();
    expect(await readSyncs()).toEqual([1, 1, 1]);

    await push.runWith({
      decisions: [{ key: '/shop/A', version: (await push.keys())[0]?.version, action: 'overwrite' }],
    });
    expect(await readSyncs()).toEqual([1, 0, 1]);
  });

  it('count external values whose text may be outdated', async () => {
    const shop = await at.shop({});
    const { owner } = shop.organization;
    await shop.writeElsewhere('password', 'text');
    const parameter = await shop.organization.parameter({ project: shop.project, secret: true });
    const environment = await shop.organization.environmentNamed('production');
    const external_fqn = `${shop.integration.fqn}/eu-central-1/secretsmanager/password`;
    await owner.post(`${parameter.url}values/`, { environment: environment.url, external: true, external_fqn });
    expect(await read('strata_external_values_outdated')).toBe(0);

    await owner.delete(shop.integration.url);

    expect(await read('strata_external_values_outdated')).toBe(1);
  });

  it('count rotations that wait, and those that have stopped', async () => {
    const organization = await at.core.organization();
    const secret = await RotatedSecret.create(at.core, organization);
    await secret.report('web');
    await secret.act('rotate');
    await secret.until(({ reason_code: code }) => code === 'instances');
    expect([await read('strata_rotations', 'waiting'), await read('strata_rotations', 'stopped')]).toEqual([1, 0]);

    await organization.owner.patch(secret.value.url, { internal_value: 'another text' });
    await organization.owner.post<Rotation>(`${secret.rotation.url}rotate/`, {});
    await secret.until(({ state }) => state === 'stopped');

    expect([await read('strata_rotations', 'waiting'), await read('strata_rotations', 'stopped')]).toEqual([0, 1]);
    expect(await read('strata_rotation_oldest_age_seconds')).toBeGreaterThan(0);
    await organization.owner.delete(secret.rotation.url);
    await secret.server.drop();
  });

  it('count destinations whose messages fail', async () => {
    const servers = new LocalServers();
    const address = await servers.serve((_, response) => response.writeHead(500).end());
    const { owner } = await at.core.organization();
    await owner.post('destinations/', { name: 'down', type: 'http', event_types: ['project_created'], address });
    expect(await read('strata_destination_failing')).toBe(0);

    await owner.post('projects/', { name: 'announced' });

    await waitUntil(
      () => read('strata_destination_failing'),
      (failing) => failing === 1,
    );
    servers.close();
  });
});
