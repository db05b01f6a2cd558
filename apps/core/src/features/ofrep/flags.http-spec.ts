import type { FlagEvaluation } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { FlagClient, flagsBase } from '../../testing/flags.ts';
import { createTypeBelow } from '../../testing/types.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Creates a project that depends on `base`, and the environment `staging`. */
async function shop() {
  const organization = await core.organization();
  const staging = await organization.environmentNamed('staging');
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'web shop', depends_on: base.url });
  const parameter = (name: string, input: object = {}) => organization.parameter({ project, name, ...input });
  const flags = new FlagClient(organization.as('VIEWER'), flagsBase(project.name, 'staging'));
  return { organization, owner: organization.owner, staging, base, project, parameter, flags };
}

interface RevealLog {
  readonly results: readonly { readonly user: { readonly role: string } }[];
}

const listKeys = (flags: readonly FlagEvaluation[]) => flags.map(({ key }) => key);

describe('flags', () => {
  it('are the parameters of the project with values of their types, and where each value is set', async () => {
    const { organization, staging, base, project, parameter, flags } = await shop();
    const percent = await createTypeBelow(organization, 'integer', 'percent');
    const switched = await createTypeBelow(organization, 'boolean', 'switch');
    const title = await organization.parameter({ project: base, name: 'title' });
    const rollout = await parameter('rollout', { type: percent.name });
    const enabled = await parameter('checkout.enabled', { type: switched.name });
    await organization.value({ parameter: title, internal_value: '42' });
    await organization.value({ parameter: rollout, environment: staging, internal_value: '25' });
    await organization.value({ parameter: enabled, environment: staging, internal_value: 'Yes' });
    const { body, status, headers } = await flags.all();

    expect(status).toBe(200);
    expect(headers['x-revision']).toMatch(/^\d+$/);
    expect(body.metadata).toEqual({
      ...{ project_id: project.id, project_name: 'web shop' },
      ...{ environment_id: staging.id, environment_name: 'staging' },
    });
    const where = { dynamic: false, source_project_name: 'web shop', source_environment_name: 'staging' };
    const set = { reason: 'STATIC', variant: 'staging' };
    expect(body.flags).toEqual([
      { key: 'checkout.enabled', value: true, ...set, metadata: { parameter_id: enabled.id, ...where } },
      { key: 'rollout', value: 25, ...set, metadata: { parameter_id: rollout.id, ...where } },
      {
        ...{ key: 'title', value: '42', reason: 'STATIC', variant: 'default' },
        metadata: {
          ...{ parameter_id: title.id, dynamic: false },
          ...{ source_project_name: 'base', source_environment_name: 'default' },
        },
      },
    ]);
    for (const flag of body.flags) expect((await flags.evaluate(flag.key)).body).toEqual(flag);
  });

  it('have the value of their new type after a type gets another parent', async () => {
    const { organization, owner, parameter, flags } = await shop();
    const type = await createTypeBelow(organization, 'string', 'count');
    await organization.value({ parameter: await parameter('n', { type: 'count' }), internal_value: '7' });
    expect((await flags.byKey()).n).toMatchObject({ value: '7' });
    const { results } = (await owner.get<{ results: { url: string }[] }>('types/?name=integer')).body;
    expect((await owner.patch(type.url, { parent: results[0]?.url })).status).toBe(200);
    expect((await flags.byKey()).n).toMatchObject({ value: 7 });
  });

  it('without a value leave the default to the code', async () => {
    const { organization, parameter, flags } = await shop();
    const unset = await parameter('unset');
    const empty = await parameter('empty');
    await organization.value({ parameter: empty, internal_value: null });
    const expected = (key: string, { id }: { readonly id: string }) => ({
      ...{ key, reason: 'DEFAULT', metadata: { parameter_id: id } },
    });
    expect((await flags.all()).body.flags).toEqual([expected('empty', empty), expected('unset', unset)]);
    expect(await flags.evaluate('unset')).toMatchObject({ status: 200, body: expected('unset', unset) });
  });

  it('are addressed by names or ids, with and without a final slash', async () => {
    const { owner, organization, parameter, project, staging } = await shop();
    await organization.value({ parameter: await parameter('a/b ü') });
    for (const [p, e] of [
      [project.name, staging.name],
      [project.id, staging.id.toUpperCase()],
    ] as const) {
      const flags = new FlagClient(owner, flagsBase(p, e));
      expect(listKeys((await flags.all()).body.flags)).toEqual(['a/b ü']);
      expect(await flags.evaluate('a/b ü')).toMatchObject({ status: 200, body: { value: 'a value' } });
      expect((await owner.post(`${flagsBase(p, e)}/ofrep/v1/evaluate/flags/`, {})).status).toBe(200);
      expect(
        (await owner.post(`${flagsBase(p, e)}/ofrep/v1/evaluate/flags/${encodeURIComponent('a/b ü')}/`)).status,
      ).toBe(200);
    }
  });

  it('are never secrets, also for an OWNER: neither secret parameters nor values that depend on them', async () => {
    const { organization, owner, base, project, parameter } = await shop();
    const secret = await organization.parameter({ project: base, name: 'password', secret: true });
    await organization.value({ parameter: secret, internal_value: 'hush' });
    const dynamic = { internal_value: 'pw {{ password }}', interpolated: true };
    await organization.value({ parameter: await parameter('link'), ...dynamic });
    const second = { internal_value: 'see {{ link }}', interpolated: true };
    await organization.value({ parameter: await parameter('link of link'), ...second }).catch(() => undefined);
    await organization.value({ parameter: await parameter('open'), internal_value: 'shown' });
    const flags = new FlagClient(owner, flagsBase(project.id, 'default'));
    const { body, text } = await flags.all();
    expect(listKeys(body.flags)).toContain('open');
    expect(listKeys(body.flags)).not.toContain('password');
    expect(listKeys(body.flags)).not.toContain('link');
    expect(text).not.toMatch(/hush|\*\*\*\*\*/);
    for (const key of ['password', 'link']) {
      expect(await flags.evaluate(key)).toMatchObject({ status: 404, body: { key, errorCode: 'FLAG_NOT_FOUND' } });
    }
    // nothing is decrypted for flags: the access log gets no entry of the ADMIN, who reads them before the CONTRIB
    // reveals the secrets
    const admin = new FlagClient(organization.as('ADMIN'), flagsBase(project.id, 'default'));
    await admin.all();
    await admin.evaluate('link');
    await organization.as('CONTRIB').get(`${project.url}effective/`);
    const log = async () => {
      const { results } = (await owner.get<RevealLog>('audit/?access_log=true&action=reveal')).body;
      return results.map(({ user }) => user.role);
    };
    const roles = await waitUntil(log, (loggedRoles) => loggedRoles.includes('CONTRIB'));
    expect(roles).not.toContain('ADMIN');
  });

  it('that cannot be evaluated are entries with the reason, and do not affect others', async () => {
    const { organization, owner, parameter, flags } = await shop();
    const long = await organization.value({ parameter: await parameter('long'), internal_value: '1' });
    const repeated = { internal_value: '{{ long }}'.repeat(17), interpolated: true };
    await organization.value({ parameter: await parameter('repeated'), ...repeated });
    const huge = await parameter('huge', { type: 'integer' });
    await organization.value({ parameter: huge, internal_value: '9'.repeat(20) });
    expect((await flags.byKey()).repeated).toMatchObject({ value: '1'.repeat(17), metadata: { dynamic: true } });

    expect((await owner.patch(long.url, { internal_value: 'x'.repeat(65_000) })).status).toBe(200);
    const flagsByKey = await flags.byKey();
    expect(flagsByKey.long).toMatchObject({ value: 'x'.repeat(65_000) });
    expect(flagsByKey.huge).toMatchObject({
      errorCode: 'PARSE_ERROR',
      errorDetails: expect.stringContaining('too large'),
    });
    expect(flagsByKey.repeated).toMatchObject({ errorCode: 'GENERAL', errorDetails: expect.any(String) });
    for (const [key, code] of [
      ['huge', 'not_of_type'],
      ['repeated', 'evaluation_failed'],
    ] as const) {
      const { status, headers, body } = await flags.evaluate(key);
      const { errorCode, errorDetails } = flagsByKey[key] ?? {};
      expect([status, headers['x-error-code']]).toEqual([400, code]);
      expect(body).toEqual({ detail: errorDetails, key, errorCode, errorDetails });
    }
  });
});

