import { Failure, pointerSegments } from '@strata/domain';
import { EnvironmentUpdate } from './environment.ts';
import {
  ChangesetRequest,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPatch,
  EventListQuery,
  MembershipListQuery,
  ParameterCreate,
  ParameterListQuery,
  ProjectCreate,
  parseBody,
  parseQuery,
  ServiceAccountCreate,
  ServiceAccountRekey,
  UserListQuery,
  ValueCreate,
  ValueUpdate,
  WebhookCreate,
  WebhookPatch,
} from './index.ts';

function catchFailure(action: () => unknown): Failure {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('Nothing was rejected.');
}

describe('parseBody', () => {
  it('ignores unknown and read-only fields, however malformed', () => {
    const body = { url: '', id: 7, name: 'ops', created_at: '', modified_at: null, role: [], wrap: true };
    expect(parseBody(EnvironmentCreate, body)).toEqual({ name: 'ops', description: '', parent: null });
  });

  it('trims names, but never values', () => {
    expect(parseBody(ParameterCreate, { name: '  a b\u00a0' }).name).toBe('a b');
    expect(parseBody(ValueUpdate, { internal_value: ' x\n' })).toEqual({ internal_value: ' x\n' });
  });

  it.each`
    schema                  | body                                                      | code          | problem
    ${EnvironmentCreate}    | ${{}}                                                     | ${'required'} | ${{ field: 'name', message: 'This field is required.' }}
    ${EnvironmentCreate}    | ${undefined}                                              | ${'required'} | ${{ field: 'name', message: 'This field is required.' }}
    ${EnvironmentCreate}    | ${{ name: ' \t ' }}                                       | ${'blank'}    | ${{ field: 'name', message: 'This field may not be blank.' }}
    ${EnvironmentCreate}    | ${{ name: null }}                                         | ${'invalid'}  | ${{ field: 'name', message: 'This field may not be null.' }}
    ${EnvironmentCreate}    | ${{ name: 5 }}                                            | ${'invalid'}  | ${{ field: 'name', message: 'Not a valid string.' }}
    ${EnvironmentCreate}    | ${{ name: 'n'.repeat(257) }}                              | ${'too_long'} | ${{ field: 'name', message: 'Ensure this field has no more than 256 characters.' }}
    ${EnvironmentPatch}     | ${{ name: '' }}                                           | ${'blank'}    | ${{ field: 'name', message: 'This field may not be blank.' }}
    ${EnvironmentPatch}     | ${{ access_controlled: 'maybe' }}                         | ${'invalid'}  | ${{ field: 'access_controlled', message: 'Must be a valid boolean.' }}
    ${ProjectCreate}        | ${{ name: 'p', parameter_name_pattern: 'x'.repeat(257) }} | ${'too_long'} | ${{ field: 'parameter_name_pattern', message: 'Ensure this field has no more than 256 characters.' }}
    ${ValueCreate}          | ${{ internal_value: 'x' }}                                | ${'required'} | ${{ field: 'environment', message: 'This field is required.' }}
    ${ValueUpdate}          | ${{ internal_value: true }}                               | ${'invalid'}  | ${{ field: 'internal_value', message: 'Not a valid string.' }}
    ${ValueUpdate}          | ${{ internal_value: ['x'] }}                              | ${'invalid'}  | ${{ field: 'internal_value', message: 'Not a valid string.' }}
    ${ValueUpdate}          | ${{ internal_value: { a: 1 } }}                           | ${'invalid'}  | ${{ field: 'internal_value', message: 'Not a valid string.' }}
    ${ValueUpdate}          | ${{ internal_value: 'x'.repeat(65_537) }}                 | ${'too_long'} | ${{ field: 'internal_value', message: 'Ensure this field has no more than 65536 characters.' }}
    ${ServiceAccountCreate} | ${{ name: 'ci', role: 'viewer' }}                         | ${'invalid'}  | ${{ field: 'role', message: 'Not a valid choice. Choose from: VIEWER, CONTRIB, ADMIN, OWNER.' }}
    ${ServiceAccountRekey}  | ${{ expire_at: 'soon' }}                                  | ${'invalid'}  | ${{ field: 'expire_at', message: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' }}
    ${EnvironmentCreate}    | ${['name']}                                               | ${'invalid'}  | ${{ field: 'non_field_errors', message: 'Invalid data. Expected an object.' }}
    ${EnvironmentCreate}    | ${'name'}                                                 | ${'invalid'}  | ${{ field: 'non_field_errors', message: 'Invalid data. Expected an object.' }}
  `('case $#: rejects with $code at $problem.field', ({ schema, body, code, problem }) => {
    expect(catchFailure(() => parseBody(schema, body))).toMatchObject({
      kind: 'invalid',
      shape: 'fields',
      code,
      problems: [problem],
    });
  });

  it('reports every invalid field', () => {
    const { problems } = catchFailure(() => parseBody(ParameterCreate, { description: 3, secret: 'x' }));
    expect(problems.map(({ field }) => field).sort()).toEqual(['description', 'name', 'secret']);
  });

  it.each([['name'], ['description']])('rejects texts that cannot be stored in %s', (field) => {
    for (const bad of ['a\0b', 'a\ud800b']) {
      const error = catchFailure(() => parseBody(EnvironmentCreate, { name: 'n', [field]: bad }));
      expect(error).toMatchObject({ code: 'invalid', problems: [{ field }] });
    }
  });

  it('counts characters instead of UTF-16 units', () => {
    expect(parseBody(EnvironmentCreate, { name: '😀'.repeat(256) }).name).toHaveLength(512);
  });

  it('accepts numbers as values and distinguishes null from an absent member', () => {
    expect(parseBody(ValueCreate, { environment: 'e', internal_value: 5 }).internal_value).toBe('5');
    expect(parseBody(ValueUpdate, { internal_value: null })).toEqual({ internal_value: null });
    expect(parseBody(ValueUpdate, { external: false, interpolated: false })).toEqual({
      external: false,
      interpolated: false,
    });
  });

  it('ignores the environment of an existing value', () => {
    expect(parseBody(ValueUpdate, { environment: [], internal_value: '' })).toEqual({ internal_value: '' });
  });

  it('treats a null description as empty and an absent one as unchanged', () => {
    expect(parseBody(EnvironmentPatch, { description: null })).toEqual({ description: '' });
    expect(parseBody(EnvironmentUpdate, { name: 'e' })).toEqual({ name: 'e' });
  });

  it('accepts the texts that forms send', () => {
    expect(parseBody(ParameterCreate, { name: 'p', secret: 'true' }).secret).toBe(true);
    expect(parseBody(EnvironmentPatch, { access_controlled: 'False', parent: '' })).toEqual({
      access_controlled: false,
      parent: null,
    });
  });

  it('handles names of inherited object members', () => {
    const body = JSON.parse('{"__proto__":{"name":"evil"},"constructor":{"name":"evil"}}');
    expect(catchFailure(() => parseBody(EnvironmentCreate, body)).code).toBe('required');
  });
});

