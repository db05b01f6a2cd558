import { beforeImport, importing, listImports, readText, setPolicy } from '../../../testing/drift-imports.ts';
import { lockOrganizationHead } from '../../../testing/locked-head.ts';
import { createPerson } from '../../../testing/people.ts';
import { setUpAws } from '../../../testing/push-fixture.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const FAULT = { kind: 'error', code: 'InternalServiceError', status: 500 } as const;
/** The SDK sends a request three times. */
const SENDS = 3;

suite.each(['secretsmanager', 'ssm'])(`a push to %s that imports drift (${standIn})`, (service) => {
  it('writes the text of the store into the value, as a changeset, and then finds the key in sync', async () => {
    const { shop, push } = await importing(at, { A: 'ours', B: 'ours' }, service);
    await shop.writeElsewhere('/shop/A', 'theirs');
    expect(await push.run()).toMatchObject({ state: 'success', error_code: null });

    expect(await readText(shop, 'A')).toBe('theirs');
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs', '/shop/B': 'ours' });
    expect((await listImports(shop)).map(({ message }) => message)).toEqual([
      `The push ${push.push.name} imported the text that another program wrote to the key /shop/A.`,
    ]);
    expect(await push.steps()).toMatchObject([
      { operation: 'read', success: true, parameter_name: 'A', summary: 'The text was imported into the value.' },
    ]);
    expect(await push.states()).toEqual(['/shop/A in_sync none imported', '/shop/B in_sync none equal']);

    at.aws.clear();
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(at.aws.calls().map(({ operation }) => operation)).not.toContainEqual(expect.stringMatching(/^(Get|Put)/));
    expect(await push.states()).toEqual(['/shop/A in_sync none imported', '/shop/B in_sync none equal']);
  });

  it('waits for the approval of its plan, and then imports exactly what the plan shows', async () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    const { shop, push } = await importing(at, Object.fromEntries(names.map((name) => [name, 'ours'])), service);
    await setPolicy(shop, push, { plan_first: true });
    for (const [round, ...changed] of [
      ['one', 'A'],
      ['two', 'E', 'C', 'A'],
      ['three', ...names],
    ] as const) {
      for (const name of changed) await shop.writeElsewhere(`/shop/${name}`, `theirs ${round}`);

      expect(await push.run()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
      expect(await push.plan()).toMatchObject({ waits_for_approval: true, imports: changed.length });
      for (const name of changed) expect(await readText(shop, name)).not.toBe(`theirs ${round}`);

      expect(await push.runWith({ plan_hash: (await push.plan()).hash })).toMatchObject({
        state: 'success',
        error_code: null,
      });
      for (const name of changed) expect(await readText(shop, name)).toBe(`theirs ${round}`);
      expect(await push.plan()).toMatchObject({ waits_for_approval: false, imports: 0, in_sync: 5 });
    }
  });
});