describe('the tag of all flags', () => {
  it('answers 304 until a flag changes, whatever else the organization writes', async () => {
    const { organization, owner, parameter, flags } = await shop();
    const value = await organization.value({ parameter: await parameter('a'), internal_value: '1' });
    const dynamic = { internal_value: 'a is {{ a }}', interpolated: true };
    await organization.value({ parameter: await parameter('b'), ...dynamic });
    const first = await flags.all();
    const tag = { 'if-none-match': first.headers.etag ?? '' };
    expect(await flags.all(tag)).toMatchObject({ status: 304, text: '' });

    await organization.value();
    const second = await flags.all(tag);
    expect(second).toMatchObject({ status: 304, headers: { etag: first.headers.etag } });
    expect(Number(second.headers['x-revision'])).toBeGreaterThan(Number(first.headers['x-revision']));
    expect((await flags.all()).body).toEqual(first.body);

    await owner.patch(value.url, { internal_value: '2' });
    const third = await flags.all(tag);
    expect(third.status).toBe(200);
    expect(third.headers.etag).not.toBe(first.headers.etag);
    expect(third.body.flags.map((flag) => flag.value)).toEqual(['2', 'a is 2']);
  });
});

describe('requests of flags are rejected in the shape of the protocol', () => {
  it('without a credential, with a wrong one, and for another organization', async () => {
    const { project } = await shop();
    const otherOrganization = await core.organization();
    for (const [authorization, status] of [
      [null, 401],
      ['Api-Key abcdefgh.wrong', 403],
      [otherOrganization.ownerAuthorization, 404],
    ] as const) {
      const flags = new FlagClient(new RawClient(core.origin, authorization), flagsBase(project.id, 'default'));
      expect(await flags.all()).toMatchObject({ status, body: { errorCode: 'GENERAL' } });
      const code = status === 404 ? 'FLAG_NOT_FOUND' : 'GENERAL';
      expect(await flags.evaluate('x')).toMatchObject({ status, body: { key: 'x', errorCode: code } });
    }
  });

  it('for a restricted project or environment, by name and by id, before a flag is looked up', async () => {
    const { organization, owner, project, staging } = await shop();
    const closed = await organization.project({ name: 'closed' });
    await owner.patch(closed.url, { access_controlled: true });
    await owner.patch(staging.url, { access_controlled: true });
    const viewer = organization.as('VIEWER');
    for (const [p, e] of [
      [closed.name, 'default'],
      [closed.id, 'default'],
      [project.name, 'staging'],
      [project.id, staging.id],
    ] as const) {
      const flags = new FlagClient(viewer, flagsBase(p, e));
      expect(await flags.all()).toMatchObject({ status: 403, body: { errorCode: 'GENERAL' } });
      expect((await flags.evaluate('missing')).status).toBe(403);
    }
    expect((await new FlagClient(owner, flagsBase('closed', 'staging')).all()).status).toBe(200);
  });

  it('for an unknown project, environment or flag', async () => {
    const { owner, project } = await shop();
    for (const base of [flagsBase('missing', 'default'), flagsBase(project.name, 'missing')]) {
      const flags = new FlagClient(owner, base);
      expect(await flags.all()).toMatchObject({ status: 404, body: { errorCode: 'GENERAL' } });
      expect(await flags.evaluate('x')).toMatchObject({ status: 404, body: { errorCode: 'FLAG_NOT_FOUND' } });
    }
    const { status, body } = await new FlagClient(owner, flagsBase(project.name, 'default')).evaluate('missing');
    expect([status, body.errorCode]).toEqual([404, 'FLAG_NOT_FOUND']);
  });

  it.each([
    ['no JSON', '{', 'PARSE_ERROR'],
    ['a list', '[]', 'PARSE_ERROR'],
    ['a context that is no object', '{"context":7}', 'INVALID_CONTEXT'],
    ['a context that is null', '{"context":null}', 'INVALID_CONTEXT'],
  ])('with a body that is %s', async (_, body, errorCode) => {
    const { flags } = await shop();
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect(await flags.all(json, body)).toMatchObject({ status: 400, body: { errorCode } });
    expect(await flags.evaluate('x', body, json)).toMatchObject({ status: 400, body: { key: 'x', errorCode } });
  });

  it('but any context is accepted, and ignored', async () => {
    const { organization, parameter, flags } = await shop();
    await organization.value({ parameter: await parameter('a') });
    const context = { targetingKey: 'user-1', plan: { name: 'free' }, list: [1, null, true] };
    expect(await flags.evaluate('a', { context, more: 1 })).toMatchObject({ status: 200, body: { value: 'a value' } });
    expect((await flags.all({}, { context })).text).toBe((await flags.all()).text);
  });
});