describe('the body of a changeset', () => {
  const set = { project: 'web', environment: 'default', values: { A: '1' } };
  const operations = [{ set }];

  it.each`
    body                                                             | pointer                             | message                                                              | params
    ${{ operations, dry_run: true }}                                 | ${''}                               | ${'Unknown: dry_run. Correct the name, or omit it.'}                 | ${{ names: ['dry_run'] }}
    ${{ operations: [{ operation: 'projects_create', boddy: {} }] }} | ${'/operations/0'}                  | ${'0: Unknown: boddy. Correct the name, or omit it.'}                | ${{ names: ['boddy'] }}
    ${{ operations: [{ set: { ...set, a: 1, b: 2 } }] }}             | ${'/operations/0/set'}              | ${'0.set: Unknown: a, b. Correct the name, or omit it.'}             | ${{ names: ['a', 'b'] }}
    ${{ operations: [{ set: { ...set, values: { 'A/~': 5 } } }] }}   | ${'/operations/0/set/values/A~1~0'} | ${'0.set.values.A/~: Give a text, null, or an object with `value`.'} | ${{}}
    ${{ operations, base_revision: -1 }}                             | ${'/base_revision'}                 | ${'Ensure this value is greater than or equal to 0.'}                | ${{ limit: 0 }}
  `('says $message', ({ body, pointer, message, params }) => {
    const [field = 'non_field_errors'] = pointerSegments(pointer);
    const { problems } = catchFailure(() => parseBody(ChangesetRequest, body));
    expect(problems).toEqual([expect.objectContaining({ field, message, params, pointer, code: 'invalid' })]);
  });

  it('names only a few unknown members, regardless of their number and length', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `${n}${'x'.repeat(500)}`);
    const body = { operations, ...Object.fromEntries(names.map((name) => [name, 1])) };
    const { message } = catchFailure(() => parseBody(ChangesetRequest, body));
    expect(message).toContain(' and 995 more.');
    expect(message.length).toBeLessThan(500);
  });
});

