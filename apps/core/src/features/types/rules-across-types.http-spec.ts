import type { Parameter, ParameterType } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createTypeBelow, rule, statusAndCode } from '../../testing/types.ts';

/** Tests how the rules of a type affect its ancestors, its descendants, and values (behaviour.md §8.2). */ let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/**
 * Creates the type `port_t` (integer, max 100) with the child type `web_t` (max 80), and the parameters `a` of `port_t`
 * with the value 45 and `b` of `web_t` with 46.
 */
async function fixture() {
  const organization = await core.organization();
  const project = await organization.project();
  const environment = await organization.environmentNamed('default');
  const port = await createTypeBelow(organization, 'integer', 'port_t');
  const web = await createTypeBelow(organization, 'port_t', 'web_t');
  const portMax = (await rule(organization, port, 'max', '100')).body;
  const set = async (name: string, type: string, text: string) => {
    const parameter = await organization.parameter({ project, name, type });
    return { parameter, value: await organization.value({ parameter, environment, internal_value: text }) };
  };
  const a = await set('a', 'port_t', '45');
  const b = await set('b', 'web_t', '46');
  return { organization, owner: organization.owner, project, environment, port, web, portMax, a, b };
}

describe('rules across types (H6)', () => {
  it('cannot be looser in a child than in an ancestor (E53), but they can be equal', async () => {
    const { organization, web } = await fixture();

    const response = await rule(organization, web, 'max', '101');
    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/101.*100.*port_t/)] });
    expect(statusAndCode(response)).toBe('400 looser_than_parent');
    expect(await rule(organization, web, 'max', '100')).toMatchObject({ status: 201 });
  });

  it('are validated against values, not against rules of child types, when a parent gets a stricter rule (E51); the error names type and parameters', async () => {
    const { organization, owner, port, web, portMax } = await fixture();
    await rule(organization, web, 'max', '80');

    const response = await owner.patch(portMax.url, { constraint: '44' });

    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/port_t: a, b\b.*at most 44/)] });
    expect(statusAndCode(response)).toBe('400 existing_values');
    expect((await owner.get(portMax.url)).body).toEqual(portMax);
    expect(await owner.patch(portMax.url, { constraint: '46' })).toMatchObject({ status: 200 });
    expect((await owner.get<ParameterType>(port.url)).body.rules).toMatchObject([{ constraint: '46' }]);
  });

  it('all apply to a value (E41b), while a type returns only its own rules', async () => {
    const { organization, owner, web, b } = await fixture();
    await rule(organization, web, 'max', '80');
    const staging = await organization.environmentNamed('staging');

    const response = await owner.post(`${b.parameter.url}values/`, { environment: staging.id, internal_value: '91' });
    expect(response).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('80')] } });
    expect(statusAndCode(response)).toBe('400 rule_violation');
    const twice = await owner.patch(b.value.url, { internal_value: '101' });
    expect(twice.body).toEqual({
      internal_value: [expect.stringMatching(/80.*web_t/), expect.stringMatching(/100.*port_t/)],
    });
    expect((await owner.get<ParameterType>(web.url)).body.rules).toHaveLength(1);
    expect((await owner.get<Parameter>(b.parameter.url)).body.rules).toEqual([]);
  });

  it('must be of a kind that the base allows (E50); the error names the kind and the declared type', async () => {
    const { organization, a, port } = await fixture();

    for (const response of [
      await rule(organization, a.parameter, 'min_len', '3'),
      await rule(organization, port, 'min_len', '3'),
    ]) {
      expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/min_len.*port_t/)] });
      expect(statusAndCode(response)).toBe('400 rule_kind_illegal');
    }
  });

  it('prevent a change to a type that the values of a parameter violate', async () => {
    const { owner, a } = await fixture();
    const response = await owner.patch(a.parameter.url, { type: 'boolean' });
    expect(response).toMatchObject({ status: 400, body: { type: [expect.stringContaining('boolean')] } });
    expect(statusAndCode(response)).toBe('400 type_violation');
    expect(await owner.patch(a.parameter.url, { type: 'nope' })).toMatchObject({
      status: 404,
      body: { detail: 'No ParameterType matches the given query.' },
    });
  });
});

describe('a new parent of a type', () => {
  it('is rejected if stored values would be invalid, and then nothing changes', async () => {
    const { organization, owner, web, b } = await fixture();
    const small = await createTypeBelow(organization, 'integer', 'small');
    await rule(organization, small, 'max', '9');
    const text = await createTypeBelow(organization, 'string', 'text');
    const flag = await createTypeBelow(organization, 'boolean', 'flag');

    const tooLarge = await owner.patch(web.url, { parent: small.url, name: 'renamed' });
    expect(tooLarge).toMatchObject({ status: 400, body: [expect.stringMatching(/: b\b.*at most 9/)] });
    expect(statusAndCode(tooLarge)).toBe('400 existing_values');
    const otherBase = await owner.patch(web.url, { parent: flag.url });
    expect(otherBase).toMatchObject({ status: 400, body: [expect.stringMatching(/: b\b.*not of type web_t/)] });
    expect((await owner.get(web.url)).body).toEqual(web);

    expect(await owner.patch(web.url, { parent: text.url })).toMatchObject({
      status: 200,
      body: { parent_name: 'text' },
    });
    expect(await owner.patch(b.value.url, { internal_value: 'any text' })).toMatchObject({ status: 200 });
  });

  it('is rejected if rules of descendants are of a kind that the new base does not allow (E50)', async () => {
    const { organization, owner, port, web, b } = await fixture();
    const text = await createTypeBelow(organization, 'string', 'text');

    const response = await owner.patch(port.url, { parent: text.url });
    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/max.*port_t/)] });
    expect(statusAndCode(response)).toBe('400 rule_kind_illegal');
    await rule(organization, b.parameter, 'min', '1');
    const ofParameter = await owner.patch(web.url, { parent: text.url });
    expect(ofParameter).toMatchObject({ status: 400, body: [expect.stringMatching(/min.*web_t/)] });
  });
});
