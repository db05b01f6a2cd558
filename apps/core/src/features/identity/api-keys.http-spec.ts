import type { ServiceAccount, ServiceAccountCreated } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { startSecondCore } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { readCurrentUser, serviceAccount } from '../../testing/service-accounts.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a new key', () => {
  it('is returned once and immediately invalidates the old one in the same process', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    expect((await readCurrentUser(core, account)).status).toBe(200);

    const rekeyed = await organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`);

    expect((await readCurrentUser(core, account)).status).toBe(403);
    expect(rekeyed).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' }, body: { id: account.id } });
    expect((await readCurrentUser(core, rekeyed.body)).status).toBe(200);
    expect(rekeyed.body.keys?.map(({ revoked }) => revoked)).toEqual([false, true]);
    expect(Number(rekeyed.headers['x-revision'])).toBeGreaterThan(0);
  });

  it('can expire', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    const later = new Date(Date.now() + 3_600_000).toISOString();

    const rekeyed = await organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`, { expire_at: later });
    expect(rekeyed.body.keys?.[0]?.expiry_date).toBe(later.replace('Z', '000Z'));
    expect((await readCurrentUser(core, rekeyed.body)).status).toBe(200);

    const repeatedResponse = await organization.owner.post<ServiceAccountCreated>(`${account.url}rekey/`, {
      expire_at: later,
    });
    await query(core, `update api_key set expires_at = now() - interval '1 second' where person_id = $1`, [account.id]);
    expect((await readCurrentUser(core, repeatedResponse.body)).status).toBe(403);
  });

  it.each(['2020-01-01T00:00:00Z', 'tomorrow', 7, '2024-13-01'])(
    'does not accept %j as its expiration',
    async (expiry) => {
      const organization = await core.organization();
      const account = await serviceAccount(organization);

      const response = await organization.owner.post(`${account.url}rekey/`, { expire_at: expiry });

      expect(response).toMatchObject({ status: 400, body: { expire_at: [expect.any(String)] } });
      expect((await readCurrentUser(core, account)).status).toBe(200);
    },
  );

  it('replaces older keys, so that they do not accumulate', async () => {
    const organization = await core.organization();
    const account = await serviceAccount(organization);
    for (let n = 0; n < 12; n += 1) await organization.owner.post(`${account.url}rekey/`);

    const { body } = await organization.owner.get<ServiceAccount>(account.url);

    expect(body.keys).toHaveLength(10);
    expect(body.keys?.filter(({ revoked }) => !revoked)).toHaveLength(1);
  });
});

describe('a key that is revoked under load', () => {
  it('is rejected by every process within two seconds, and immediately by the process that revoked it', async () => {
    const organization = await core.organization();
    const otherCore = await startSecondCore(core);
    try {
      const account = await serviceAccount(organization);
      let running = true;
      let deletedAt = Number.POSITIVE_INFINITY;
      const late: number[] = [];
      let rejectedCount = 0;
      const traffic = Array.from({ length: 8 }, async () => {
        while (running) {
          const began = performance.now();
          const { status } = await readCurrentUser(core, account);
          if (status === 200 && began > deletedAt) late.push(began - deletedAt);
          if (status !== 200) rejectedCount += 1;
        }
      });
      const trafficElsewhere = (async () => {
        while (running) await readCurrentUser(otherCore, account);
      })();
      await waitUntil(
        () => readCurrentUser(otherCore, account),
        ({ status }) => status === 200,
      );

      await organization.owner.delete(account.url);
      deletedAt = performance.now();
      const deadline = deletedAt + 20_000;
      let last = 200;
      while (last !== 403 && performance.now() < deadline) last = (await readCurrentUser(otherCore, account)).status;
      await waitUntil(
        async () => rejectedCount,
        (count) => count >= 100,
      );
      running = false;
      await Promise.all([...traffic, trafficElsewhere]);

      expect(last).toBe(403);
      expect(late).toEqual([]);
    } finally {
      await otherCore.close();
    }
  });
});
