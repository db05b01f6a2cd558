import type { ParameterExport } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

async function projectWith(values: Readonly<Record<string, string | null>>, secrets: readonly string[] = []) {
  const organization = await core.organization();
  const project = await organization.project();
  for (const [name, text] of Object.entries(values)) {
    const parameter = await organization.parameter({ project, name, secret: secrets.includes(name) });
    await organization.value({ parameter, internal_value: text });
  }
  const read = async (query: string) =>
    (await organization.owner.get<ParameterExport>(`${project.url}parameter-export/?${query}`)).body;
  return { organization, project, read };
}

describe('an export', () => {
  it('H9: returns exactly these bytes', async () => {
    const { organization, project, read } = await projectWith({ first_param: 'x y', 'non.posix.key': '1', B: '2' });
    await organization.parameter({ project, name: 'novalue' });

    expect(await read('output=shell&environment=default')).toEqual({
      body: "B=2\nFIRST_PARAM='x y'\n",
      has_secret: false,
    });
    expect(await read('output=dotenv&environment=default')).toEqual({
      body: 'B="2"\nFIRST_PARAM="x y"\n',
      has_secret: false,
    });
    expect(await read('output=docker&environment=default')).toEqual({
      body: 'B=2\nFIRST_PARAM=x y\n',
      has_secret: false,
    });
    expect(await read('output=shell&contains=posix')).toEqual({ body: '', has_secret: false });
    expect(await read('output=shell&startswith=first&explicit_export=true')).toEqual({
      body: "export FIRST_PARAM='x y'\n",
      has_secret: false,
    });
    expect((await read('output=docker&explicit_export=true&endswith=ram')).body).toBe('FIRST_PARAM=x y\n');
    expect((await read('output=docker&ordering=-name')).body).toBe('FIRST_PARAM=x y\nB=2\n');
  });

  it('contains only the named parameters, at most 500', async () => {
    const { organization, project, read } = await projectWith({ a: '1', B: '2', token: 'hunter2' }, ['token']);

    expect(await read('output=docker&name__in=B,a,gone')).toEqual({ body: 'A=1\nB=2\n', has_secret: false });
    expect(await read('output=docker&name__in=A')).toEqual({ body: '', has_secret: false });
    expect(await read('output=docker&name__in=token&startswith=t')).toEqual({
      body: 'TOKEN=hunter2\n',
      has_secret: true,
    });
    const many = Array.from({ length: 501 }, (_, index) => `n${index}`).join();
    expect(
      await organization.owner.get(`${project.url}parameter-export/?output=docker&name__in=${many}`),
    ).toMatchObject({
      status: 400,
      body: { name__in: ['At most 500 names at once. Split them into several requests.'] },
    });
  });

  it('escapes characters with a meaning in the notation', async () => {
    const { read } = await projectWith({ a: `it's "$x"`, b: 'two\nlines\\', c: '', d: null });
    expect((await read('output=shell')).body).toBe(`A='it'"'"'s "$x"'\nB='two\nlines\\'\nC=''\nD=''\n`);
    expect((await read('output=dotenv')).body).toBe(`A="it's \\"$x\\""\nB="two\\nlines\\\\"\nC=""\nD=""\n`);
    expect((await read('output=docker')).body).toBe(`A=it's "$x"\nB=two\nlines\\\nC=\nD=\n`);
  });

  it('is masked completely if a selected line is secret', async () => {
    const { read } = await projectWith({ plain: '1', pw: 'hunter2' }, ['pw']);
    expect(await read('output=docker&mask_secrets=True')).toEqual({ body: '*****', has_secret: true });
    expect(await read('output=docker')).toEqual({ body: 'PLAIN=1\nPW=hunter2\n', has_secret: true });
    expect(await read('output=docker&mask_secrets=True&contains=PLAIN')).toEqual({
      body: 'PLAIN=1\n',
      has_secret: false,
    });
  });

  it('contains inherited parameters, with dynamic values evaluated in the requested environment', async () => {
    const { organization, project, read } = await projectWith({ host: 'h' });
    const child = await organization.project({ depends_on: project.url });
    const parameter = await organization.parameter({ project: child, name: 'url' });
    await organization.value({
      parameter,
      internal_value: 'http://{{ host }}/{{ strata.environment }}',
      interpolated: true,
    });
    const { body } = await organization.owner.get<ParameterExport>(
      `${child.url}parameter-export/?output=docker&environment=staging`,
    );
    expect(body.body).toBe('HOST=h\nURL=http://h/staging\n');
    expect((await read('output=docker&environment=production')).body).toBe('HOST=h\n');
  });

  it('is rejected for an unknown notation or environment; the environment is reported first', async () => {
    const { organization, project } = await projectWith({});
    const get = (query: string) => organization.owner.get(`${project.url}parameter-export/?${query}`);
    for (const query of ['output=xml', '']) {
      expect(await get(query)).toMatchObject({ status: 400, body: { output: [expect.any(String)] } });
    }
    expect(await get('output=docker&environment=nope')).toMatchObject({
      status: 404,
      body: { detail: 'No Environment matches the given query.' },
    });
    expect(await get('output=docker&as_of=2000-01-01')).toMatchObject({
      status: 404,
      body: { detail: 'No EnvironmentLedger matches the given query.' },
    });
    expect(await organization.as('VIEWER').get(`${project.url}parameter-export/?output=docker`)).toMatchObject({
      status: 200,
    });
    const outsider = await core.organization();
    expect(await outsider.owner.get(`${project.url}parameter-export/?output=docker`)).toMatchObject({ status: 404 });
  });
});
