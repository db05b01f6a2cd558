import type { IntegrationTask, Page, PushKey, PushRunPlan, RecordedChangeset, Value } from '@strata/contract';
import { type CloudFault } from '@strata/testkit';
import { type LockedHead, lockOrganizationHead } from '../../../testing/locked-head.ts';
import { createPerson } from '../../../testing/people.ts';
import { type FinishedPush, PushedShop, setUpAws } from '../../../testing/push-fixture.ts';
import { awsTarget } from '../../../testing/push-targets.ts';
import { query } from '../../../testing/query.ts';
import { waitUntil } from '../../../testing/until.ts';

const { at, suite, standIn } = await setUpAws();

const listKeys = async ({ organization }: PushedShop, { push }: FinishedPush) =>
  (await organization.owner.get<Page<PushKey>>(`${push.url}keys/`)).body.results;
const states = async (shop: PushedShop, push: FinishedPush) =>
  (await listKeys(shop, push)).map(({ key, state, action, reason }) => `${key} ${state} ${action} ${reason}`);
const readPlan = async ({ organization }: PushedShop, { push }: FinishedPush) =>
  (await organization.owner.get<PushRunPlan>(`${push.url}plan/`)).body;
const approve = async (shop: PushedShop, push: FinishedPush): Promise<IntegrationTask> => {
  const { hash } = await readPlan(shop, push);
  const { status, text } = await shop.organization.owner.post(`${push.push.url}run/`, { plan_hash: hash });
  if (status !== 202) throw new Error(text);
  return push.ended();
};
const setPolicy = async ({ organization }: PushedShop, { push }: FinishedPush, policy: object) => {
  const { status, text } = await organization.owner.patch(`${push.url}policy/`, policy);
  if (status !== 200) throw new Error(text);
};
/** Returns the text of a value that is set in production. */
const readText = async (shop: PushedShop, name: string) => {
  const { owner } = shop.organization;
  const environment = await shop.organization.environmentNamed('production');
  const { url } = shop.parameter(name);
  const { body } = await owner.get<Page<Value>>(`${url}values/?environment=${environment.id}`);
  return body.results[0]?.value;
};
const listChangesets = async ({ organization }: PushedShop) =>
  (await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=50')).body.results;
/** Returns the changesets of imports. */
const listImports = async (shop: PushedShop) =>
  (await listChangesets(shop)).filter(({ actor_name: actor }) => actor === 'Integrations');
/** Creates a push whose drifted keys are imported. */
const importing = async (values: Readonly<Record<string, string>>, service?: string) => {
  const shop = await at.shop(values, service);
  const push = await shop.push();
  await setPolicy(shop, push, { drift: 'import' });
  return { shop, push };
};

/** Calls `interfere` when a run that has planned to import a key reads the key again. Returns the fault of that request. */
const beforeImport = (key: string, interfere: (attempt: number) => CloudFault | null | Promise<CloudFault | null>) => {
  let reads = 0;
  at.aws.interfere(({ operation, input }) => {
    if (operation !== 'GetSecretValue' || input.SecretId !== key) return null;
    reads += 1;
    return reads === 1 ? null : interfere(reads - 1);
  });
};
const FAULT = { kind: 'error', code: 'InternalServiceError', status: 500 } as const;
/** The SDK sends a request three times. */
const SENDS = 3;

suite.each(['secretsmanager', 'ssm'])(`a push to %s that imports drift (${standIn})`, (service) => {
  it('writes the text of the store into the value, as a changeset, and then finds the key in sync', async () => {
    const { shop, push } = await importing({ A: 'ours', B: 'ours' }, service);
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
    expect(await states(shop, push)).toEqual(['/shop/A in_sync none imported', '/shop/B in_sync none equal']);

    at.aws.clear();
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(at.aws.calls().map(({ operation }) => operation)).not.toContainEqual(expect.stringMatching(/^(Get|Put)/));
    expect(await states(shop, push)).toEqual(['/shop/A in_sync none imported', '/shop/B in_sync none equal']);
  });

  it('waits for the approval of its plan, and then imports exactly what the plan shows', async () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    const { shop, push } = await importing(Object.fromEntries(names.map((name) => [name, 'ours'])), service);
    await setPolicy(shop, push, { plan_first: true });
    for (const [round, ...changed] of [
      ['one', 'A'],
      ['two', 'E', 'C', 'A'],
      ['three', ...names],
    ] as const) {
      for (const name of changed) await shop.writeElsewhere(`/shop/${name}`, `theirs ${round}`);

      expect(await push.run()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
      expect(await readPlan(shop, push)).toMatchObject({ waits_for_approval: true, imports: changed.length });
      for (const name of changed) expect(await readText(shop, name)).not.toBe(`theirs ${round}`);

      expect(await approve(shop, push)).toMatchObject({ state: 'success', error_code: null });
      for (const name of changed) expect(await readText(shop, name)).toBe(`theirs ${round}`);
      expect(await readPlan(shop, push)).toMatchObject({ waits_for_approval: false, imports: 0, in_sync: 5 });
    }
  });
});

suite(`an approved import (${standIn})`, () => {
  const planned = async () => {
    const { shop, push } = await importing({ A: 'ours', B: 'ours' });
    await setPolicy(shop, push, { plan_first: true });
    await shop.writeElsewhere('/shop/A', 'approved');
    expect(await push.run()).toMatchObject({ state: 'skipped', error_code: 'approval_required' });
    return { shop, push };
  };

  it('does not extend to versions and keys that change while the run executes its plan', async () => {
    const { shop, push } = await planned();
    beforeImport('/shop/A', async () => {
      at.aws.interfere(() => null);
      for (const name of ['A', 'B']) await shop.writeElsewhere(`/shop/${name}`, 'not approved');
      return null;
    });

    expect(await approve(shop, push)).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    expect([await readText(shop, 'A'), await readText(shop, 'B')]).toEqual(['ours', 'ours']);
    expect(await shop.texts()).toEqual({ '/shop/A': 'not approved', '/shop/B': 'not approved' });
  });

  it.each(['import', 'overwrite'])(
    'is finished after a temporary error, and extends to no other key: %s',
    async (drift) => {
      const { shop, push } = await planned();
      await setPolicy(shop, push, { drift });
      await push.run();
      beforeImport('/shop/A', async (attempt) => {
        if (attempt === 1) await shop.writeElsewhere('/shop/B', 'not approved');
        return attempt <= SENDS ? FAULT : null;
      });

      expect(await approve(shop, push)).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

      const text = drift === 'import' ? 'approved' : 'ours';
      expect([await readText(shop, 'A'), await readText(shop, 'B')]).toEqual([text, 'ours']);
      expect(await shop.texts()).toEqual({ '/shop/A': text, '/shop/B': 'not approved' });
    },
  );
});

suite(`an imported text (${standIn})`, () => {
  it('stays at the store until the tag contains its import, and is replaced by later changes', async () => {
    const { shop, push } = await importing({ A: 'ours', B: 'one' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();
    await setPolicy(shop, push, { drift: 'overwrite' });
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'theirs', '/shop/B': 'one' });

    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await states(shop, push)).toEqual(['/shop/A in_sync none equal', '/shop/B in_sync none equal']);

    await shop.set('A', 'ours');
    expect(await push.move()).toMatchObject({ state: 'success' });
    expect(await shop.texts()).toEqual({ '/shop/A': 'ours', '/shop/B': 'one' });
  });

  it('is replaced by the older one when the tag contained its import, and is moved back', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await push.run();
    await push.move();
    expect(await states(shop, push)).toEqual(['/shop/A in_sync none equal']);

    const { timestamp } = push.tag;
    await shop.organization.owner.patch(push.tag.url, { timestamp });
    expect(await push.ended()).toMatchObject({ state: 'success' });

    expect(await shop.texts()).toEqual({ '/shop/A': 'ours' });
  });

  it('is recorded without another changeset if the value has it already', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await shop.set('A', 'theirs');

    expect(await push.run()).toMatchObject({ state: 'success' });

    expect(await states(shop, push)).toEqual(['/shop/A in_sync none imported']);
    expect(await listImports(shop)).toEqual([]);
  });

  it('is stored together with the record of its key, or not at all', async () => {
    const { shop, push } = await importing({ A: 'ours' });
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

  it('waits for the end of a maintenance that begins while the run imports', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const setMaintenance = (maintenance: boolean) =>
      query(at.core, 'update organization set maintenance = $2 where id = $1', [shop.organization.id, maintenance]);
    beforeImport('/shop/A', async () => {
      at.aws.interfere(() => null);
      await setMaintenance(true);
      return null;
    });
    await shop.organization.owner.post(`${push.push.url}sync/`);

    const first = await push.untilLatest(({ error_code: code }) => code !== null);
    expect(first).toMatchObject({ state: 'queued', error_code: 'maintenance' });

    await setMaintenance(false);
    await push.run();
    expect((await shop.organization.owner.get(first.url)).body).toMatchObject({ state: 'success' });
    expect([(await listImports(shop)).length, await readText(shop, 'A')]).toEqual([1, 'theirs']);
  });

  it('is the last one that a run tries if the store fails', async () => {
    const { shop, push } = await importing({ A: 'ours', B: 'ours' });
    for (const name of ['A', 'B']) await shop.writeElsewhere(`/shop/${name}`, 'theirs');
    at.aws.clear();
    beforeImport('/shop/A', (attempt) => (attempt <= SENDS ? FAULT : null));

    expect(await push.run()).toMatchObject({ state: 'success' });

    const reads = at.aws.calls().filter(({ operation }) => operation === 'GetSecretValue');
    const plan = ['/shop/A', '/shop/B'];
    expect(reads.map(({ input }) => input.SecretId)).toEqual([
      ...plan,
      ...Array.from({ length: SENDS }, () => '/shop/A'),
      ...plan,
      ...['/shop/A', '/shop/B'],
    ]);
  });

  it('is in no response, message or record except the value', async () => {
    const { shop, push } = await importing({ A: 'ours' });
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
    const { shop, push } = await importing({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');

    await shop.organization.owner.post(`${push.push.url}run/`, { dry_run: true });
    expect(await push.ended()).toMatchObject({ state: 'success', dry_run: true });

    expect(await push.steps()).toMatchObject([{ operation: 'read', success: true, summary: 'Planned: import.' }]);
    expect(await states(shop, push)).toEqual(['/shop/A drifted import changed_elsewhere']);
    expect(await readText(shop, 'A')).toBe('ours');
  });
});

suite(`a text that is not imported (${standIn})`, () => {
  /** Runs the push, and returns the only drifted key. Nothing was imported or overwritten. */
  const runBlocked = async (shop: PushedShop, push: FinishedPush) => {
    const texts = await shop.texts();
    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    expect(await shop.texts()).toEqual(texts);
    expect(await listImports(shop)).toEqual([]);
    const drifted = (await listKeys(shop, push)).filter(({ state }) => state === 'drifted');
    expect(drifted).toHaveLength(1);
    const failed = (await push.steps()).filter(({ success }) => !success);
    expect(failed).toMatchObject([{ error_code: 'key_drifted', error_detail: drifted[0]?.detail ?? null }]);
    return drifted[0];
  };

  it('conflicts with a change in Strata: neither is overwritten', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    await shop.set('A', 'newer');

    expect(await runBlocked(shop, push)).toMatchObject({
      reason: 'not_importable',
      detail: 'The value has changed in Strata since the push wrote it. Decide which text applies.',
      decisions: ['overwrite', 'leave'],
    });
    await push.move();
    expect(await runBlocked(shop, push)).toMatchObject({ reason: 'changed_on_both_sides' });
    expect(await readText(shop, 'A')).toBe('newer');
  });

  it('is one of several stores that disagree: the first text is imported, and a person decides about the other', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    const other = PushedShop.of(awsTarget(at.aws, 'ssm'), shop.organization, shop.integration, shop.project);
    const second = await shop.push({ ...awsTarget(at.aws, 'ssm').push, name: 'to the other store' });
    await setPolicy(shop, second, { drift: 'import' });
    await shop.writeElsewhere('/shop/A', 'first');
    await other.writeElsewhere('/shop/A', 'second');

    expect(await push.run()).toMatchObject({ state: 'success' });
    for (let round = 0; round < 2; round += 1) {
      expect(await second.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
      expect(await push.run()).toMatchObject({ state: 'success' });
      await second.move();
      await push.move();
    }

    expect([await shop.texts(), await other.texts()]).toEqual([{ '/shop/A': 'first' }, { '/shop/A': 'second' }]);
    expect(await readText(shop, 'A')).toBe('first');
    expect(await listImports(shop)).toHaveLength(1);
  });

  it('does not replace a value that applies elsewhere, or that is made of others', async () => {
    const shop = await at.shop({ OWN: 'ours' });
    const { organization, project } = shop;
    const [production, base] = [
      await organization.environmentNamed('production'),
      await organization.environmentNamed('default'),
    ];
    const library = await organization.project({ name: 'library' });
    await organization.owner.patch(project.url, { depends_on: library.url });
    const create = async (name: string, environment: typeof base, input: object, of = project) => {
      const parameter = await organization.parameter({ project: of, name });
      await organization.value({ parameter, environment, ...input });
    };
    await create('TEXT', production, { internal_value: 'ours' });
    await create('DYNAMIC', production, { internal_value: '{{ TEXT }}', interpolated: true });
    await create('INHERITED', base, { internal_value: 'ours' });
    await create('SHARED', production, { internal_value: 'ours' }, library);
    const push = await shop.push();
    await setPolicy(shop, push, { drift: 'import' });
    for (const name of ['DYNAMIC', 'INHERITED', 'SHARED']) await shop.writeElsewhere(`/shop/${name}`, 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    expect((await listKeys(shop, push)).filter(({ state }) => state === 'drifted')).toMatchObject([
      { key: '/shop/DYNAMIC', reason: 'not_importable', detail: expect.stringContaining('The value is dynamic.') },
      { key: '/shop/INHERITED', reason: 'not_importable', detail: expect.stringContaining('inherits the value') },
      { key: '/shop/SHARED', reason: 'not_importable', detail: expect.stringContaining('another project') },
    ]);
    expect(await listImports(shop)).toEqual([]);
  });

  it('does not replace a value whose rotation was created while the import waited for other writes', async () => {
    const { shop, push } = await importing({ A: 'ours' });
    const { id: organizationId } = shop.organization;
    await shop.writeElsewhere('/shop/A', 'theirs');
    const { promise: head, resolve: locked } = Promise.withResolvers<LockedHead>();
    beforeImport('/shop/A', async () => {
      at.aws.interfere(() => null);
      locked(await lockOrganizationHead(at.core, organizationId));
      return null;
    });
    await shop.organization.owner.post(`${push.push.url}sync/`);
    await (await head).waiting(1);
    const environment = await shop.organization.environmentNamed('production');
    await query(
      at.core,
      `insert into rotation (organization_id, id, name, parameter_id, environment_id, rotator, settings, grace_seconds, silent,
                             silent_after_seconds, stage_since, created_at, modified_at)
       values ($1, gen_random_uuid(), 'rotation', $2, $3, 'command', '{}', 0, 'wait', 0, now(), now(), now())`,
      [organizationId, shop.parameter('A').id, environment.id],
    );
    await (await head).release();

    expect(await push.ended()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    expect(await listKeys(shop, push)).toMatchObject([{ detail: 'A rotation writes the value.' }]);
    expect(await readText(shop, 'A')).toBe('ours');
  });

  it('is rejected by the type, a rule, or a text that refers to the parameter', async () => {
    const shop = await at.shop({ SECRET: '1234' });
    const { organization, project } = shop;
    const environment = await organization.environmentNamed('production');
    const rule = { type: 'max_len', constraint: '4' };
    expect((await organization.owner.post(`${shop.parameter('SECRET').url}rules/`, rule)).status).toBe(201);
    const port = await organization.parameter({ project, name: 'PORT', type: 'integer' });
    await organization.value({ parameter: port, environment, internal_value: '80' });
    const base = await organization.parameter({ project, name: 'BASE' });
    await organization.value({ parameter: base, environment, internal_value: '1' });
    const sum = await organization.parameter({ project, name: 'SUM', type: 'integer' });
    await organization.value({ parameter: sum, environment, internal_value: '{{ BASE }}', interpolated: true });
    const push = await shop.push();
    await setPolicy(shop, push, { drift: 'import' });
    await shop.writeElsewhere('/shop/BASE', 'one');
    await shop.writeElsewhere('/shop/PORT', 'eighty');
    await shop.writeElsewhere('/shop/SECRET', 'longer');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    const [dependedOn, first, second] = await listKeys(shop, push);
    expect(dependedOn).toMatchObject({
      key: '/shop/BASE',
      detail: 'A text that refers to the parameter does not accept the text of the store.',
    });
    expect(first).toMatchObject({ key: '/shop/PORT', state: 'drifted', action: 'none', reason: 'not_importable' });
    expect(first?.detail).toMatch(/^The value does not accept the text\. .*integer/);
    expect(second).toMatchObject({ key: '/shop/SECRET', detail: 'The value does not accept the text.' });
    await shop.writeElsewhere('/shop/BASE', '2');
    await shop.writeElsewhere('/shop/PORT', '81');
    await shop.writeElsewhere('/shop/SECRET', '5678');
    expect(await push.run()).toMatchObject({ state: 'success' });
    expect(await readText(shop, 'SECRET')).toBe('5678');
  });

  it('is foreign', async () => {
    const shop = await at.shop({ A: 'ours', B: 'ours' });
    await shop.writeElsewhere('/shop/A', 'theirs');
    const push = await shop.push();
    await setPolicy(shop, push, { drift: 'import' });

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'foreign_keys' });

    expect(await listImports(shop)).toEqual([]);
    expect(await readText(shop, 'A')).toBe('ours');
  });

  it('was encrypted by another program although its parameter is not secret', async () => {
    const shop = await at.shop({}, 'ssm');
    const { organization, project } = shop;
    const parameter = await organization.parameter({ project, name: 'PLAIN' });
    const environment = await organization.environmentNamed('production');
    await organization.value({ parameter, environment, internal_value: 'ours' });
    const push = await shop.push();
    await setPolicy(shop, push, { drift: 'import' });
    const store = await shop.store();
    await store.encrypt?.({ key: '/shop/PLAIN', text: 'hidden', isSecret: true, owner: push.push.id });
    store.close();

    expect(await runBlocked(shop, push)).toMatchObject({
      reason: 'not_importable',
      detail: 'The store encrypts the text, and the parameter is not secret. Use a secret parameter.',
    });
  });
});

suite(`the policy to import drift (${standIn})`, () => {
  it('requires the rights to manage integrations and to reveal secrets', async () => {
    const { shop, push } = await importing({ A: 'ours' });
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
