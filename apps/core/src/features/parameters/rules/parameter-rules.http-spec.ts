import type { Page, Parameter, ParameterRule } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createTypeBelow, rule, statusAndCode } from '../../../testing/types.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const NOWHERE = '00000000-0000-4000-8000-000000000000';

describe('a rule of a parameter', () => {
  it('is created, listed, read, replaced and deleted, and contained in its parameter', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const parameter = await organization.parameter({ type: 'integer' });

    const createResponse = await rule(organization, parameter, 'max', '10');
    await rule(organization, parameter, 'min', 1);

    expect(createResponse).toMatchObject({
      status: 201,
      headers: { location: createResponse.body.url },
      body: { parameter: parameter.url, type: 'max', constraint: '10', created_at: createResponse.body.modified_at },
    });
    expect(createResponse.body.url).toBe(`${parameter.url}rules/${createResponse.body.id}/`);
    const list = await owner.get<Page<ParameterRule>>(`${parameter.url}rules/`);
    expect(list.body).toMatchObject({ count: 2, results: [createResponse.body, { type: 'min', constraint: '1' }] });
    expect((await owner.get<Parameter>(parameter.url)).body.rules).toEqual(list.body.results);
    const [listed] = (await owner.get<Page<Parameter>>(`projects/${parameter.project.split('/').at(-2)}/parameters/`))
      .body.results;
    expect(listed?.rules).toEqual(list.body.results);
    expect(await owner.get(`${parameter.url}rules/?type=min`)).toMatchObject({ body: { count: 1 } });

    const put = await owner.put<ParameterRule>(createResponse.body.url, {
      id: createResponse.body.id,
      parameter: parameter.id,
      type: 'max',
      constraint: '9',
    });
    expect(put).toMatchObject({
      status: 200,
      body: { ...createResponse.body, constraint: '9', ledger_id: expect.any(String), modified_at: expect.any(String) },
    });
    expect(await owner.put(createResponse.body.url, { constraint: '9' })).toMatchObject({
      status: 400,
      body: { type: [expect.any(String)] },
    });
    expect(await owner.delete(createResponse.body.url)).toMatchObject({ status: 204, text: '' });
    expect((await owner.get<Parameter>(parameter.url)).body.rules).toMatchObject([{ type: 'min' }]);
    expect(
      (await owner.get<Parameter>(`${parameter.url}?as_of=${createResponse.body.modified_at}`)).body.rules,
    ).toEqual([createResponse.body]);
    expect(await owner.get(`${createResponse.body.url}?as_of=${createResponse.body.modified_at}`)).toMatchObject({
      status: 200,
      body: createResponse.body,
    });
  });

  it('validates every value: min (E41a), max (E41b), min_len (E42a), max_len (E42b), regex (E43), type (E40)', async () => {
    const organization = await core.organization();
    const project = await organization.project();
    const [number, word] = [
      await organization.parameter({ project, type: 'integer' }),
      await organization.parameter({ project, type: 'string' }),
    ];
    await rule(organization, number, 'min', '10');
    await rule(organization, number, 'max', '20');
    await rule(organization, word, 'min_len', '3');
    await rule(organization, word, 'max_len', '5');
    await rule(organization, word, 'regex', 'ab+');
    const { id: environment } = await organization.environmentNamed('default');
    const set = (parameter: Parameter, text: string) =>
      organization.owner.post<{ internal_value: string[] }>(`${parameter.url}values/`, {
        environment,
        internal_value: text,
      });
    const responses = [
      [await set(number, '9'), 'rule_violation', '10', 'min'],
      [await set(number, '21'), 'rule_violation', '20', 'max'],
      [await set(word, 'ab'), 'rule_violation', '3', 'min_len'],
      [await set(word, 'abbbbb'), 'rule_violation', '5', 'max_len'],
      [await set(word, 'xab'), 'rule_violation', 'ab+', 'regex'],
      [await set(number, 'ten'), 'type_violation', 'integer', undefined],
    ] as const;
    for (const [response, expected, named, rules] of responses) {
      expect([statusAndCode(response), response.headers['x-error-rule']]).toEqual([`400 ${expected}`, rules]);
      expect(response.body).toEqual({ internal_value: [expect.stringContaining(named)] });
    }
    expect((await set(word, 'x')).body.internal_value).toHaveLength(2);
    expect([(await set(number, '20')).status, (await set(word, 'abx')).status]).toEqual([201, 201]);
  });

  it('is rejected if a stored value in any environment violates it (E51)', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const parameter = await organization.parameter({ name: 'timeout', type: 'integer', secret: true });
    await organization.value({ parameter, internal_value: '5' });
    await organization.value({
      parameter,
      internal_value: '4711',
      environment: await organization.environmentNamed('staging'),
    });

    const response = await rule(organization, parameter, 'max', '100');
    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/timeout.*at most 100/)] });
    expect(statusAndCode(response)).toBe('400 existing_values');
    expect(response.text).not.toContain('4711');
    expect((await owner.get(`${parameter.url}rules/`)).body).toMatchObject({ count: 0 });
    const maxRule = await rule(organization, parameter, 'max', '5000');
    expect(statusAndCode(await owner.patch(maxRule.body.url, { constraint: '4710' }))).toBe('400 existing_values');
    expect((await owner.get(maxRule.body.url)).body).toEqual(maxRule.body);
  });

  it('must be of a legal kind (E50), valid, the only one of its kind (E51b), and not contradictory (E52), checked in this order', async () => {
    const organization = await core.organization();
    const flag = await organization.parameter({ name: 'flag', type: 'boolean' });
    const number = await organization.parameter({ name: 'number', type: 'integer' });
    const illegal = await rule(organization, flag, 'max_len', '-1');
    expect(illegal).toMatchObject({ status: 400, body: [expect.stringMatching(/max_len.*boolean/)] });
    expect(statusAndCode(illegal)).toBe('400 rule_kind_illegal');
    const malformed = await rule(organization, number, 'min', 'x');
    expect(malformed).toMatchObject({ status: 400, body: { constraint: [expect.any(String)] } });
    await rule(organization, number, 'min', '5');
    const second = await rule(organization, number, 'min', '6');
    expect(second).toMatchObject({ status: 400, body: { type: [expect.stringContaining('number')] } });
    expect(statusAndCode(second)).toBe('400 duplicate_rule');
    const crossing = await rule(organization, number, 'max', '4');
    expect(crossing).toMatchObject({ status: 400, body: [expect.stringMatching(/5.*4/)] });
    expect([statusAndCode(crossing), crossing.headers['x-error-rule']]).toEqual(['400 rules_cross', 'max']);
    expect(await rule(organization, number, 'max', '5')).toMatchObject({ status: 201 });
  });

  it('can be looser than a rule of its type, because all rules apply together', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const type = await createTypeBelow(organization, 'integer', 'port');
    await owner.post(`${type.url}rules/`, { type: 'max', constraint: '100' });
    const parameter = await organization.parameter({ type: 'port' });

    expect(await rule(organization, parameter, 'max', '1000')).toMatchObject({ status: 201 });
    const response = await owner.post(`${parameter.url}values/`, {
      environment: (await organization.environmentNamed('default')).id,
      internal_value: '101',
    });
    expect(response.body).toEqual({ internal_value: [expect.stringMatching(/100 .*type port/)] });
  });

  it('prevents a type whose base does not allow it (E50), and is kept with a type that does', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const parameter = await organization.parameter({ type: 'integer' });
    await rule(organization, parameter, 'max', '10');

    const response = await owner.patch(parameter.url, { type: 'string' });
    expect(response).toMatchObject({ status: 400, body: [expect.stringMatching(/max.*string/)] });
    expect(statusAndCode(response)).toBe('400 rule_kind_illegal');
    await createTypeBelow(organization, 'integer', 'port');
    expect(await owner.patch(parameter.url, { type: 'port' })).toMatchObject({
      status: 200,
      body: { type: 'port', rules: [{ constraint: '10' }] },
    });
  });

  it('can be read but not written through the path of a project that inherits the parameter', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const parameter = await organization.parameter({ project: base, type: 'integer' });
    const maxRule = await rule(organization, parameter, 'max', '10');
    const through = `${child.url}parameters/${parameter.id}/rules/`;

    expect(await owner.get(`${through}${maxRule.body.id}/`)).toMatchObject({ status: 200, body: maxRule.body });
    expect(await owner.patch(`${through}${maxRule.body.id}/`, { constraint: '9' })).toMatchObject({ status: 404 });
    expect(await owner.post(through, { type: 'min', constraint: '1' })).toMatchObject({ status: 404 });
    expect(await owner.delete(`${through}${maxRule.body.id}/`)).toMatchObject({ status: 404 });
  });

  it('raises an update event of its parameter, and is recorded as a rule, also when it is deleted', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const parameter = await organization.parameter({ name: 'timeout', type: 'integer' });
    const { body: start } = await owner.get<{ cursor: string }>('events/?after=now');
    const maxRule = await rule(organization, parameter, 'max', '10');
    await owner.patch(maxRule.body.url, { constraint: '11' });
    await owner.patch(maxRule.body.url, { constraint: '11' });
    await owner.delete(maxRule.body.url);
    await rule(organization, parameter, 'min', '1');
    await owner.delete(parameter.url);

    const { body } = await owner.get<{ results: Record<string, unknown>[] }>(`events/?after=${start.cursor}`);
    expect(body.results.map(({ type, action, object }) => [type, action, (object as { type: string }).type])).toEqual([
      ['parameter_updated', 'create', 'ParameterRule'],
      ['parameter_updated', 'update', 'ParameterRule'],
      ['parameter_updated', 'delete', 'ParameterRule'],
      ['parameter_updated', 'create', 'ParameterRule'],
      ['parameter_deleted', 'delete', 'Parameter'],
    ]);
    expect(body.results[0]).toMatchObject({
      parameter: { id: parameter.id, name: 'timeout' },
      object: { name: 'max' },
    });
  });

  it('rejects a stale precondition, a VIEWER, and a caller of another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const parameter = await organization.parameter({ type: 'integer' });
    const maxRule = await rule(organization, parameter, 'max', '10');
    const etag = (await organization.owner.get(maxRule.body.url)).headers.etag ?? '';
    const viewer = organization.as('VIEWER');
    expect(await organization.owner.get(maxRule.body.url, { 'if-none-match': etag })).toMatchObject({ status: 304 });
    expect(await organization.owner.patch(maxRule.body.url, { constraint: '11' }, { 'if-match': etag })).toMatchObject({
      status: 200,
    });
    expect(await organization.owner.patch(maxRule.body.url, { constraint: '12' }, { 'if-match': etag })).toMatchObject({
      status: 412,
    });
    for (const response of [
      await viewer.post(`${parameter.url}rules/`, { type: 'min', constraint: '1' }),
      await viewer.patch(maxRule.body.url, { constraint: '12' }),
      await viewer.delete(maxRule.body.url),
    ]) {
      expect(response).toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      });
    }
    const never = await otherOrganization.owner.get(`projects/${NOWHERE}/parameters/${NOWHERE}/rules/`);
    for (const response of [
      await otherOrganization.owner.get(maxRule.body.url),
      await otherOrganization.owner.get(`${parameter.url}rules/`),
      await otherOrganization.owner.patch(maxRule.body.url, { constraint: '12' }),
      await otherOrganization.owner.delete(maxRule.body.url),
    ]) {
      expect(response).toMatchObject({ status: 404, text: never.text });
    }
    expect((await fetch(maxRule.body.url)).status).toBe(401);
  });
});
