import type { ImportParameter, ImportResponse, Page, Parameter, Project, Value } from '@strata/contract';
import { countCases, ledgerProblems } from '@strata/testkit';
import fc from 'fast-check';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess } from '../../../testing/core-in-process.ts';
import {
  createImportFixture,
  importBody,
  importParameters,
  readRevision,
  toActionsByName,
} from '../../../testing/import-fixture.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

describe('a preview of an import', () => {
  it('only reads: it returns during another write and during maintenance', async () => {
    const { organization } = await createImportFixture(core);
    const input = { body: 'A=2\nNEW=1' };
    const writer = new pg.Client({ connectionString: core.database.url });
    await writer.connect();
    try {
      await writer.query('begin');
      await writer.query('select from organization_head where organization_id = $1 for update', [organization.id]);
      expect(toActionsByName(await importParameters(organization, input, '?preview=true'))).toEqual({
        A: 'overridden',
        NEW: 'created',
      });
      await writer.query('rollback');
      await writer.query('update organization set maintenance = true where id = $1', [organization.id]);
    } finally {
      await writer.end();
    }

    expect(toActionsByName(await importParameters(organization, input, '?preview=true'))).toEqual({
      A: 'overridden',
      NEW: 'created',
    });
    expect(await organization.owner.post('import/', importBody(input))).toMatchObject({ status: 503 });
  });
});

