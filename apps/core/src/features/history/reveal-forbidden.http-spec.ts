import { randomUUID } from 'node:crypto';
import type {
  CallerAbilities,
  Membership,
  Parameter,
  Project,
  ServiceAccount,
  ServiceAccountCreated,
  Tag,
  Template,
  Value,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { FlagClient, flagsBase } from '../../testing/flags.ts';
import { findLeaks } from '../../testing/forbidden-content.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { createPerson, type Person } from '../../testing/people.ts';
import { latestRevision, revertChanges, set } from '../../testing/reverts.ts';
import { waitUntil } from '../../testing/until.ts';

const CANARY = 'canary-7f3a';

let core: RunningCore;
let organization: TestOrganization;
let project: Project;
let token: Parameter;
let value: Value;
/** The source of a dynamic text that contains the secret. */
let link: Value;
let template: Template;
/** May write and read everything, but not reveal secrets. */
let caller: Person;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
  project = await organization.project({ name: 'shop' });
  token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  value = await organization.value({ parameter: token, internal_value: CANARY });
  const url = await organization.parameter({ project, name: 'LINK' });
  link = await organization.value({ parameter: url, internal_value: 'x-{{ TOKEN }}', interpolated: true });
  const file = { name: 'file', body: 'file {{ TOKEN }}' };
  template = (await organization.owner.post<Template>(`${project.url}templates/`, file)).body;
  caller = await withoutReveal('ADMIN');
});

const allow = (holder: Person, reveals: boolean) =>
  organization.owner.patch<Membership>(`memberships/${holder.membershipId}/`, { reveals_secrets: reveals });

async function withoutReveal(role: Role): Promise<Person> {
  const holder = await createPerson(core, organization.id, role);
  expect((await allow(holder, false)).body.reveals_secrets).toBe(false);
  return holder;
}

const expectForbidden = (response: Reply) => {
  expect(response.text).not.toContain(CANARY);
  expect(response).toMatchObject({ status: 403, headers: { 'x-error-code': 'reveal_forbidden' } });
};

const rule = (constraint: string) => ({ type: 'regex', constraint });
const withMask = (path: string) => `${path}${path.includes('?') ? '&' : '?'}mask_secrets=true`;

/** Every read that shows the text of a secret. */
const READS: readonly [string, () => string][] = [
  ['a value', () => value.url],
  ['a dynamic value that refers to a secret', () => link.url],
  ['the values of a parameter', () => `${token.url}values/`],
  ['a parameter', () => token.url],
  ['a list of parameters', () => `${project.url}parameters/`],
  ['the effective configuration', () => `${project.url}effective/`],
  ['one name of the effective configuration', () => `${project.url}effective/?name=TOKEN`],
  ['the effective configuration at a revision', () => `${project.url}effective/?as_of=9999-01-01T00:00:00Z`],
  ['several effective configurations', () => 'effective/?project=shop&environment=default'],
  ['a digest of secrets', () => 'effective/?project=shop&environment=default&include=value_id'],
  ['an export', () => `${project.url}parameter-export/?output=dotenv`],
  ['an explanation', () => `${project.url}explain/?name=TOKEN`],
  ['an evaluated template', () => `${template.url}?environment=default&evaluate=true`],
];

/** Returns every path and query of the API whose response shows the secret to the client. */
async function pathsThatShow(client: RawClient, queries: number): Promise<readonly string[]> {
  const environment = await organization.environmentNamed('default');
  const tag = (await organization.owner.post<Tag>(`${environment.url}tags/`, { name: `tag-${randomUUID()}` })).body;
  const ids = {
    ...{ projects: [project.id], environments: [environment.id], parameters: [token.id], values: [value.id] },
    ...{ templates: [template.id], tags: [tag.id] },
  };
  return findLeaks(client, { ids, hidden: [CANARY], tag }, queries);
}

