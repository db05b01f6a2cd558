import type { Environment, Page, Parameter, ParameterType, ParameterTypeRule, Project, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createTypeBelow, rule, statusAndCode } from '../../testing/types.ts';

/** Tests the rules of types (behaviour.md §8.2). The rules of parameters have their own test file. */ let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a rule of a type', () => {
  it('is created, listed, filtered, read, changed and deleted, and returned completely each time', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const word = await createTypeBelow(organization, 'string', 'word');

    const createResponse = await rule(organization, word, 'min_len', 2);
    await rule(organization, word, 'max_len', '8');
    await rule(organization, word, 'regex', '[a-z]+$');

    expect(createResponse).toMatchObject({
      status: 201,
      headers: { location: createResponse.body.url },
      body: { parameter_type: word.url, type: 'min_len', constraint: '2', created_at: createResponse.body.modified_at },
    });
    expect(createResponse.body.url).toBe(`${word.url}rules/${createResponse.body.id}/`);
    const kinds = async (query: string) =>
      (await owner.get<Page<ParameterTypeRule>>(`${word.url}rules/?${query}`)).body.results.map(({ type }) => type);
    expect(await kinds('')).toEqual(['max_len', 'min_len', 'regex']);
    expect(await kinds('type=regex')).toEqual(['regex']);
    expect(await kinds('ordering=-type&page_size=2')).toEqual(['regex', 'min_len']);
    expect(await kinds(`id__in=${createResponse.body.id}`)).toEqual(['min_len']);
    expect(await owner.get(`${word.url}rules/?type=enum`)).toMatchObject({
      status: 400,
      body: { type: [expect.any(String)] },
    });
    expect(await owner.get(`${word.url}rules/?page=2`)).toMatchObject({
      status: 404,
      body: { detail: 'Invalid page.' },
    });

    const put = await owner.put<ParameterTypeRule>(createResponse.body.url, {
      id: createResponse.body.id,
      parameter_type: word.id,
      created_at: '',
      modified_at: null,
      type: 'min_len',
      constraint: '3',
    });
    expect(put).toMatchObject({
      status: 200,
      body: { ...createResponse.body, constraint: '3', ledger_id: expect.any(String), modified_at: expect.any(String) },
    });
    expect(put.body.ledger_id).not.toBe(createResponse.body.ledger_id);
    const same = await owner.patch(createResponse.body.url, { constraint: '3' });
    expect(same).toMatchObject({ status: 200, body: put.body, headers: { 'x-revision': put.headers['x-revision'] } });
    expect(await owner.delete(createResponse.body.url)).toMatchObject({ status: 204, text: '' });
    expect(await owner.get(createResponse.body.url)).toMatchObject({ status: 404 });
    expect((await owner.get<ParameterType>(word.url)).body.rules.map(({ type }) => type)).toEqual(['max_len', 'regex']);
  });

  it('is unique for its kind (E51b), and can be changed to another kind', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const port = await createTypeBelow(organization, 'integer', 'port');
    const min = await rule(organization, port, 'min', '1');
    await rule(organization, port, 'max', '9');

    for (const response of [
      await rule(organization, port, 'min', '2'),
      await owner.patch(min.body.url, { type: 'max' }),
    ]) {
      expect(response).toMatchObject({ status: 400, body: { type: [expect.stringContaining('port')] } });
      expect(statusAndCode(response)).toBe('400 duplicate_rule');
    }
    await owner.delete(
      `${port.url}rules/${(await owner.get<Page<ParameterTypeRule>>(`${port.url}rules/?type=max`)).body.results[0]?.id}/`,
    );
    expect(await owner.patch(min.body.url, { type: 'max' })).toMatchObject({
      status: 200,
      body: { type: 'max', constraint: '1' },
    });
  });

  it('can equal its counterpart, but must not contradict it (E52)', async () => {
    const organization = await core.organization();
    const [port, word] = [
      await createTypeBelow(organization, 'integer', 'port'),
      await createTypeBelow(organization, 'string', 'word'),
    ];
    await rule(organization, port, 'min', '5');
    await rule(organization, word, 'max_len', '5');

    for (const response of [
      await rule(organization, port, 'max', '4'),
      await rule(organization, word, 'min_len', '6'),
    ]) {
      expect(response).toMatchObject({ status: 400, body: [expect.stringContaining('5')] });
      expect(statusAndCode(response)).toBe('400 rules_cross');
    }
    expect((await rule(organization, port, 'max', '5')).status).toBe(201);
    expect((await rule(organization, word, 'min_len', '5')).status).toBe(201);
  });

  it('requires a valid constraint', async () => {
    const organization = await core.organization();
    const port = await createTypeBelow(organization, 'integer', 'port');
    const word = await createTypeBelow(organization, 'string', 'word');
    const expectRejectedRule = async (type: ParameterType, kind: string, constraint: unknown) => {
      const response = await rule(organization, type, kind, constraint);
      expect(response).toMatchObject({ status: 400, body: { constraint: [expect.any(String)] } });
      return (response.body as unknown as { constraint: string[] }).constraint[0];
    };

    for (const odd of ['', 'x', '1.5', ' 1', '1e9', null, [], '9'.repeat(1025)])
      await expectRejectedRule(port, 'max', odd);
    await expectRejectedRule(word, 'min_len', '-1');
    expect(await expectRejectedRule(word, 'regex', '(?=look)ahead')).toMatch(/RE2.*look-around/);
    expect(await expectRejectedRule(word, 'regex', '(a)\\1')).toMatch(/back-references/);
    expect(await expectRejectedRule(word, 'regex', '((a{10}){10}){10}'.repeat(9))).toMatch(/too large/);
    expect(await rule(organization, word, 'sort', 'x')).toMatchObject({
      status: 400,
      body: { type: [expect.any(String)] },
    });
    expect((await rule(organization, port, 'max', '9'.repeat(1024))).status).toBe(201);
  });

  it('is validated in a fixed order: kind, syntax, contradiction and parent, stored values', async () => {
    const organization = await core.organization();
    const flag = await createTypeBelow(organization, 'boolean', 'flag');
    expect(statusAndCode(await rule(organization, flag, 'min_len', '-5'))).toBe('400 rule_kind_illegal');
    const port = await createTypeBelow(organization, 'integer', 'port');
    const web = await createTypeBelow(organization, 'port', 'web');
    await rule(organization, port, 'max', '100');
    await rule(organization, web, 'min', '50');
    const parameter = await organization.parameter({ type: 'web' });
    await organization.value({ parameter, internal_value: '60' });

    expect(statusAndCode(await rule(organization, web, 'max', 'x'))).toBe('400 invalid_constraint');
    expect(statusAndCode(await rule(organization, web, 'max', '40'))).toBe('400 rules_cross');
    expect(statusAndCode(await rule(organization, web, 'max', '101'))).toBe('400 looser_than_parent');
    expect(statusAndCode(await rule(organization, web, 'max', '55'))).toBe('400 existing_values');
    expect(statusAndCode(await rule(organization, web, 'max', '60'))).toBe('201 undefined');
  });

  it('checks the values of all projects and environments, including secrets, and quotes none', async () => {
    const organization = await core.organization();
    const word = await createTypeBelow(organization, 'string', 'word');
    const [firstProject, secondProject] = [
      await organization.project({ name: 'one' }),
      await organization.project({ name: 'other' }),
    ];
    const staging = await organization.environmentNamed('staging');
    const make = async (project: typeof firstProject, name: string, secret: boolean, environment?: Environment) => {
      const parameter = await organization.parameter({ project, name, type: 'word', secret });
      await organization.value({ parameter, internal_value: 'hunter2hunter2', ...(environment && { environment }) });
    };
    await make(firstProject, 'secret', true, staging);
    await make(firstProject, 'twice', false);
    await make(secondProject, 'twice', true);
    await make(secondProject, 'also', false, staging);
    const empty = await organization.parameter({ project: firstProject, name: 'null', type: 'word' });
    await organization.value({ parameter: empty, internal_value: null });

    const response = await rule(organization, word, 'max_len', '5');

    expect(response.body).toEqual([
      expect.stringContaining('word: also, secret, twice (in one), twice (in other). The value must have at most 5'),
    ]);
    expect(response.text).not.toContain('hunter2');
    expect((await rule(organization, word, 'regex', 'hunter')).status).toBe(201);
  });

  it('finds a violation among many hundred values, in several batches', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const word = await createTypeBelow(organization, 'string', 'word');
    const root = await organization.project({ name: 'root' });
    for (let n = 0; n < 20; n += 1) {
      const parameter = await organization.parameter({ project: root, name: `p${n}`, type: 'word' });
      await organization.value({ parameter, internal_value: n === 7 ? '{{ p1 }}' : 'short', interpolated: n === 7 });
    }
    // Each step copies all projects, which doubles them up to 32.
    for (let step = 1; step <= 5; step += 1) {
      const { results } = (await owner.get<Page<Project>>('projects/?page_size=100')).body;
      const names = Object.fromEntries(results.map(({ name }) => [name, `${name}.${step}`]));
      const input = { name: `copy ${step}`, recursive: true, child_project_names: names, depends_on: root.url };
      expect((await owner.post(`${root.url}copy/`, input)).status).toBe(201);
    }
    expect((await rule(organization, word, 'max_len', '5')).status).toBe(201);
    const { results } = (await owner.get<Page<Parameter>>(`${root.url}parameters/?name=p1`)).body;
    const { body: max } = await owner.get<Page<{ url: string }>>(`${word.url}rules/`);
    await owner.patch(max.results[0]?.url ?? '', { constraint: '9' });
    await owner.patch(results[0]?.values_flat[0]?.url ?? '', { internal_value: 'too long' });

    expect(await owner.patch(max.results[0]?.url ?? '', { constraint: '5' })).toMatchObject({
      status: 400,
      body: [expect.stringMatching(/of word: p1, p7\. The value must have at most 5/)],
    });
  });

  it('does not reveal the contents of a forbidden project', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const word = await createTypeBelow(organization, 'string', 'word');
    const [open, closed] = [await organization.project(), await organization.project()];
    for (const [project, name] of [
      [open, 'visible'],
      [closed, 'invisible'],
    ] as const) {
      const parameter = await organization.parameter({ project, name, type: 'word' });
      await organization.value({ parameter, internal_value: 'a long text' });
    }
    const { body: me } = await owner.get<{ url: string }>('users/current/');
    await owner.post('grants/', { principal: me.url, scope: closed.url, role: 'OWNER' });

    for (const constraint of ['a.*', 'b.*']) {
      const response = await organization.as('CONTRIB').post(`${word.url}rules/`, { type: 'regex', constraint });
      expect(response).toMatchObject({ status: 403, body: { detail: expect.stringContaining('cannot access') } });
    }
    const response = await rule(organization, word, 'max_len', '3');
    expect(response).toMatchObject({ status: 400, body: [expect.stringContaining('word: invisible, visible')] });
    const inUse = await organization.as('CONTRIB').delete(word.url);
    expect(inUse).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('visible, and 1 in projects') },
    });
    expect(inUse.text).not.toContain('invisible');
  });

  it('counts characters as people do, and matches patterns from the start of the text', async () => {
    const organization = await core.organization();
    const word = await createTypeBelow(organization, 'string', 'word');
    await rule(organization, word, 'max_len', '3');
    await rule(organization, word, 'min_len', '2');
    await rule(organization, word, 'regex', '[a-z😀]');
    const parameter = await organization.parameter({ type: 'word' });
    const set = async (text: string) => {
      const environment = await organization.environment();
      return organization.owner.post<{ internal_value: unknown }>(`${parameter.url}values/`, {
        environment: environment.url,
        internal_value: text,
      });
    };

    expect([(await set('😀😀😀')).status, (await set('ab')).status]).toEqual([201, 201]);
    const tooLong = await set('😀😀😀😀');
    expect(tooLong).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('at most 3')] } });
    const all = await set('X');
    expect(all.body.internal_value).toEqual([
      expect.stringContaining('at least 2'),
      expect.stringContaining('[a-z😀]'),
    ]);
    expect(statusAndCode(all)).toBe('400 rule_violation');
  });

  it('compares integers of any size', async () => {
    const organization = await core.organization();
    const big = await createTypeBelow(organization, 'integer', 'big');
    const limit = `1${'0'.repeat(900)}`;
    await rule(organization, big, 'max', limit);
    const parameter = await organization.parameter({ type: 'big' });
    const set = async (text: string) =>
      (
        await organization.owner.post<Value>(`${parameter.url}values/`, {
          environment: (await organization.environment()).id,
          internal_value: text,
        })
      ).status;

    expect(await set(limit)).toBe(201);
    expect(await set(`-9${limit}`)).toBe(201);
    expect(await set(`+000${limit}`)).toBe(201);
    expect(await set(`9${'0'.repeat(899)}`)).toBe(201);
    expect(await set(`1${'0'.repeat(900).replace(/.$/, '1')}`)).toBe(400);
    expect(await set('9'.repeat(2_000))).toBe(400);
  });
});

// hostile-patterns.spec.ts measures that the main thread remains available meanwhile.
describe('patterns that take extremely long', () => {
  it('are aborted, which the error reports', async () => {
    const organization = await core.organization();
    const word = await createTypeBelow(organization, 'string', 'word');
    expect((await rule(organization, word, 'regex', '(?:.*a){300}c')).status).toBe(201);
    const parameter = await organization.parameter({ type: 'word' });
    const text = Array.from({ length: 65_536 }, (_, n) => ((n * 2_654_435_761) % 97 < 48 ? 'a' : 'b')).join('');

    const response = await organization.owner.post(`${parameter.url}values/`, {
      environment: (await organization.environmentNamed('default')).url,
      internal_value: text,
    });

    expect(response).toMatchObject({ status: 400, body: { internal_value: [expect.stringContaining('too long')] } });
  });
});
