import type { Page, ParameterOfType, ParameterType, TextValidationResult, TypeUsage } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createGrant, createMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Creates the type `port` (at most 65535) with the child type `high port` (at least 1024). */
async function ports(organization: TestOrganization) {
  const { owner } = organization;
  const { body: base } = await owner.get<Page<ParameterType>>('types/?name=integer');
  const createType = async (name: string, parent: string | undefined, type: string, constraint: string) => {
    const { body } = await owner.post<ParameterType>('types/', { name, parent });
    const rule = await owner.post(`${body.url}rules/`, { type, constraint });
    if (rule.status !== 201) throw new Error(rule.text);
    return body;
  };
  const port = await createType('port', base.results[0]?.url, 'max', '65535');
  return { port, high: await createType('high port', port.url, 'min', '1024') };
}

describe('a text that is checked against a type', () => {
  it('returns every violated rule, including those of ancestors, and is not stored', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { high } = await ports(organization);
    const validate = async (text: string) =>
      (await owner.post<TextValidationResult>(`${high.url}validate/`, { text })).body;
    const before = (await owner.get('types/')).headers['x-revision'];

    expect(await validate('8080')).toEqual({ fits: true, violations: [] });
    expect(await validate('80')).toEqual({
      fits: false,
      violations: [
        { message: expect.stringContaining('at least 1024'), rule: 'min', constraint: '1024', owner: 'type high port' },
      ],
    });
    expect(await validate('70000')).toMatchObject({ fits: false, violations: [{ rule: 'max', owner: 'type port' }] });
    expect(await validate('many')).toEqual({
      fits: false,
      violations: [{ message: expect.stringContaining('digits'), rule: null, constraint: null, owner: null }],
    });
    expect((await owner.get('types/')).headers['x-revision']).toBe(before);
  });

  it('is matched by an engine with linear time', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { body: base } = await owner.get<Page<ParameterType>>('types/?name=string');
    const { body: type } = await owner.post<ParameterType>('types/', { name: 'word', parent: base.results[0]?.url });
    await owner.post(`${type.url}rules/`, { type: 'regex', constraint: '(a+)+$' });

    const validate = async (text: string) =>
      (await owner.post<TextValidationResult>(`${type.url}validate/`, { text })).body.fits;

    expect(await validate('aaa')).toBe(true);
    expect(await validate(`${'a'.repeat(5_000)}!`)).toBe(false);
  });

  it('is also checked against the rules of a parameter', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    await ports(organization);
    const parameter = await organization.parameter({ name: 'PORT', type: 'high port' });
    await owner.post(`${parameter.url}rules/`, { type: 'max', constraint: '9000' });

    const validate = async (text: string) =>
      (await owner.post<TextValidationResult>(`${parameter.url}validate/`, { text })).body;

    expect(await validate('8080')).toEqual({ fits: true, violations: [] });
    expect((await validate('70000')).violations.map(({ owner }) => owner)).toEqual(['parameter PORT', 'type port']);
  });

  it('returns 404 for an unknown type, and for one of another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const { port } = await ports(otherOrganization);

    expect(await organization.owner.post(`types/${port.id}/validate/`, { text: '1' })).toMatchObject({ status: 404 });
    expect(await organization.owner.get(`types/${port.id}/parameters/`)).toMatchObject({ status: 404 });
  });
});

describe('the uses of a type', () => {
  it('count and list the parameters of exactly this type', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { port, high } = await ports(organization);
    const project = await organization.project({ name: 'web' });
    for (const name of ['HTTP', 'ADMIN']) await organization.parameter({ project, name, type: 'port' });
    await organization.parameter({ project, name: 'DEBUG', type: 'high port' });

    const { body: usage } = await owner.get<TypeUsage>('type-usage/');
    const { body: listed } = await owner.get<Page<ParameterOfType>>(`${port.url}parameters/`);

    expect(usage.results).toEqual(
      expect.arrayContaining([
        { type_id: port.id, parameter_count: 2 },
        { type_id: high.id, parameter_count: 1 },
      ]),
    );
    expect(listed.results.map(({ name, project_name: projectName }) => [name, projectName])).toEqual([
      ['ADMIN', 'web'],
      ['HTTP', 'web'],
    ]);
  });

  it('neither count nor list parameters of a forbidden project', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const { port } = await ports(organization);
    const [open, closed] = [await organization.project(), await organization.project()];
    await organization.parameter({ project: open, name: 'SEEN', type: 'port' });
    const hidden = await organization.parameter({ project: closed, name: 'HIDDEN', type: 'port' });
    await owner.patch(closed.url, { access_controlled: true });
    const outsider = await createMember(core, organization, 'CONTRIB');
    const counted = async (client: typeof owner) => {
      const { body } = await client.get<TypeUsage>('type-usage/');
      return body.results.find(({ type_id: id }) => id === port.id)?.parameter_count;
    };
    const named = async (client: typeof owner) => {
      const { body } = await client.get<Page<ParameterOfType>>(`${port.url}parameters/`);
      return { count: body.count, names: body.results.map(({ name }) => name) };
    };

    expect(await counted(outsider.client)).toBe(1);
    expect(await named(outsider.client)).toEqual({ count: 1, names: ['SEEN'] });
    expect(await outsider.client.post(`${hidden.url}validate/`, { text: '1' })).toMatchObject({ status: 403 });
    expect(await counted(owner)).toBe(2);
    await createGrant(organization, outsider.url, closed.url, 'VIEWER');
    expect(await named(outsider.client)).toEqual({ count: 2, names: ['HIDDEN', 'SEEN'] });
  });
});
