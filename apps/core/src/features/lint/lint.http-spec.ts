import type { LintFinding, LintPage, MendOperation, Parameter, Project } from '@strata/contract';
import { OPERATIONS } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const lint = async (client: RawClient, query = '') => {
  const response = await client.get<LintPage>(`lint/?${query}`);
  expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
  return response.body;
};

const findingsShown = ({ results }: LintPage) =>
  results.map(
    ({ project_name: project, name, kind, reason, environments }) =>
      `${project}.${name} ${kind} ${reason} ${environments.map(({ environment_name: at }) => at)}`,
  );

/** Runs the operation of a fix as a changeset would. */
async function carryOut(client: RawClient, { operation, path, body }: MendOperation) {
  const described = OPERATIONS.find(({ id }) => id === operation);
  const target = described?.path.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '') ?? '';
  return client.send(described?.method.toUpperCase() ?? '', target, { body });
}

async function parameterWith(
  organization: TestOrganization,
  project: Project,
  name: string,
  texts: Readonly<Record<string, string | null>>,
  more: { readonly secret?: boolean; readonly interpolated?: boolean } = {},
): Promise<Parameter> {
  const parameter = await organization.parameter({ project, name, secret: more.secret ?? false });
  for (const [environment, text] of Object.entries(texts)) {
    const where = await organization.environmentNamed(environment);
    await organization.value({
      parameter,
      environment: where,
      internal_value: text,
      interpolated: more.interpolated ?? false,
    });
  }
  return parameter;
}