suite(`an approved import (${standIn})`, () => {
  const planned = async () => {
    const { shop, push } = await importing(at, { A: 'ours', B: 'ours' });
    await setPolicy(shop, push, { plan_first: true });
    await shop.writeElsewhere('/shop/A', 'approved');
    expect(await push.run()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    return { shop, push };
  };

  it('does not extend to versions and keys that change while the run executes its plan', async () => {
    const { shop, push } = await planned();
    beforeImport(at, '/shop/A', async () => {
      at.aws.interfere(() => null);
      for (const name of ['A', 'B']) await shop.writeElsewhere(`/shop/${name}`, 'not approved');
      return null;
    });

    expect(await push.runWith({ plan_hash: (await push.plan()).hash })).toMatchObject({
      state: 'failure',
      error_code: 'drifted_keys',
    });

    expect([await readText(shop, 'A'), await readText(shop, 'B')]).toEqual(['ours', 'ours']);
    expect(await shop.texts()).toEqual({ '/shop/A': 'not approved', '/shop/B': 'not approved' });
  });

  it.each(['import', 'overwrite'])(
    'is finished after a temporary error, and extends to no other key: %s',
    async (drift) => {
      const { shop, push } = await planned();
      await setPolicy(shop, push, { drift });
      await push.run();
      beforeImport(at, '/shop/A', async (attempt) => {
        if (attempt === 1) await shop.writeElsewhere('/shop/B', 'not approved');
        return attempt <= SENDS ? FAULT : null;
      });

      expect(await push.runWith({ plan_hash: (await push.plan()).hash })).toMatchObject({
        state: 'failure',
        error_code: 'drifted_keys',
      });

      const text = drift === 'import' ? 'approved' : 'ours';
      expect([await readText(shop, 'A'), await readText(shop, 'B')]).toEqual([text, 'ours']);
      expect(await shop.texts()).toEqual({ '/shop/A': text, '/shop/B': 'not approved' });
    },
  );
});

suite(`an imported text (${standIn})`, () => {
  it('stays at the store until the tag contains its import, and is replaced by later changes', async () => {
    const { shop, push } = await importing(at, { A: 'ours', B: 'one' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();
    await setPolicy(shop, push, { drift: 'overwrite' });
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs', '/shop/B': 'one' });

    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await push.states()).toEqual(['/shop/A in_sync none equal', '/shop/B in_sync none equal']);

    await shop.set('A', 'ours');
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'ours', '/shop/B': 'one' });
  });

  it('is replaced by the older one when the tag contained its import, and is moved back', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();
    await push.move();
    expect(await push.states()).toEqual(['/shop/A in_sync none equal']);

    const { timestamp } = push.tag;
    await shop.organization.owner.patch(push.tag.url, { timestamp });
    expect(await push.ended()).toMatchObject({ state: 'success' });

    expect(await shop.texts()).toEqual({ '/shop/A': 'ours' });
  });

  it('is recorded without another changeset if the value has it already', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await shop.set('A', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'success' });

    expect(await push.states()).toEqual(['/shop/A in_sync none imported']);
    expect(await listImports(shop)).toEqual([]);
  });

  it('is stored together with the record of its key, or not at all', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await query(
      at.core,
      `create function reject_record() returns trigger language plpgsql as $$ begin raise 'no record'; end $$;
       create trigger reject_record before update on sync_key for each row when (new.import_revision is not null)
         execute function reject_record()`,
    );
    await shop.organization.owner.post(`${push.push.url}sync/`);
    await waitUntil(
      () => push.latest(),
      ({ error_code: code }) => code === 'internal_error',
    );

    expect([await listImports(shop), await readText(shop, 'A')]).toEqual([[], 'ours']);

    await query(at.core, 'drop trigger reject_record on sync_key; drop function reject_record()');
    expect(await push.ended()).toMatchObject({ state: 'success' });
    expect([(await listImports(shop)).length, await readText(shop, 'A')]).toEqual([1, 'theirs']);
  });

  it('is imported only by the process that has the lease, also after a person has undone the import', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    const { id: organizationId, owner } = shop.organization;
    await shop.writeElsewhere('/shop/A', 'theirs');
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<null>();
    beforeImport(at, '/shop/A', (attempt) => {
      if (attempt > 1) return null;
      hold();
      return released;
    });
    await owner.post(`${push.push.url}sync/`);
    await isHeld;
    await query(at.core, 'update integration set lease_until = clock_timestamp() where organization_id = $1', [
      organizationId,
    ]);
    expect(await push.ended()).toMatchObject({ state: 'success' });
    await shop.set('A', 'ours');

    const head = await lockOrganizationHead(at.core, organizationId);
    release(null);
    await head.waiting(1);
    await head.release();
    // The changes of an organization are written in the order of their arrival.
    await shop.set('B', 'later');

    expect([(await listImports(shop)).length, await readText(shop, 'A')]).toEqual([1, 'ours']);
  });

  it('waits for the end of a maintenance that begins while the run imports', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const setMaintenance = (maintenance: boolean) =>
      query(at.core, 'update organization set maintenance = $2 where id = $1', [shop.organization.id, maintenance]);
    beforeImport(at, '/shop/A', async () => {
      at.aws.interfere(() => null);
      await setMaintenance(true);
      return null;
    });
    await shop.organization.owner.post(`${push.push.url}sync/`);

    // The run is repeated at short intervals meanwhile.
    const first = await push.untilLatest(({ state, error_code: code }) => state === 'queued' && code !== null);
    expect(first).toMatchObject({ error_code: 'maintenance' });

    await setMaintenance(false);
    await push.run();
    expect((await shop.organization.owner.get(first.url)).body).toMatchObject({ state: 'success' });
    expect([(await listImports(shop)).length, await readText(shop, 'A')]).toEqual([1, 'theirs']);
  });

  it('is the last one that a run tries if the store fails', async () => {
    const { shop, push } = await importing(at, { A: 'ours', B: 'ours' });
    for (const name of ['A', 'B']) await shop.writeElsewhere(`/shop/${name}`, 'theirs');
    at.aws.clear();
    beforeImport(at, '/shop/A', (attempt) => (attempt <= SENDS ? FAULT : null));

    expect(await push.run()).toMatchObject({ state: 'success' });

    const calls = at.aws.calls().filter(({ operation }) => operation === 'GetSecretValue');
    const reads = calls.map(({ input }) => input.SecretId);
    // A plan reads both at the same time.
    const readByPlan = () => reads.splice(0, 2).toSorted();
    const plan = ['/shop/A', '/shop/B'];
    expect(readByPlan()).toEqual(plan);
    expect(reads.splice(0, SENDS)).toEqual(Array.from({ length: SENDS }, () => '/shop/A'));
    expect(readByPlan()).toEqual(plan);
    expect(reads).toEqual(plan);
  });

  it('is in no response, message or record except the value', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'canary-of-another-program');
    await push.run();
    expect(await readText(shop, 'A')).toBe('canary-of-another-program');

    const { owner } = shop.organization;
    const task = await push.latest();
    for (const path of [
      `${push.push.url}keys/`,
      `${push.push.url}plan/`,
      `${task.url}steps/`,
      'changesets/',
      'events/',
      'audit/',
    ])
      expect((await owner.get(path)).text).not.toContain('canary');
    const raw = await query(
      at.core,
      `select sync_key::text as row from sync_key union all select value::text from value`,
    );
    expect(JSON.stringify(raw)).not.toContain('canary');
  });

  it('is planned by a dry run, which writes nothing', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');

    await shop.organization.owner.post(`${push.push.url}run/`, { dry_run: true });
    expect(await push.ended()).toMatchObject({ state: 'success', dry_run: true });

    expect(await push.steps()).toMatchObject([{ operation: 'read', success: true, summary: 'Planned: import.' }]);
    expect(await push.states()).toEqual(['/shop/A drifted import changed_elsewhere']);
    expect(await readText(shop, 'A')).toBe('ours');
  });
});

suite(`the policy to import drift (${standIn})`, () => {
  it('requires the rights to manage integrations and to reveal secrets', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    const { organization } = shop;
    expect((await organization.as('CONTRIB').patch(`${push.push.url}policy/`, { drift: 'report' })).status).toBe(403);
    await setPolicy(shop, push, { drift: 'report' });
    const { client, membershipId } = await createPerson(at.core, organization.id, 'ADMIN');
    await organization.owner.patch(`memberships/${membershipId}/`, { reveals_secrets: false });
    expect((await client.patch(`${push.push.url}policy/`, { drift: 'import' })).status).toBe(403);
    await organization.owner.patch(`memberships/${membershipId}/`, { reveals_secrets: true });
    expect((await client.patch(`${push.push.url}policy/`, { drift: 'import' })).body).toMatchObject({
      drift: 'import',
    });
  });
});
