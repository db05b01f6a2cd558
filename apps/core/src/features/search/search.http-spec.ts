import type { Parameter, Project, SearchHit, SearchPage } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const search = async (client: RawClient, query: string) => {
  const response = await client.get<SearchPage>(`search/?${query}`);
  expect([response.status, response.status === 200 ? '' : response.text]).toEqual([200, '']);
  return response.body;
};

/** Formats each hit as `project.name [fields that match]`, followed by `text: environments`. */
const hitsShown = ({ results }: SearchPage) =>
  results.map(({ project_name: project, name, matched, wins }) => [
    `${project}.${name} [${matched}]`,
    ...wins.map(
      ({ value, environments, source_project_name: projectName, source_environment_name: at }) =>
        `${value} of ${projectName} in ${at}: ${environments.map(({ environment_name }) => environment_name)}`,
    ),
  ]);

/**
 * Creates `shop`, which depends on `base`. `host` of `base` is set in default and production; `shop` overrides it in
 * staging.
 */
async function shop(organization: TestOrganization) {
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url });
  const [production, staging] = [
    await organization.environmentNamed('production'),
    await organization.environmentNamed('staging'),
  ];
  const host = await organization.parameter({ project: base, name: 'host', description: 'where it answers' });
  await organization.value({ parameter: host, internal_value: 'db.local' });
  await organization.value({ parameter: host, environment: production, internal_value: 'db.example.com' });
  const ownHost = await organization.parameter({ project, name: 'host' });
  await organization.value({ parameter: ownHost, environment: staging, internal_value: 'shop.local' });
  return { base, project, host, ownHost, production, staging };
}

const add = async (
  organization: TestOrganization,
  {
    project,
    name,
    text,
    ...more
  }: { project: Project; name: string; text: string; secret?: boolean; dynamic?: boolean },
): Promise<Parameter> => {
  const parameter = await organization.parameter({ project, name, secret: more.secret ?? false });
  await organization.value({ parameter, internal_value: text, interpolated: more.dynamic ?? false });
  return parameter;
};