describe('lint', () => {
  it('finds values equal to the inherited ones, with a fix that changes no effective value', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    const shop = await organization.project({ name: 'shop', depends_on: base.url });
    await parameterWith(organization, base, 'host', { default: 'a', production: 'a', staging: 'b' });
    await parameterWith(organization, shop, 'port', { default: '80', production: '80' });
    await parameterWith(organization, shop, 'host', { staging: 'b' });
    await parameterWith(organization, shop, 'key', { default: 'x', staging: 'x' }, { secret: true });
    const effective = async () =>
      Promise.all(
        ['default', 'development', 'production', 'staging'].map(
          async (environment) =>
            (
              await organization.owner.get<{ values: object }>(
                `projects/${shop.id}/effective/?environment=${environment}`,
              )
            ).body.values,
        ),
      );
    const before = await effective();
    const page = await lint(organization.owner, 'kind=redundant_override');

    expect(findingsShown(page)).toEqual([
      'base.host redundant_override same_as_inherited production',
      'shop.host redundant_override same_as_inherited staging',
      'shop.port redundant_override same_as_inherited production',
    ]);
    expect(page.results.map(({ detail }) => detail)).toEqual([
      'host says in production what it would inherit from default.',
      'host says in staging what it would inherit from base in staging.',
      'port says in production what it would inherit from default.',
    ]);
    for (const { operations, why_not: whyNot } of page.results) {
      expect([operations.length, whyNot]).toEqual([1, null]);
      for (const operation of operations) {
        expect((await carryOut(organization.owner, operation)).status).toBe(204);
      }
    }
    expect(await effective()).toEqual(before);
    expect(findingsShown(await lint(organization.owner, 'kind=redundant_override'))).toEqual([]);
  });

  it('does not suggest a fix that would change the effective value of another project', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    const shop = await organization.project({ name: 'shop', depends_on: base.url });
    await parameterWith(organization, base, 'host', { default: 'a', production: 'a' });
    await parameterWith(organization, shop, 'host', { default: 'b' });
    const viewer = organization.as('VIEWER');
    const applyFix = async (client: RawClient) => {
      const [finding] = (await lint(client, 'kind=redundant_override&project=base')).results;
      return [finding?.operations, finding?.why_not];
    };

    expect(await applyFix(viewer)).toEqual([[], 'If you delete it, another value may become effective in shop.']);
    await organization.owner.patch(shop.url, { access_controlled: true });
    expect(await applyFix(viewer)).toEqual([
      [],
      'If you delete it, another value may become effective in 1 project that you cannot access.',
    ]);
  });

  it('finds environments without children that have no value', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    await parameterWith(organization, project, 'a', { production: 'x' });
    await parameterWith(organization, project, 'b', { default: null });
    const canary = await organization.environment({
      name: 'canary',
      parent: (await organization.environmentNamed('production')).url,
    });
    await parameterWith(organization, project, 'c', { staging: 'x', development: 'x' });
    expect(canary.name).toBe('canary');

    const page = await lint(organization.owner, 'kind=missing_value');
    expect(findingsShown(page)).toEqual([
      'p.a missing_value no_value development,staging',
      'p.c missing_value no_value canary',
    ]);
    expect(page.results[0]).toMatchObject({
      detail: 'a has no value in development and staging.',
      operations: [],
      why_not: expect.stringContaining('Set a value'),
      value_id: null,
    });
    expect(findingsShown(await lint(organization.owner, 'kind=missing_value&environment=staging'))).toEqual([
      'p.a missing_value no_value staging',
    ]);
  });

  it('finds texts that look like secrets, without quoting them', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    await parameterWith(organization, project, 'DB_PASSWORD', { default: 'canary-1', staging: 'canary-2' });
    await parameterWith(organization, project, 'DB_URL', { default: 'postgres://app:canary-3@db/app' });
    await parameterWith(organization, project, 'SAFE_PASSWORD', { default: 'canary-4' }, { secret: true });
    await parameterWith(organization, project, 'HOST', { default: 'db.example.com' });

    const response = await organization.owner.get<LintPage>('lint/?kind=clear_secret');
    expect(findingsShown(response.body)).toEqual([
      'p.DB_PASSWORD clear_secret secret_name default,staging',
      'p.DB_URL clear_secret password_in_url default',
    ]);
    expect(response.text).not.toContain('canary');
    expect(response.body.results[0]?.why_not).toContain('cannot become secret');
  });

  it('finds parameters without dependents, and suggests to delete those that never had a value', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    const shop = await organization.project({ name: 'shop', depends_on: base.url });
    await parameterWith(organization, base, 'DECLARED', {});
    await parameterWith(organization, shop, 'DECLARED', { default: 'x' });
    await parameterWith(organization, base, 'LEFT_OVER', {});
    await parameterWith(organization, base, 'MENTIONED', {});
    await parameterWith(organization, base, 'a.b', { default: 'x' });
    await parameterWith(organization, base, 'c.d', { default: 'x' });
    await organization.owner.post(`${shop.url}templates/`, {
      name: 't',
      body: '{{ MENTIONED }}{{ strata.parameters["c.d"] }}',
    });

    const page = await lint(organization.owner, 'kind=unreferenced_parameter');
    expect(findingsShown(page)).toEqual([
      'base.a.b unreferenced_parameter not_exported ',
      'base.LEFT_OVER unreferenced_parameter never_set ',
    ]);
    expect(page.results.map(({ operations, why_not: whyNot }) => [operations.length, whyNot === null])).toEqual([
      [0, false],
      [1, true],
    ]);
    const [operation] = page.results[1]?.operations ?? [];
    expect((await carryOut(organization.owner, operation as MendOperation)).status).toBe(204);
    // A text that loops over all parameters refers to each name.
    const all = '{% for p in strata.parameters %}{{ p[0] }}{% endfor %}';
    await organization.owner.post(`${shop.url}templates/`, { name: 'all', body: all });
    expect(findingsShown(await lint(organization.owner, 'kind=unreferenced_parameter'))).toEqual([]);
  });

  it('finds values that are expired now or at an instant, without showing a text', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    const parameter = await parameterWith(
      organization,
      project,
      'PIN',
      { default: 'canary', staging: null },
      { secret: true },
    );
    await organization.owner.patch(parameter.url, { expires: 'P30D' });
    const later = new Date(Date.now() + 31 * 86_400_000).toISOString();

    expect(findingsShown(await lint(organization.owner, 'kind=expired_value'))).toEqual([]);
    const response = await organization.owner.get<LintPage>(`lint/?kind=expired_value&expired_by=${later}`);
    expect(findingsShown(response.body)).toEqual(['p.PIN expired_value expired default']);
    expect(response.body.results[0]).toMatchObject({ value_id: expect.any(String), operations: [] });
    expect(response.text).not.toContain('canary');
    await organization.owner.patch(parameter.url, { expiration_action: { length: 20 } });
    const rotating = await lint(organization.owner, `kind=expired_value&expired_by=${later}`);
    expect(rotating.results[0]?.why_not).toContain('by a generated text');
  });

  it('can be filtered by kind, project, environment and name, and returns pages', async () => {
    const organization = await core.organization();
    for (const name of ['a', 'b']) {
      const project = await organization.project({ name });
      await parameterWith(organization, project, 'x', { default: '1', production: '1', staging: '1' });
      await parameterWith(organization, project, 'y.z', { production: '2' });
      await parameterWith(organization, project, 'u.v', { default: '3' });
      await organization.owner.post(`${project.url}templates/`, { name: 't', body: '{{ strata.parameters["u.v"] }}' });
    }
    const all = findingsShown(await lint(organization.owner));
    expect(all).toEqual(
      ['a', 'b'].flatMap((project) => [
        `${project}.x redundant_override same_as_inherited production`,
        `${project}.x redundant_override same_as_inherited staging`,
        `${project}.y.z missing_value no_value development,staging`,
        `${project}.y.z unreferenced_parameter not_exported `,
      ]),
    );
    expect(findingsShown(await lint(organization.owner, 'project=b&name=x&environment=staging'))).toEqual([
      'b.x redundant_override same_as_inherited staging',
    ]);
    expect(findingsShown(await lint(organization.owner, 'environment=staging&project=a'))).toHaveLength(2);
    for (const query of ['page_size=1', 'page_size=3', 'within_ms=0', 'within_ms=0&page_size=2']) {
      const seen: string[] = [];
      let next: string | null = `lint/?${query}`;
      while (next !== null) {
        const page: LintPage = (await organization.owner.get<LintPage>(next)).body;
        seen.push(...findingsShown(page));
        next = page.next;
      }
      expect([query, seen]).toEqual([query, all]);
    }
  });

  it('shows nothing of forbidden scopes', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    const production = await organization.environmentNamed('production');
    await parameterWith(organization, project, 'x', { default: '1', production: '1' });
    await parameterWith(organization, project, 'TOKEN', { production: 'hidden' });
    const viewer = organization.as('VIEWER');
    expect(findingsShown(await lint(viewer))).toHaveLength(3);
    await organization.owner.patch(production.url, { access_controlled: true });

    expect(findingsShown(await lint(viewer))).toEqual(['p.TOKEN missing_value no_value development,staging']);
    // Hidden values of a forbidden scope could be anything.
    await organization.environment({ name: 'canary', parent: production.url });
    const [, canary] = [0, await organization.environmentNamed('canary')];
    const { body } = await organization.owner.get<{ results: Parameter[] }>(`${project.url}parameters/?name=x`);
    await organization.value({ parameter: body.results[0] as Parameter, environment: canary, internal_value: '1' });
    expect(findingsShown(await lint(viewer, 'kind=redundant_override'))).toEqual([]);
    expect(findingsShown(await lint(organization.owner, 'kind=redundant_override'))).toHaveLength(2);

    await organization.owner.patch(project.url, { access_controlled: true });
    expect(findingsShown(await lint(viewer))).toEqual([]);
    expect((await viewer.get('lint/?project=p')).status).toBe(403);
    expect((await viewer.get('lint/?environment=production')).status).toBe(403);
  });

  it('supports past states, and returns 304 while nothing has changed', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    await parameterWith(organization, project, 'x', { default: '1', production: '1' });
    const before = await organization.owner.get<LintPage>('lint/');
    const repeatedResponse = await organization.owner.get('lint/', { 'if-none-match': before.headers.etag ?? '' });
    expect([repeatedResponse.status, repeatedResponse.text]).toEqual([304, '']);
    for (const { operations } of before.body.results)
      await carryOut(organization.owner, operations[0] as MendOperation);

    expect(findingsShown(await lint(organization.owner))).toEqual([]);
    const past = await lint(organization.owner, `revision=${before.body.revision}`);
    expect(findingsShown(past)).toEqual(findingsShown(before.body));
  });

  it('rejects invalid requests, and returns nothing of another organization', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const project = await theirs.project({ name: 'p' });
    await parameterWith(theirs, project, 'a', { production: 'x' });
    const [finding] = (await lint(theirs.owner)).results as [LintFinding];

    expect(findingsShown(await lint(ours.owner))).toEqual([]);
    expect((await ours.owner.get(finding.parameter)).status).toBe(404);
    for (const [query, status, field] of [
      ['kind=nonsense', 400, 'kind'],
      ['expired_by=tomorrow', 400, 'expired_by'],
      ['after=nonsense', 400, 'after'],
      ['within_ms=-1', 400, 'within_ms'],
      [`project=${project.id}`, 404, 'detail'],
      ['environment=nowhere', 404, 'detail'],
      ['revision=999', 404, 'detail'],
      ['as_of=2024-01-01T00:00:00Z&revision=1', 400, 'detail'],
    ] as const) {
      const response = await ours.owner.get(`lint/?${query}`);
      expect([query, response.status, Object.keys(response.body as object)]).toEqual([query, status, [field]]);
    }
    const { name } = await ours.project({ name: 'there' });
    for (const named of ['environment=default&environment=nix', `project=${name}&project=nix`]) {
      const { body } = await ours.owner.get<{ detail: string }>(`lint/?${named}`);
      expect(body.detail).toMatch(/^No (Environment|Project) matches the given query: nix\.$/);
    }
  });
});
