import type { Page, Parameter, Project } from '@strata/contract';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { controlledProject, createGrant, createMember, type TestMember } from '../../testing/members.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const isLookAtHead = (text: string) => /^select \* from strata_heads\(/.test(text.trim());
/**
 * A statement by which the core checks the owner of a credential. It runs every second, so it can happen at any moment
 * on a busy machine.
 */
const isLookAtCaller = (text: string) => text.includes('from issuer_subject');

it('a repeated request reads no row except the head', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'host' });
  const value = await organization.value({ parameter });
  // The core sends these from memory only while no write happens.
  const sameHeadOnly = [value.url, project.url, 'projects/?name=shop', 'environments/?name=production'];
  const paths = [
    `${project.url}parameters/?environment=production`,
    `${project.url}parameters/`,
    parameter.url,
    `${parameter.url}values/`,
    `${project.url}effective/?environment=production`,
    'effective/?project=shop&environment=production&environment=default',
    `${project.url}matrix/`,
    `${project.url}compare/?left=default&right=production`,
    ...sameHeadOnly,
  ];
  const statementsFor = async (urls: readonly string[]) => {
    core.statements();
    for (const path of urls) expect((await organization.owner.get(path)).status).toBe(200);
    return core.statements().filter((text) => !isLookAtHead(text) && !isLookAtCaller(text));
  };
  await statementsFor(paths);
  expect(await statementsFor(paths)).toEqual([]);

  // After a write to other rows, the core reads the changes once and sends the unaffected response from the cache.
  await organization.value({ parameter: await organization.parameter() });
  await organization.value({ parameter: await organization.parameter(), internal_value: 'another' });
  await statementsFor(paths);
  const unrelated = await organization.value({ parameter: await organization.parameter() });
  await statementsFor(paths);
  await organization.owner.patch(unrelated.url, { internal_value: 'changed' });
  const statements = await statementsFor(paths.filter((path) => !sameHeadOnly.includes(path)));
  expect(statements).toHaveLength(1);
  expect(statements[0]).toContain('from change');
});

describe('a cached list', () => {
  it('uses the origin of each request in its links, and has one entity tag for all origins', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    await organization.value({ parameter });
    const path = parameter.url.replace(/[^/]+\/$/, '');
    const request = (host: string) => organization.owner.get<Page<Parameter>>(path, { host });
    const [first, onOtherHost, repeatedResponse] = [
      await request('one.example'),
      await request('two.example:8080'),
      await request('one.example'),
    ];

    expect([first.status, onOtherHost.status]).toEqual([200, 200]);
    expect(onOtherHost.text).toBe(first.text.replaceAll('http://one.example', 'http://two.example:8080'));
    expect([repeatedResponse.text, repeatedResponse.headers.etag]).toEqual([first.text, first.headers.etag]);
    expect(onOtherHost.headers.etag).toBe(first.headers.etag);
    const conditionalHeaders = { host: 'two.example:8080', 'if-none-match': onOtherHost.headers.etag ?? '' };
    expect(await organization.owner.get(path, conditionalHeaders)).toMatchObject({ status: 304 });
    expect(await organization.owner.get(path, { ...conditionalHeaders, host: 'one.example' })).toMatchObject({
      status: 304,
    });
  });

  it('reads secrets again, and returns 304 to clients with a current copy', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter({ secret: true });
    const { url } = await organization.value({ parameter, internal_value: 'hush' });
    const path = `${parameter.url.replace(/[^/]+\/$/, '')}?environment=default`;
    const request = (etag = '') => organization.owner.get<Page<Parameter>>(path, { 'if-none-match': etag });
    const { headers, body } = await request();
    expect(body.results[0]?.values_flat[0]?.value).toBe('hush');
    expect((await request(headers.etag)).status).toBe(304);
    expect((await request()).text).toContain('"value":"hush"');
    await organization.owner.patch(url, { internal_value: 'louder' });
    const changeResponse = await request(headers.etag);
    expect([changeResponse.status, changeResponse.body.results[0]?.values_flat[0]?.value]).toEqual([200, 'louder']);
  });

  it('is not shared between callers with different forbidden scopes', async () => {
    const organization = await core.organization();
    const parameter = await organization.parameter();
    const production = await organization.environmentNamed('production');
    await organization.value({ parameter, environment: production, internal_value: 'inner' });
    await organization.owner.patch(production.url, { access_controlled: true });
    const path = parameter.url.replace(/[^/]+\/$/, '');
    const texts = async () => [
      (await organization.owner.get(path)).text,
      (await organization.as('VIEWER').get(path)).text,
    ];
    for (const [ownText, otherText] of [await texts(), await texts()]) {
      expect([ownText?.includes('inner'), otherText?.includes('inner')]).toEqual([true, false]);
    }
  });

  it("shows each caller's own role", async () => {
    const organization = await core.organization();
    const project = await controlledProject(organization);
    const [firstMember, secondMember] = [
      await createMember(core, organization),
      await createMember(core, organization),
    ];
    await createGrant(organization, firstMember.url, project.url, 'ADMIN');
    await createGrant(organization, secondMember.url, project.url, 'CONTRIB');
    const roles = async (client: TestMember['client']) => {
      const { results } = (await client.get<Page<Project>>(`projects/?name=${project.name}`)).body;
      return [results[0]?.role, (await client.get<Project>(project.url)).body.role];
    };
    for (let round = 1; round <= 2; round += 1) {
      expect(await roles(firstMember.client)).toEqual(['ADMIN', 'ADMIN']);
      expect(await roles(secondMember.client)).toEqual(['CONTRIB', 'CONTRIB']);
    }
  });

  it('is not sent to a caller without access to its environment, and neither are effective values', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const production = await organization.environmentNamed('production');
    const parameter = await organization.parameter({ project });
    await organization.value({ parameter, environment: production, internal_value: 'inner' });
    await organization.owner.patch(production.url, { access_controlled: true });
    const viewer = await organization.as('VIEWER');
    for (const path of ['effective', 'parameters']) {
      const url = `${project.url}${path}/?environment=production`;
      for (let round = 1; round <= 2; round += 1) {
        expect((await organization.owner.get(url)).text).toContain('inner');
        expect((await viewer.get(url)).status).toBe(403);
      }
    }
  });

  it('immediately includes new texts that refer to its parameters, even from other projects', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const host = await organization.parameter({ project: base, name: 'host' });
    const link = await organization.parameter({ project: child, name: 'link' });
    await organization.value({ parameter: host });
    const referring = async () => {
      const { results } = (await owner.get<Page<Parameter>>(`${base.url}parameters/`)).body;
      return [results[0]?.referencing_values, results[0]?.referencing_templates];
    };
    expect(await referring()).toEqual([[], []]);

    const value = await organization.value({ parameter: link, internal_value: '{{ host }}', interpolated: true });
    expect(await referring()).toEqual([[value.url], []]);
    const { body } = await owner.post<{ url: string }>(`${child.url}templates/`, { name: 't', body: '{{ host }}' });
    expect(await referring()).toEqual([[value.url], [body.url]]);
    await owner.patch(value.url, { internal_value: 'plain', interpolated: false });
    expect(await referring()).toEqual([[], [body.url]]);
    // A parameter of the child replaces the one that the template referred to.
    await organization.parameter({ project: child, name: 'host' });
    expect(await referring()).toEqual([[], []]);
  });
});