describe('an import', () => {
  it('skips inherited values, creates new ones, and has the same result in a preview, which stores nothing (H10)', async () => {
    const { organization, project, dev } = await createImportFixture(core);
    const input = { body: "A=1\nB='x'\n", secrets: ['B'] };
    const before = await readRevision(organization);

    const preview = await importParameters(organization, input, '?preview=true');
    expect(await readRevision(organization)).toBe(before);
    const done = await importParameters(organization, input);

    const common = { project_name: 'p', project_id: project.id, environment_name: 'dev', environment_id: dev.id };
    expect(preview).toMatchObject([
      { ...common, parameter_name: 'A', action: 'inherited', value: '1', secret: false },
      {
        ...common,
        parameter_name: 'B',
        action: 'created',
        value: 'x',
        secret: true,
        parameter_id: null,
        value_id: null,
      },
    ]);
    expect(preview[1]).toMatchObject({ created_at: null, modified_at: null });
    expect(toActionsByName(done)).toEqual(toActionsByName(preview));
    expect(done[0]).toEqual(preview[0]);
    const b = (await organization.owner.get<Parameter>(`${project.url}parameters/${done[1]?.parameter_id}/`)).body;
    expect(b).toMatchObject({ name: 'B', secret: true });
    expect(b.values[dev.url]).toMatchObject({ id: done[1]?.value_id, value: 'x', modified_at: done[1]?.modified_at });
    expect((await organization.owner.get<Page<object>>(`audit/?project_id=${project.id}`)).body.count).toBe(5);
  });

  it('raises its events in a fixed order: created parameters, created values, changed values, as the request lists them', async () => {
    const { organization, project, dev, a } = await createImportFixture(core);
    const { owner } = organization;
    await organization.value({ parameter: a, environment: dev, internal_value: 'before' });
    type Feed = { cursor: string; results: { type: string; parameter: { name: string } | null }[] };
    const writes: [string, () => Promise<{ status: number }>][] = [
      ['M', () => owner.post('import/', importBody({ body: 'A=M\nM2=1\nM1=1\n' }))],
      [
        'N',
        () =>
          owner.post('changesets/', {
            operations: [
              {
                set: {
                  ...{ project: project.id, environment: dev.id, create_missing: true },
                  values: { A: { value: 'N' }, N2: { value: '1' }, N1: { value: '1' } },
                },
              },
            ],
          }),
      ],
    ];
    for (const [prefix, write] of writes) {
      const { cursor } = (await owner.get<Feed>('events/?after=now')).body;
      expect((await write()).status).toBeLessThan(300);

      const { results } = (await owner.get<Feed>(`events/?after=${cursor}`)).body;

      expect(results.map(({ type, parameter }) => `${type} ${parameter?.name}`)).toEqual([
        `parameter_created ${prefix}2`,
        `parameter_created ${prefix}1`,
        `value_created ${prefix}2`,
        `value_created ${prefix}1`,
        'value_updated A',
      ]);
    }
  });

  it('performs each of the five actions, and counts only differences as changes', async () => {
    const { organization, project, dev, a } = await createImportFixture(core);
    await organization.value({ parameter: a, environment: dev, internal_value: '2' });
    for (const name of ['SAME', 'UP', 'DOWN']) {
      const parameter = await organization.parameter({ project, name });
      await organization.value({ parameter, internal_value: 'x' });
    }
    const body = 'A=2\nSAME=x\nUP=y\nNEW=\nDOWN=x';

    expect(toActionsByName(await importParameters(organization, { body, ignore: ['DOWN'] }))).toEqual({
      A: 'unchanged',
      SAME: 'inherited',
      UP: 'overridden',
      NEW: 'created',
    });
    const at = await readRevision(organization);
    expect(toActionsByName(await importParameters(organization, { body, ignore: ['DOWN'] }))).toEqual({
      A: 'unchanged',
      SAME: 'inherited',
      UP: 'unchanged',
      NEW: 'unchanged',
    });
    expect(await readRevision(organization)).toBe(at);
    expect(
      toActionsByName(await importParameters(organization, { body: 'A=3\nDOWN=x', inherit_on_same: false })),
    ).toEqual({
      A: 'updated',
      DOWN: 'overridden',
    });
    const effective = await organization.owner.get<{ values: object }>(`${project.url}effective/?environment=dev`);
    expect(effective.body.values).toEqual({ A: '3', SAME: 'x', UP: 'y', NEW: '', DOWN: 'x' });
  });

  it('creates the project, and the environment as a child of default, unless disabled, which returns 404', async () => {
    const organization = await core.organization();
    const input = { project: 'shop', environment: 'blue', body: 'A=1' };
    for (const flag of ['add_project', 'add_environment']) {
      const response = await organization.owner.post('import/', importBody({ ...input, [flag]: false }));
      expect(response).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('matches the given query') },
      });
    }

    const preview = await importParameters(organization, input, '?preview=true');
    const done = await importParameters(organization, input);

    expect(preview).toMatchObject([
      { project_id: null, environment_id: null, project_name: 'shop', action: 'created' },
    ]);
    const blue = await organization.environmentNamed('blue');
    expect(blue.parent).toBe((await organization.environmentNamed('default')).url);
    expect(done).toMatchObject([{ environment_id: blue.id, environment_name: 'blue', action: 'created' }]);
    const [project] = (await organization.owner.get<Page<Project>>('projects/?name=shop')).body.results;
    expect(done[0]?.project_id).toBe(project?.id);
    expect(
      await importParameters(organization, { ...input, project: project?.id, environment: blue.id }),
    ).toMatchObject([{ project_name: 'shop', environment_name: 'blue', action: 'unchanged' }]);
    expect(await importParameters(organization, { ...input, environment: null, body: 'A=2' })).toMatchObject([
      { environment_name: 'default', action: 'overridden' },
    ]);
  });

  it('never performs an action that its flags disable', async () => {
    const { organization } = await createImportFixture(core);
    const send = (input: object) => organization.owner.post('import/', importBody(input));

    const parameter = await send({ body: 'A=1\nB=2', add_parameters: false });
    const override = await send({ body: 'A=2', add_overrides: false });

    expect(parameter).toMatchObject({ status: 404, body: { detail: expect.stringContaining('B') } });
    expect(parameter.headers['x-error-code']).toBe('add_parameters');
    expect(override).toMatchObject({ status: 404, body: { detail: expect.stringContaining('A') } });
    expect(override.headers['x-error-code']).toBe('add_overrides');
    expect(
      toActionsByName(
        await importParameters(organization, { body: 'A=1', add_parameters: false, add_overrides: false }),
      ),
    ).toEqual({
      A: 'inherited',
    });
  });

  it('keeps the secret flag of existing parameters, encrypts secrets, and masks them on request', async () => {
    const { organization, project, dev } = await createImportFixture(core);
    const password = await organization.parameter({ project, name: 'PASSWORD', secret: true });
    await organization.value({ parameter: password, environment: dev, internal_value: 'old' });
    const body = 'PASSWORD=hunter2\nA=7';

    const done = await importParameters(organization, { body, secrets: ['A'] }, '?mask_secrets=true');

    expect(done).toMatchObject([
      { parameter_name: 'PASSWORD', action: 'updated', secret: true, value: '*****' },
      { parameter_name: 'A', action: 'overridden', secret: false, value: '7' },
    ]);
    const values = (await organization.owner.get<Page<Value>>(`${password.url}values/`)).body.results;
    expect(values).toMatchObject([{ value: 'hunter2', internal_value: null, secret: true }]);
  });

  it('overrides a parameter of another project with the same type and secret flag, and does not change the other one', async () => {
    const { organization, project, a } = await createImportFixture(core);
    await organization.parameter({ project, name: 'KEY', secret: true });
    const child = await organization.project({ name: 'child', depends_on: project.url });

    const done = await importParameters(organization, { project: 'child', body: 'A=1\nKEY=k' });
    expect(toActionsByName(done)).toEqual({ A: 'inherited', KEY: 'overridden' });
    expect(done[0]?.parameter_id).toBe(a.id);
    const ownParameters = (
      await organization.owner.get<Page<Parameter>>(`${child.url}parameters/?immediate_parameters=true`)
    ).body;
    expect(ownParameters.results).toMatchObject([{ name: 'KEY', secret: true, project: child.url }]);
  });

  it('compares a dynamic value by its evaluated text, and replaces it with a literal value if the text differs', async () => {
    const { organization, project, dev } = await createImportFixture(core);
    const link = await organization.parameter({ project, name: 'LINK' });
    await organization.value({ parameter: link, internal_value: 'see {{ A }}', interpolated: true });
    expect(toActionsByName(await importParameters(organization, { body: 'LINK=see 1' }))).toEqual({
      LINK: 'inherited',
    });
    await organization.value({ parameter: link, environment: dev, internal_value: '{{ A }}', interpolated: true });

    expect(toActionsByName(await importParameters(organization, { body: 'LINK={{ A }}' }))).toEqual({
      LINK: 'unchanged',
    });
    expect(toActionsByName(await importParameters(organization, { body: 'LINK=x' }))).toEqual({ LINK: 'updated' });
    const [value] = (await organization.owner.get<Page<Value>>(`${link.url}values/?environment=dev`)).body.results;
    expect(value).toMatchObject({ value: 'x', interpolated: false, referenced_parameters: [] });
  });

  it('stores everything or nothing: an invalid text rejects the import, and the error contains the name without the text', async () => {
    const { organization, project } = await createImportFixture(core);
    const port = await organization.parameter({ project, name: 'PORT', type: 'integer' });
    await organization.owner.post(`${port.url}rules/`, { type: 'max', constraint: '100' });
    const before = await readRevision(organization);

    for (const [text, code] of [
      ['many', 'type_violation'],
      ['101', null],
    ] as const) {
      for (const query of ['', '?preview=true']) {
        const response = await organization.owner.post(`import/${query}`, importBody({ body: `NEW=1\nPORT=${text}` }));
        expect(response).toMatchObject({ status: 400, body: { internal_value: [expect.stringMatching(/^PORT: /)] } });
        expect(response.text).not.toContain('many');
        if (code) expect(response.headers['x-error-code']).toBe(code);
      }
    }
    expect(await readRevision(organization)).toBe(before);
  });

  it.each`
    body                                                             | why
    ${'A=1\nnonsense'}                                               | ${'a line that assigns nothing'}
    ${"A='open"}                                                     | ${'a quote that is not closed'}
    ${`${'x'.repeat(257)}=1`}                                        | ${'a name that is too long'}
    ${`A=${'x'.repeat(65_537)}`}                                     | ${'a text that is too long'}
    ${Array.from({ length: 2_001 }, (_, n) => `P${n}=1`).join('\n')} | ${'more names than one import has'}
  `('is rejected on body with $why', async ({ body }) => {
    const { organization } = await createImportFixture(core);

    const response = await organization.owner.post('import/', importBody({ body }));

    expect(response).toMatchObject({ status: 400, body: { body: [expect.any(String)] } });
  });

  it('checks names of projects and parameters against their patterns (E21, E33)', async () => {
    const { organization, project } = await createImportFixture(core);
    await organization.owner.patch(project.url, { parameter_name_pattern: 'X_' });
    await organization.owner.patch(`organizations/${organization.id}/`, { project_name_pattern: 'p' });

    for (const input of [{ body: 'B=1' }, { project: 'other', body: 'A=1' }]) {
      expect(await organization.owner.post('import/', importBody(input))).toMatchObject({
        status: 400,
        body: { name: [expect.any(String)] },
      });
    }
    expect(toActionsByName(await importParameters(organization, { body: 'X_B=1\nA=5' }))).toEqual({
      X_B: 'created',
      A: 'overridden',
    });
  });

  it('does exactly what its preview returned, in any state', async () => {
    const { organization, project } = await createImportFixture(core);
    await organization.project({ name: 'child', depends_on: project.url });
    const name = fc.constantFrom('A', 'B', 'C', 'D', 'E');
    const line = fc.record({ name, text: fc.constantFrom('', '1', '2', 'x y', '"') });
    const input = fc.record({
      project: fc.constantFrom('p', 'child', 'q'),
      environment: fc.constantFrom(null, 'dev', 'production', 'e1'),
      lines: fc.array(line, { maxLength: 6 }),
      secrets: fc.uniqueArray(name),
      ignore: fc.uniqueArray(name, { maxLength: 1 }),
      inherit_on_same: fc.boolean(),
      add_parameters: fc.boolean(),
      add_overrides: fc.boolean(),
    });
    const summarize = (entries: readonly ImportParameter[]) =>
      entries.map(
        ({ project_name: project, environment_name: environment, parameter_name: name, secret, value, action }) =>
          JSON.stringify([project, environment, name, secret, value, action]),
      );
    await fc.assert(
      fc.asyncProperty(input, async ({ lines, ...rest }) => {
        const body = importBody({ ...rest, body: lines.map(({ name, text }) => `${name}='${text}'`).join('\n') });
        const before = await readRevision(organization);
        const preview = await organization.owner.post<ImportResponse>('import/?preview=true', body);
        expect(await readRevision(organization)).toBe(before);
        const done = await organization.owner.post<ImportResponse>('import/', body);

        expect(done.status).toBe(preview.status);
        if (done.status !== 201) return expect(done.text).toBe(preview.text);
        expect(summarize(done.body.parameter)).toEqual(summarize(preview.body.parameter));
        for (const [index, entry] of preview.body.parameter.entries()) {
          const written = done.body.parameter[index];
          for (const key of ['project_id', 'environment_id', 'parameter_id', 'value_id'] as const) {
            if (entry[key] !== null) expect(written?.[key]).toBe(entry[key]);
            else if (!['project_id', 'environment_id'].includes(key)) expect(written?.[key]).not.toBeNull();
          }
        }
      }),
      { numRuns: countCases(30) },
    );
  });

  it('returns 401, 403 and 404 on every route', async () => {
    const { organization, project } = await createImportFixture(core);
    const otherOrganization = await core.organization();

    expect(await organization.as('VIEWER').post('import/', importBody({ body: 'A=1' }))).toMatchObject({ status: 403 });
    expect(
      await otherOrganization.owner.post('import/', importBody({ project: project.id, body: 'A=1' })),
    ).toMatchObject({
      status: 404,
      body: { detail: 'No Project matches the given query.' },
    });
  });
});

it('rows, history and changes are consistent at the end', async () => {
  expect(await ledgerProblems(core.database.url)).toEqual([]);
});