describe('a caller who may not reveal secrets', () => {
  it('is shown one by no path and no query', async () => {
    expect(await pathsThatShow(caller.client, 3)).toEqual([]);
    expect((await pathsThatShow(organization.owner, 1)).length).toBeGreaterThan(5);
  });

  it.each(READS)('gets 403 for %s, for HEAD too, and masks on request', async (_, path) => {
    const response = await caller.client.get(path());
    expectForbidden(response);
    expect((response.body as { detail: string }).detail).toContain('mask_secrets=true');
    const masked = await caller.client.get(withMask(path()));
    expect(masked.status).toBe(200);
    expect(masked.text).not.toContain(CANARY);
    expect((await organization.owner.get(path())).status).toBe(200);
    expect((await organization.owner.send('HEAD', path())).status).toBe(200);
    expect(await caller.client.send('HEAD', path())).toMatchObject({ status: 403 });
  });

  it.each<[string, () => string]>([
    ['the matrix', () => `${project.url}matrix/?environments=default`],
    ['lint', () => 'lint/?project=shop'],
    ['the search', () => `search/?q=${CANARY}`],
    ['the timeline', () => `${project.url}parameters/${token.id}/timeline/`],
    ['a template as it is written', () => `${template.url}?evaluate=false`],
    ['parameters without secrets', () => `${project.url}parameters/?name=NONE`],
  ])('gets %s, which shows no secret', async (_, path) => {
    const response = await caller.client.get(path());
    expect(response.status).toBe(200);
    // the search repeats nothing of the query, and finds no text of a secret
    expect(response.text).not.toContain(CANARY);
  });

  it('gets flags, which are never secrets', async () => {
    const { status, body } = await new FlagClient(caller.client, flagsBase('shop', 'default')).all();
    expect([status, body.flags]).toEqual([200, []]);
  });

  it.each<[string, () => Promise<Reply>]>([
    ['a preview', () => caller.client.post(`${project.url}template-preview/`, { body: '{{ TOKEN }}' })],
    [
      'a masked preview, whose success depends on the secret',
      () => caller.client.post(`${project.url}template-preview/?mask_secrets=true`, { body: '{{ TOKEN }}' }),
    ],
    ['a backup', () => caller.client.post('backup/snapshot/', {})],
    ['a write whose response would show it', () => caller.client.patch(value.url, {})],
    ['a write to its parameter', () => caller.client.patch(token.url, { description: 'new' })],
    ['a rule that it violates', () => caller.client.post(`${token.url}rules/`, rule('x.*'))],
    ['a rule that it satisfies', () => caller.client.post(`${token.url}rules/`, rule('c.*'))],
    ['another type', () => caller.client.patch(withMask(token.url), { type: 'integer' })],
    [
      'a dynamic value that refers to it',
      async () => {
        const port = await organization.parameter({ project, name: 'PORT' });
        const input = { environment: value.environment, internal_value: '{{ TOKEN }}', interpolated: true };
        return caller.client.post(`${port.url}values/`, input);
      },
    ],
    [
      'an import preview that compares it',
      () =>
        caller.client.post('import/?preview=true', {
          project: 'shop',
          environment: 'default',
          body: `TOKEN=${CANARY.slice(1)}`,
          secrets: [],
          ignore: [],
        }),
    ],
  ])('gets 403 for %s, and nothing is written', async (_, send) => {
    const port = async () => (await organization.owner.get(`${project.url}parameters/?name=PORT`)).text;
    await port();
    const before = (await organization.owner.get<Parameter>(token.url)).body;
    expectForbidden(await send());
    expect((await organization.owner.get<Parameter>(token.url)).body).toEqual(before);
  });

  it('gets 403 for each request of a batch that would show one', async () => {
    const path = (url: string) => ({ path: new URL(url).pathname.replace('/api/v1/', '') });
    const response = await caller.client.post('batch/', { requests: [path(value.url), path(project.url)] });
    expect(response.text).not.toContain(CANARY);
    expect(response.text).toContain('reveal_forbidden');
  });

  it('gets 403 for a changeset that validates one, whose other operations fail anyway', async () => {
    const operation = {
      operation: 'projects_parameters_rules_create',
      path: { project_pk: project.id, parameter_pk: token.id },
      body: rule('c.*'),
    };
    const send = (constraint: string) => {
      const operations = [
        { ...operation, body: rule(constraint) },
        { operation: 'projects_create', body: { name: 'shop' } },
      ];
      return caller.client.post('changesets/', { operations });
    };
    const [right, wrong] = [await send('c.*'), await send('x.*')];
    const comparable = ({ status, body }: Reply) => JSON.stringify([status, body]);
    expect(comparable(right)).toBe(comparable(wrong));
    expect(right.text).toContain('reveal_forbidden');
  });

  it('cannot restore one with a revert, or copy one to another parameter', async () => {
    await organization.owner.patch(value.url, { internal_value: 'next' });
    const revert = await revertChanges(caller.client, await latestRevision(organization));
    expect(revert.text).not.toContain(CANARY);
    expect(revert.status).toBe(403);
    const copied = await caller.client.post('changesets/', {
      operations: [set('shop', { TOKEN: { from: { environment: 'default' }, secret: false } }, 'staging')],
    });
    expect(copied.text).not.toContain(CANARY);
    expect(copied.status).toBeGreaterThanOrEqual(400);
  });

  it('learns nothing from a write that guesses it: equal and different texts have the same result', async () => {
    const guess = async (text: string) => {
      const { status, body } = await caller.client.post('changesets/', { operations: [set('shop', { TOKEN: text })] });
      return [status, (body as { url: unknown }).url !== null];
    };
    expect(await guess(CANARY)).toEqual(await guess('other'));
  });

  it('writes a secret and gets the text that they have sent', async () => {
    const changeResponse = await caller.client.patch<Value>(value.url, { internal_value: 'mine' });
    expect(changeResponse).toMatchObject({ status: 200, body: { value: 'mine' } });
    const otherParameter = await organization.parameter({ project, name: 'KEY', secret: true });
    const input = { environment: value.environment, internal_value: 'also mine' };
    expect(await caller.client.post(`${otherParameter.url}values/`, input)).toMatchObject({
      status: 201,
      body: { value: 'also mine' },
    });
    expect((await caller.client.patch(withMask(token.url), { description: 'new' })).status).toBe(200);
  });
});

