import { type ExistingState, type Platform, planImport, readSnapshot } from './index.ts';

const EMPTY: ExistingState = {
  environments: new Map(),
  types: new Map(),
  projects: new Map(),
  contents: new Map(),
  webhooks: new Set(),
  tags: new Map(),
  groups: new Map(),
  people: [],
  grants: [],
  callerId: null,
};

const platformWith = (more: Partial<Platform>): Platform => ({ environments: [], types: [], projects: [], ...more });

const projectNamed = (name: string, dependsOn: string | null = null) => ({
  name,
  dependsOn,
  description: '',
  parameters: [],
  templates: [],
});

const scope = (id: string) => ({ id, parent: null, description: '', isControlled: false });

describe('a snapshot file', () => {
  it.each`
    what                       | text                                                                                        | problem
    ${'text that is not JSON'} | ${'PORT=hunter2'}                                                                           | ${'not valid JSON'}
    ${'a list'}                | ${'["hunter2"]'}                                                                            | ${'it must be an object'}
    ${'a missing member'}      | ${'{"environments": {}}'}                                                                   | ${'`projects` is missing'}
    ${'a wrong member'}        | ${'{"environments": {"qa": {"name": 7}}, "projects": {}}'}                                  | ${'`environments.qa.name` must be a string'}
    ${'an unknown role'}       | ${'{"environments": {}, "projects": {}, "grants": [{"principal": {}, "role": "hunter2"}]}'} | ${'`grants[0].role` has a value that is not supported'}
  `('names the first wrong member and quotes no value: $what', ({ text, problem }) => {
    const reading = readSnapshot(text);

    expect(reading.problem).toContain(problem);
    expect(reading.problem).not.toContain('hunter2');
  });

  it('can have objects of any name', () => {
    const text = `{"environments": {}, "projects": {"__proto__": {"name": "__proto__", "parameters": {"constructor": {"name": "constructor", "param_type": "string", "secret": false}}}}}`;
    const { platform } = readSnapshot(text);

    expect(platform?.projects).toMatchObject([{ name: '__proto__', parameters: [{ name: 'constructor' }] }]);
  });
});

describe('the plan of an import', () => {
  it('creates parents before children', () => {
    const rows = ['c', 'b', 'a'].map((name, index) => projectNamed(name, ['b', 'a', null][index] ?? null));
    const text = JSON.stringify({
      environments: {},
      projects: Object.fromEntries(rows.map(({ name, dependsOn }) => [name, { name, parent: dependsOn }])),
    });
    const { platform } = readSnapshot(text);

    const plan = planImport(platform ?? platformWith({}), EMPTY);

    expect(plan.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(plan[1]?.operation?.body).toMatchObject({ depends_on: { $ref: plan[0]?.key } });
  });

  it('lists parents that form a cycle as conflicts', () => {
    const platform = platformWith({ projects: [projectNamed('a', 'b'), projectNamed('b', 'a')] });

    expect(planImport(platform, EMPTY).map(({ effect }) => effect)).toEqual(['conflict', 'conflict']);
  });

  it.each`
    imported      | present    | reason
    ${'ﬁle'}      | ${'file'}  | ${/looks like “file”/}
    ${'Shop'}     | ${'shop'}  | ${/differs only in case/}
    ${'a\u202eb'} | ${'other'} | ${/invisible character U\+202E/}
    ${'O0'}       | ${'OO'}    | ${null}
  `('reports a clash of $imported with $present', ({ imported, present, reason }) => {
    const organization = { ...EMPTY, projects: new Map([[present, scope('1')]]) };
    const [item] = planImport(platformWith({ projects: [projectNamed(imported)] }), organization);

    expect(item?.effect).toBe(reason === null ? 'created' : 'conflict');
    if (reason !== null) expect(item?.reason).toMatch(reason);
  });

  it('creates both of two names that differ only in case if the snapshot has both', () => {
    const organization = { ...EMPTY, projects: new Map([['shop', scope('1')]]) };
    const plan = planImport(platformWith({ projects: [projectNamed('shop'), projectNamed('Shop')] }), organization);

    expect(plan.map(({ effect }) => effect)).toEqual(['unchanged', 'created']);
  });

  it('restricts a project before anything is created in it', () => {
    const value = { environment: 'default', text: 'hunter2', isDynamic: false };
    const parameter = { name: 'TOKEN', type: 'string', secret: true, description: '', rules: {}, values: [value] };
    const platform = platformWith({
      projects: [{ ...projectNamed('vault'), parameters: [parameter] }],
      grants: [{ principal: { email: 'ada@example.com' }, project: 'vault', role: 'OWNER' }],
    });
    const organization = {
      ...EMPTY,
      environments: new Map([['default', scope('1')]]),
      types: new Map([['string', { id: '2', parent: null, description: '', rules: new Map() }]]),
    };
    const plan = planImport(platform, organization);

    expect(plan.map(({ kind, name, effect }) => [kind, name, effect])).toEqual([
      ['project', 'vault', 'created'],
      ['grant', 'restricted', 'created'],
      ['parameter', 'TOKEN', 'created'],
      ['value', 'TOKEN', 'created'],
      ['grant', 'ada@example.com OWNER', 'skipped'],
    ]);
    expect(new Set(plan.slice(0, 4).map(({ part }) => part))).toEqual(new Set(['vault']));
  });
});
