import { beforeImport, importing, listImports, readText, setPolicy } from '../../../testing/drift-imports.ts';
import { type LockedHead, lockOrganizationHead } from '../../../testing/locked-head.ts';
import { type FinishedPush, PushedShop, setUpAws } from '../../../testing/push-fixture.ts';
import { awsTarget } from '../../../testing/push-targets.ts';
import { query } from '../../../testing/query.ts';

const { at, suite, standIn } = await setUpAws();

suite(`a text that is not imported (${standIn})`, () => {
  /** Runs the push, and returns the only drifted key. Nothing was imported or overwritten. */
  const runBlocked = async (shop: PushedShop, push: FinishedPush) => {
    const texts = await shop.texts();
    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });
    expect(await shop.texts()).toEqual(texts);
    expect(await listImports(shop)).toEqual([]);
    const drifted = (await push.keys()).filter(({ state }) => state === 'drifted');
    expect(drifted).toHaveLength(1);
    const failed = (await push.steps()).filter(({ success }) => !success);
    expect(failed).toMatchObject([{ error_code: 'key_drifted', error_detail: drifted[0]?.detail ?? null }]);
    return drifted[0];
  };

  it('does not delay a text that can be imported', async () => {
    const { shop, push } = await importing(at, { A: 'ours', B: 'ours' });
    const rule = { type: 'max_len', constraint: '4' };
    await shop.organization.owner.post(`${shop.parameter('A').url}rules/`, rule);
    for (const name of ['A', 'B']) await shop.writeElsewhere(`/shop/${name}`, 'theirs');

    expect(await push.run()).toMatchObject({ state: 'failure', error_code: 'drifted_keys' });

    expect([await readText(shop, 'A'), await readText(shop, 'B')]).toEqual(['ours', 'theirs']);
  });

  it('conflicts with a change in Strata: neither is overwritten', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
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
    const { shop, push } = await importing(at, { A: 'ours' });
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

    expect((await push.keys()).filter(({ state }) => state === 'drifted')).toMatchObject([
      { key: '/shop/DYNAMIC', reason: 'not_importable', detail: expect.stringContaining('The value is dynamic.') },
      { key: '/shop/INHERITED', reason: 'not_importable', detail: expect.stringContaining('inherits the value') },
      { key: '/shop/SHARED', reason: 'not_importable', detail: expect.stringContaining('another project') },
    ]);
    expect(await listImports(shop)).toEqual([]);
  });

  it('does not replace a value whose rotation was created while the import waited for other writes', async () => {
    const { shop, push } = await importing(at, { A: 'ours' });
    const { id: organizationId } = shop.organization;
    await shop.writeElsewhere('/shop/A', 'theirs');
    const { promise: head, resolve: locked } = Promise.withResolvers<LockedHead>();
    beforeImport(at, '/shop/A', async () => {
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
    expect(await push.keys()).toMatchObject([{ detail: 'A rotation writes the value.' }]);
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

    const [dependedOn, first, second] = await push.keys();
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