describe('the ability to reveal secrets', () => {
  it('is checked again once a queued write has the lock', async () => {
    const contributor = await createPerson(core, organization.id, 'CONTRIB');
    const key = await organization.parameter({ project, name: 'KEY', secret: true });
    const keyValue = await organization.value({ parameter: key, internal_value: CANARY });
    expect((await contributor.client.get(value.url)).status).toBe(200);
    const lock = await lockOrganizationHead(core, organization.id);
    const removed = allow(contributor, false);
    await lock.waiting(1);
    const late = contributor.client.post(`${token.url}rules/`, rule('c.*'));
    // These two run in one set. The response would show the stored texts.
    const unchanged = [value.url, keyValue.url].map((url) => contributor.client.patch(url, {}));
    await lock.arrival();
    await lock.release();
    expect((await removed).status).toBe(200);
    expectForbidden(await late);
    for (const response of await Promise.all(unchanged)) expectForbidden(response);
  });

  it('ends at once for stored responses and their entity tags, and comes back', async () => {
    const viewer = await createPerson(core, organization.id, 'VIEWER');
    const path = `${project.url}effective/`;
    const { headers } = await viewer.client.get(path);
    const ifNoneMatch = { 'if-none-match': headers.etag ?? '' };
    expect((await viewer.client.get(path, ifNoneMatch)).status).toBe(304);
    await allow(viewer, false);
    expectForbidden(await viewer.client.get(path, ifNoneMatch));
    await allow(viewer, true);
    expect((await viewer.client.get(path)).status).toBe(200);
  });

  it('can only be given by a member who has it, to a member and to a service account', async () => {
    const { owner } = organization;
    const withoutAbility = await withoutReveal('VIEWER');
    const account = await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci' });
    expect(account.body.reveals_secrets).toBe(true);
    await owner.patch(account.body.url, { reveals_secrets: false });
    for (const response of [
      await caller.client.patch(`memberships/${withoutAbility.membershipId}/`, { reveals_secrets: true }),
      await caller.client.patch(`memberships/${caller.membershipId}/`, { reveals_secrets: true }),
      await caller.client.patch(account.body.url, { reveals_secrets: true }),
      await caller.client.post('serviceaccounts/', { name: 'new', reveals_secrets: true }),
    ]) {
      expect(response.status).toBe(403);
    }
    const createdAccount = await caller.client.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'new',
      role: 'VIEWER',
    });
    expect(createdAccount.body.reveals_secrets).toBe(false);
    expect((await owner.get<ServiceAccount>(createdAccount.body.url)).body.reveals_secrets).toBe(false);
    expectForbidden(await new RawClient(core.origin, `Api-Key ${createdAccount.body.apikey}`).get(value.url));
    const restored = await owner.patch<ServiceAccount>(createdAccount.body.url, { reveals_secrets: true });
    expect(restored.body.reveals_secrets).toBe(true);
    expect((await caller.client.post(`${createdAccount.body.url}rekey/`, {})).status).toBe(403);
  });

  it('is recorded in the audit, and listed among the own abilities', async () => {
    const reads = async () => (await caller.client.get<CallerAbilities>('users/current/abilities/')).body;
    expect((await reads()).reveals_secrets).toBe(false);
    await allow(caller, true);
    expect(await waitUntil(reads, (membership) => membership.reveals_secrets)).toMatchObject({ role: 'ADMIN' });
    const { text } = await organization.owner.get('audit/?object_type=Membership');
    expect(text).toContain(caller.membershipId);
  });
});