describe('webhook bodies', () => {
  const hook = {
    name: 'ops',
    event_types: ['value_updated', 'value_updated'],
    type: 'slack',
    configuration: { token: 'xoxb-1', channel: '#ops', username: 'strata', colour: 'red' },
  };

  it('are parsed without unknown members and duplicates', () => {
    expect(parseBody(WebhookCreate, hook)).toEqual({
      ...hook,
      event_types: ['value_updated'],
      configuration: { token: 'xoxb-1', channel: '#ops', username: 'strata' },
    });
  });

  it('name the key of the configuration that is missing', () => {
    const body = { ...hook, configuration: { token: 'xoxb-1', username: 'strata' } };
    expect(catchFailure(() => parseBody(WebhookCreate, body)).problems).toEqual([
      {
        ...{ field: 'configuration', message: 'channel: This field is required.', code: 'required' },
        ...{ pointer: '/configuration/channel', detail: 'This field is required.', params: {} },
      },
    ]);
  });

  it('reject unknown events without repeating the token', () => {
    const body = { ...hook, event_types: ['value_read'], configuration: { ...hook.configuration, token: ['secret!'] } };
    const error = catchFailure(() => parseBody(WebhookCreate, body));
    expect(error.problems.map(({ field }) => field)).toEqual(['event_types', 'configuration']);
    expect(error.message).not.toContain('secret!');
  });

  it('can change the channel without the token', () => {
    expect(parseBody(WebhookPatch, { configuration: { channel: '#new' } })).toEqual({
      configuration: { channel: '#new' },
    });
  });
});