describe('search', () => {
  it('finds where a text is effective, also by inheritance, and where it is set', async () => {
    const organization = await core.organization();
    const { production } = await shop(organization);

    expect(hitsShown(await search(organization.owner, 'q=local'))).toEqual([
      ['base.host [value]', 'db.local of base in default: default,development,staging'],
      [
        'shop.host [value]',
        'db.local of base in default: default,development',
        'shop.local of shop in staging: staging',
      ],
    ]);
    expect(hitsShown(await search(organization.owner, 'q=db.example.com&match=exact'))).toEqual([
      ['base.host [value]', 'db.example.com of base in production: production'],
      ['shop.host [value]', 'db.example.com of base in production: production'],
    ]);
    expect(hitsShown(await search(organization.owner, 'q=db.example&match=exact'))).toEqual([]);
    expect(hitsShown(await search(organization.owner, 'q=^DB\\..*com$&match=regex'))).toEqual([]);
    expect(hitsShown(await search(organization.owner, 'q=(?i)^DB\\..*com$&match=regex&project=shop'))).toEqual([
      ['shop.host [value]', 'db.example.com of base in production: production'],
    ]);
    const [hit] = (await search(organization.owner, 'q=local&project=base')).results as [SearchHit];
    expect(hit.wins[0]?.environments[0]).toMatchObject({ environment_name: 'default', inherited: false });
    expect(hit.wins[0]?.environments[1]).toMatchObject({ environment_name: 'development', inherited: true });
    expect((await organization.owner.get(hit.parameter)).status).toBe(200);
    expect(production.name).toBe('production');
  });

  it('shows all effective values of a name that matches by its own text or its description', async () => {
    const organization = await core.organization();
    await shop(organization);

    expect(hitsShown(await search(organization.owner, 'q=hos&in=name&project=base'))).toEqual([
      [
        'base.host [name]',
        'db.local of base in default: default,development,staging',
        'db.example.com of base in production: production',
      ],
    ]);
    const [limited] = (await search(organization.owner, 'q=hos&in=name&project=base&wins_max=1')).results;
    expect([limited?.wins.map(({ value }) => value), limited?.wins_left_out]).toEqual([['db.local'], 1]);
    expect(hitsShown(await search(organization.owner, 'q=answers&in=description'))).toHaveLength(1);
    expect(hitsShown(await search(organization.owner, 'q=answers&in=name,value'))).toEqual([]);
  });

  it('can be filtered by project, environment, state, type and secret flag', async () => {
    const organization = await core.organization();
    const { ownHost } = await shop(organization);
    const listWins = async (query: string) =>
      (await search(organization.owner, `q=o&${query}`)).results.map(
        ({ project_name: project, wins }) =>
          `${project}: ${wins.flatMap(({ environments }) => environments.map(({ environment_name: at }) => at))}`,
      );

    expect(await listWins('environment=staging')).toEqual(['base: staging', 'shop: staging']);
    expect(await listWins('environment=staging&environment=production&project=shop')).toEqual([
      'shop: production,staging',
    ]);
    expect(await listWins('state=own')).toEqual(['base: default,production', 'shop: staging']);
    expect(await listWins('state=inherited&project=shop')).toEqual(['shop: default,development,production']);
    expect(await listWins('state=null')).toEqual([]);
    expect(await listWins('type=integer')).toEqual([]);
    expect(await listWins('secret=true')).toEqual([]);
    expect(await listWins('type=string&secret=false&project=base')).toHaveLength(1);
    await organization.owner.patch(`${ownHost.url}`, { description: 'only here' });
    expect((await search(organization.owner, 'q=only+here&in=description&state=null')).results).toEqual([]);
  });

  it('searches dynamic values as evaluated in each environment, and reports those that fail', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    const long = await add(organization, { project, name: 'long', text: 'x' });
    await add(organization, { project, name: 'url', text: 'https://{{ strata.environment }}.test', dynamic: true });
    await add(organization, { project, name: 'broken', text: '{{ long }}'.repeat(17), dynamic: true });

    expect(hitsShown(await search(organization.owner, 'q=staging.test'))).toEqual([
      ['p.url [value]', 'https://staging.test of p in default: staging'],
    ]);
    const { body: values } = await organization.owner.get<{ results: { url: string }[] }>(`${long.url}values/`);
    await organization.owner.patch(values.results[0]?.url ?? '', { internal_value: 'x'.repeat(65_000) });
    const after = await search(organization.owner, 'q=staging.test');
    expect(after.skipped).toBeGreaterThan(0);
    expect(hitsShown(after)).toHaveLength(1);
    const named = await search(organization.owner, 'q=broken&in=name');
    expect(named.results[0]?.wins).toMatchObject([{ failed: true, value: null }]);
  });

  it('ignores letter case on request, like a pattern does', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    const texts = ['Straße 100%', 'ÉTÉ', 'éte', 'taſ\u212a', 'TASK', 'back\\slash', 'ΣΑΣ', 'σας', 'a_b', 'a-B'];
    for (const [index, text] of texts.entries()) await add(organization, { project, name: `n${index}`, text });
    const listValues = async (query: string) =>
      (await search(organization.owner, `in=value&${query}`)).results.map(({ wins }) => wins[0]?.value);

    for (const q of ['task', 'SK', 'été', 'ÉT', 'straSSe', 'STRAßE', '0%', 'A_B', 'K\\S', 'σΑς', 'x']) {
      const pattern = encodeURIComponent(`(?i)${q.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
      const expected = await listValues(`match=regex&q=${pattern}`);
      expect([q, await listValues(`ignore_case=true&q=${encodeURIComponent(q)}`)]).toEqual([q, expected]);
      const whole = await listValues(
        `match=regex&q=${encodeURIComponent('^')}${pattern.replace('(%3Fi)', '')}%24&ignore_case=true`,
      );
      expect([q, await listValues(`match=exact&ignore_case=true&q=${encodeURIComponent(q)}`)]).toEqual([q, whole]);
    }
    expect(await listValues('match=prefix&q=TA')).toEqual(['TASK']);
    expect(await listValues('match=prefix&ignore_case=true&q=tA')).toEqual(['taſ\u212a', 'TASK']);
  });

  it('shows an excerpt of a long text around the match', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    await add(organization, { project, name: 'long', text: `${'a'.repeat(5_000)}needle${'b'.repeat(5_000)}` });

    const [hit] = (await search(organization.owner, 'q=needle')).results;
    expect(hit?.wins).toMatchObject([{ cut: true, value: expect.stringContaining('needle') }]);
    expect(hit?.wins[0]?.value).toHaveLength(1_000);
  });

  it('never finds, shows or counts a secret by its text, or a text that contains one', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'p' });
    await add(organization, { project, name: 'plain', text: 'plain text' });
    const without = await organization.owner.get('search/?q=canary');
    await add(organization, { project, name: 'password', text: 'canary-7f', secret: true });
    await add(organization, { project, name: 'url', text: 'x:{{ password }}@y', dynamic: true });

    for (const query of [
      'q=canary',
      'q=canary-7f&match=exact',
      'q=canary&match=regex',
      'q=x:canary',
      'q=canary&secret=true',
    ]) {
      const response = await organization.owner.get<SearchPage>(`search/?${query}`);
      expect(response.body).toMatchObject({ results: [], skipped: 0, incomplete: false, next: null });
    }
    expect(without.body).toMatchObject({ results: [], skipped: 0 });
    const named = await organization.owner.get<SearchPage>('search/?q=(password|url)&match=regex&in=name');
    expect(named.body.results.flatMap(({ wins }) => wins)).toMatchObject([
      { value: '*****', secret: true, matched: false },
      { value: '*****', secret: true, matched: false },
    ]);
    expect(named.text).not.toContain('canary');
    // The mask itself cannot be found.
    expect((await search(organization.owner, 'q=*****&match=exact')).results).toEqual([]);
  });

  it('leaves out forbidden scopes, and rejects requests that name them', async () => {
    const organization = await core.organization();
    const { base, project, production } = await shop(organization);
    const viewer = organization.as('VIEWER');
    await viewer.get('users/current/');
    expect(hitsShown(await search(viewer, 'q=example'))).toHaveLength(2);
    await organization.owner.patch(production.url, { access_controlled: true });

    expect(hitsShown(await search(viewer, 'q=example'))).toEqual([]);
    expect(hitsShown(await search(organization.owner, 'q=example'))).toHaveLength(2);
    expect((await viewer.get('search/?q=x&environment=production')).status).toBe(403);
    await organization.owner.patch(base.url, { access_controlled: true });
    expect(hitsShown(await search(viewer, 'q=local'))).toEqual([]);
    for (const name of ['base', 'shop', project.id]) {
      expect((await viewer.get(`search/?q=x&project=${name}`)).status).toBe(403);
    }
  });

  it('returns every hit once, page by page, even if rows are added meanwhile', async () => {
    const organization = await core.organization();
    for (const name of ['a', 'b', 'c']) {
      const project = await organization.project({ name });
      for (const parameterName of ['x', 'y']) await add(organization, { project, name: parameterName, text: 'needle' });
    }
    const seen: string[] = [];
    let next: string | null = 'search/?q=needle&page_size=2';
    while (next !== null) {
      const page: SearchPage = (await organization.owner.get<SearchPage>(next)).body;
      expect(page.incomplete).toBe(false);
      seen.push(...page.results.map(({ project_name: project, name }) => `${project}.${name}`));
      next = page.next;
      if (seen.length === 2)
        await add(organization, { project: await organization.project({ name: '0' }), name: 'x', text: 'needle' });
    }
    expect(seen).toEqual(['a.x', 'a.y', 'b.x', 'b.y', 'c.x', 'c.y']);
  });

  it('reports that its time was up, and continues on the next page', async () => {
    const organization = await core.organization();
    for (const name of ['a', 'b', 'c']) {
      await add(organization, { project: await organization.project({ name }), name: 'x', text: `needle ${name}` });
    }
    const seen: string[] = [];
    let pages = 0;
    let incomplete = 0;
    let next: string | null = 'search/?q=needle&within_ms=0';
    while (next !== null) {
      const page: SearchPage = (await organization.owner.get<SearchPage>(next)).body;
      pages += 1;
      if (page.incomplete) incomplete += 1;
      expect(page.next === null).toBe(page.cursor === null);
      seen.push(...page.results.map(({ project_name: project }) => project));
      next = page.next;
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(incomplete).toBeGreaterThanOrEqual(2);
    expect(pages).toBeLessThanOrEqual(8);
  });

  it('reads only the names that a page needs, and reports its progress', async () => {
    const organization = await core.organization();
    const base = await organization.project({ name: 'base' });
    const shopped = await organization.project({ name: 'shop', depends_on: base.url });
    const set = (project: string, prefix: string, count: number) => ({
      set: {
        project,
        environment: 'default',
        create_missing: true,
        values: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`${prefix}_${index}`, `text ${index}`]),
        ),
      },
    });
    await organization.owner.post('changesets/', {
      operations: [set('base', 'NAME', 150), set(shopped.name, 'NAME', 30), set(shopped.name, 'OTHER', 20)],
    });
    const pages: SearchPage[] = [];
    for (let after: string | null = ''; after !== null; after = pages.at(-1)?.cursor ?? null) {
      const position = after === '' ? '' : `&after=${after}`;
      pages.push(
        await search(organization.owner, `q=name_&ignore_case=true&in=name,description&page_size=70${position}`),
      );
    }

    // Both projects show the 150 names. Names that do not match are not checked.
    expect(pages.map(({ checked, to_check }) => [checked, to_check])).toEqual([
      [70, 300],
      [140, 300],
      [210, 300],
      [280, 300],
      [300, 300],
    ]);
    const names = pages.flatMap(({ results }) =>
      results.map(({ project_name: project, name }) => `${project}.${name}`),
    );
    expect(new Set(names).size).toBe(300);
    const patterned = await search(organization.owner, 'q=^NAME_1$&match=regex&project=shop&within_ms=0&page_size=1');
    expect([patterned.to_check, patterned.incomplete]).toEqual([170, true]);
    expect(patterned.checked).toBeLessThan(170);
  });

  it('supports past states, and returns 304 while nothing has changed', async () => {
    const organization = await core.organization();
    const { host } = await shop(organization);
    const before = await organization.owner.get<SearchPage>('search/?q=db.local');
    const repeatedResponse = await organization.owner.get('search/?q=db.local', {
      'if-none-match': before.headers.etag ?? '',
    });
    expect([repeatedResponse.status, repeatedResponse.text]).toEqual([304, '']);
    const { body: values } = await organization.owner.get<{ results: { url: string }[] }>(`${host.url}values/`);
    await organization.owner.patch(values.results[0]?.url ?? '', { internal_value: 'elsewhere' });

    expect(hitsShown(await search(organization.owner, 'q=db.local'))).toEqual([]);
    const past = await search(organization.owner, `q=db.local&revision=${before.body.revision}`);
    expect(hitsShown(past)).toEqual(hitsShown(before.body));
    const { url } = await organization.environmentNamed('default');
    await organization.owner.post(`${url}tags/`, { name: 'now' });
    expect(hitsShown(await search(organization.owner, 'q=elsewhere&tag=now&environment=default'))).toHaveLength(2);
  });

  it('rejects invalid requests', async () => {
    const organization = await core.organization();
    await organization.project({ name: 'p' });
    for (const [query, status, field] of [
      ['', 400, 'q'],
      ['q=', 400, 'q'],
      [`q=${'x'.repeat(513)}`, 400, 'q'],
      ['q=(&match=regex', 400, 'q'],
      ['q=(?=x)&match=regex', 400, 'q'],
      [`q=${encodeURIComponent('(a{1000}){1000}')}&match=regex`, 400, 'q'],
      [`q=${encodeURIComponent('\\Qabc')}&match=regex`, 400, 'q'],
      ['q=x&match=like', 400, 'match'],
      ['q=x&in=name,text', 400, 'in'],
      ['q=x&state=missing', 400, 'state'],
      ['q=x&within_ms=99999', 400, 'within_ms'],
      ['q=x&after=nonsense', 400, 'after'],
      ['q=x&project=nowhere', 404, 'detail'],
      ['q=x&environment=nowhere', 404, 'detail'],
      ['q=x&environment=default&environment=staging&tag=t', 400, 'detail'],
      ['q=x&revision=999', 404, 'detail'],
    ] as const) {
      const response = await organization.owner.get(`search/?${query}`);
      expect([query, response.status, Object.keys(response.body as object)]).toEqual([query, status, [field]]);
    }
    const { name } = await organization.project({ name: 'there' });
    for (const named of ['environment=default&environment=nix', `project=${name}&project=nix`]) {
      const { body } = await organization.owner.get<{ detail: string }>(`search/?q=x&${named}`);
      expect(body.detail).toMatch(/^No (Environment|Project) matches the given query: nix\.$/);
    }
  });

  it('returns nothing of another organization', async () => {
    const [ours, theirs] = [await core.organization(), await core.organization()];
    const { project } = await shop(theirs);

    expect(hitsShown(await search(ours.owner, 'q=db'))).toEqual([]);
    expect((await ours.owner.get(`search/?q=db&project=${project.id}`)).status).toBe(404);
    const otherResponse = await theirs.owner.get<SearchPage>('search/?q=db&page_size=1');
    const cursor = otherResponse.body.cursor ?? '';
    expect(hitsShown(await search(ours.owner, `q=db&after=${encodeURIComponent(cursor)}`))).toEqual([]);
    expect((await ours.owner.get(`lint/?after=${encodeURIComponent(cursor)}`)).status).toBe(400);
  });
});