describe('parseQuery', () => {
  it('ignores unknown and empty parameters', () => {
    const query = { wrap: 'true', partial_success: '', name: '', name__icontains: 'x' };
    expect(parseQuery(EnvironmentListQuery, query)).toEqual({ name__icontains: 'x', page: 1, page_size: 500 });
  });

  it('uses the last of repeated parameters', () => {
    expect(parseQuery(EnvironmentListQuery, { name: ['a', 'b'] }).name).toBe('b');
    expect(parseQuery(EnvironmentListQuery, { name: ['a', ''] }).name).toBeUndefined();
  });

  it.each`
    text       | size
    ${'0'}     | ${500}
    ${'-1'}    | ${500}
    ${'abc'}   | ${500}
    ${'1e9'}   | ${500}
    ${'7'}     | ${7}
    ${'99999'} | ${2500}
  `('parses page_size=$text as $size', ({ text, size }) => {
    expect(parseQuery(EnvironmentListQuery, { page_size: text }).page_size).toBe(size);
  });

  it.each(['0', '-1', 'abc', '1e9', '1.5', '99999999999999999999'])('has no page %s', (page) => {
    expect(catchFailure(() => parseQuery(EnvironmentListQuery, { page, id__in: 'x' }))).toMatchObject({
      kind: 'not_found',
      shape: 'detail',
      message: 'Invalid page.',
    });
  });

  it.each(['true', 'True', '1'])('takes %s for true', (text) => {
    expect(parseQuery(ParameterListQuery, { mask_secrets: text, values: text })).toMatchObject({
      mask_secrets: true,
      values: true,
      evaluate: true,
    });
  });

  it.each`
    schema                 | parameter         | text
    ${ParameterListQuery}  | ${'mask_secrets'} | ${'yes'}
    ${ParameterListQuery}  | ${'as_of'}        | ${'yesterday'}
    ${ParameterListQuery}  | ${'revision'}     | ${'-1'}
    ${ParameterListQuery}  | ${'id__in'}       | ${'nonsense'}
    ${ParameterListQuery}  | ${'name'}         | ${'a\0'}
    ${UserListQuery}       | ${'id__in'}       | ${'a\0'}
    ${MembershipListQuery} | ${'role'}         | ${'BOSS'}
    ${EventListQuery}      | ${'wait'}         | ${'31'}
    ${EventListQuery}      | ${'limit'}        | ${'0'}
    ${EventListQuery}      | ${'types'}        | ${'value_read'}
  `('case $#: rejects invalid values of $parameter', ({ schema, parameter, text }) => {
    expect(catchFailure(() => parseQuery(schema, { [parameter]: text }))).toMatchObject({
      kind: 'invalid',
      shape: 'fields',
      problems: [{ field: parameter }],
    });
  });

  it('parses times in any form, also with an unescaped plus', () => {
    const parseAsOfTime = (text: string) => parseQuery(ParameterListQuery, { as_of: text }).as_of;
    expect(parseAsOfTime('2023-03-15T09:38:48.368-04:00')).toBe('2023-03-15T13:38:48.368000Z');
    expect(parseAsOfTime('2023-03-15T13:38:48.3689999 02:00')).toBe('2023-03-15T11:38:48.368999Z');
    expect(parseAsOfTime('2023-03-15')).toBe('2023-03-15T00:00:00.000000Z');
  });

  it('removes duplicate ids and rejects more than 500', () => {
    const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    expect(parseQuery(EnvironmentListQuery, { id__in: `${id(1)}, ${id(2)},${id(1)}` }).id__in).toEqual([id(1), id(2)]);
    const many = Array.from({ length: 501 }, (_, n) => id(n)).join();
    expect(catchFailure(() => parseQuery(EnvironmentListQuery, { id__in: many })).problems[0]?.field).toBe('id__in');
  });

  it('reads an ordering', () => {
    expect(parseQuery(EnvironmentListQuery, { ordering: 'name,-created_at' }).ordering).toEqual([
      { field: 'name', descending: false },
      { field: 'created_at', descending: true },
    ]);
  });

  it('rejects more than twenty fields to sort by', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}`).join(',');
    expect(parseQuery(EnvironmentListQuery, { ordering: fields(20) }).ordering).toHaveLength(20);
    expect(catchFailure(() => parseQuery(EnvironmentListQuery, { ordering: fields(21) })).problems).toEqual([
      expect.objectContaining({ field: 'ordering', message: 'Order by at most 20 fields.' }),
    ]);
  });

  it('handles __proto__', () => {
    const query = JSON.parse('{"__proto__":{"name":"evil"},"name__icontains":"x"}');
    expect(parseQuery(EnvironmentListQuery, query).name).toBeUndefined();
    expect(parseQuery(EnvironmentListQuery, Object.create({ name: 'evil' })).name).toBeUndefined();
  });
});

it('a client can send back a plan of an earlier version, whose rejected operations have fewer members', () => {
  const operations = [{ unset: { project: 'web', environment: 'default', names: ['PORT'] } }];
  const plan = { refusals: [{ index: 0 }, { index: 1, status: 404, code: 'not_found', error: 'Not found.' }] };

  expect(parseBody(ChangesetRequest, { operations, plan })).toMatchObject({ plan });
});
