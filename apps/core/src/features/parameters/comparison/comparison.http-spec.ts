import type { Page, Parameter, ParameterDuality, Tag, Value } from '@strata/contract';
import { type RawClient, type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const text = (parameter: Parameter | null) =>
  parameter && `${parameter.name}=${parameter.values_flat.map(({ value }) => value).join()}`;
const pairs = ({ results }: Page<ParameterDuality>) => results.map(({ t1, t2 }) => [text(t1), text(t2)]);

async function compare(client: RawClient, url: string, query: string) {
  const response = await client.get<Page<ParameterDuality>>(`${url}parameters/duality/?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  return pairs(response.body);
}

/**
 * Creates a history: `same` stays the same, `changed` changes from a to b, `gone` is deleted, `new` is created, and
 * `again` is deleted and created again with the same text.
 */
async function history() {
  const organization = await core.organization();
  const { owner } = organization;
  const project = await organization.project();
  const environment = await organization.environmentNamed('staging');
  const createValue = async (name: string, internal_value: string, input = {}) => {
    const parameter = await organization.parameter({ project, name, ...input });
    return { parameter, value: await organization.value({ parameter, environment, internal_value }) };
  };
  await createValue('same', 's');
  const changedValue = await createValue('changed', 'a');
  const deleted = await createValue('gone', 'g');
  const secondValue = await createValue('again', 'x');
  const first = secondValue.value.created_at;
  await owner.patch<Value>(changedValue.value.url, { internal_value: 'b' });
  await owner.delete(deleted.parameter.url);
  await owner.delete(secondValue.parameter.url);
  await createValue('again', 'x');
  await createValue('new', 'n');
  return { organization, owner, project, environment, first, changed: changedValue, createValue };
}

const ALL = [
  ['again=x', 'again=x'],
  ['changed=a', 'changed=b'],
  ['gone=g', null],
  [null, 'new=n'],
  ['same=s', 'same=s'],
];

describe('the comparison of a project at two points in time', () => {
  it('pairs the parameters of two instants by name, including those that were created again', async () => {
    const { owner, project, first } = await history();
    expect(await compare(owner, project.url, `environment=staging&t1_as_of=${first}`)).toEqual(ALL);
  });

  it('accepts tags of the environment as instants, and a past instant as the later one', async () => {
    const { owner, project, first, environment, changed } = await history();
    for (const [name, timestamp] of [
      ['v1', changed.value.created_at],
      ['v2', first],
    ]) {
      await owner.post<Tag>(`${environment.url}tags/`, { name, timestamp });
    }

    expect(await compare(owner, project.url, 'environment=staging&t1_tag=v2')).toEqual(ALL);
    expect(await compare(owner, project.url, 'environment=staging&t1_tag=v1&t2_tag=v2')).toEqual([
      [null, 'again=x'],
      ['changed=a', 'changed=a'],
      [null, 'gone=g'],
      ['same=s', 'same=s'],
    ]);
    for (const [query, status, code] of [
      ['environment=staging&t1_tag=nope', 404, 'unknown_tag'],
      ['environment=default&t2_tag=v1', 404, 'unknown_tag'],
      ['t1_tag=v1', 400, 'tag_without_environment'],
      ['environment=staging&t1_tag=v1&t1_as_of=2020-01-01', 400, 'two_moments'],
      ['environment=staging&values=true', 400, 'contradiction'],
      ['difference=true&values=false', 400, 'contradiction'],
      ['t2_as_of=2000-01-01', 404, 'not_found'],
      ['t1_as_of=never', 400, 'invalid'],
    ] as const) {
      const response = await owner.get(`${project.url}parameters/duality/?${query}`);
      expect([query, response.status, response.headers['x-error-code']]).toEqual([query, status, code]);
    }
  });

  it('compares with an empty state if the first instant is omitted or precedes the first write', async () => {
    const { owner, project, first } = await history();
    const laterPairs = [
      [null, 'again=x'],
      [null, 'changed=b'],
      [null, 'new=n'],
      [null, 'same=s'],
    ];
    expect(await compare(owner, project.url, 'environment=staging')).toEqual(laterPairs);
    expect(await compare(owner, project.url, 'environment=staging&t1_as_of=1970-01-01')).toEqual(laterPairs);
    expect(await compare(owner, project.url, `environment=staging&t1_as_of=${first}&t2_as_of=${first}`)).toEqual([
      ['again=x', 'again=x'],
      ['changed=a', 'changed=a'],
      ['gone=g', 'gone=g'],
      ['same=s', 'same=s'],
    ]);
  });

  it('leaves out equal pairs if only differences are requested, in one environment or in all', async () => {
    const { owner, project, first } = await history();
    const different = [
      ['changed=a', 'changed=b'],
      ['gone=g', null],
      [null, 'new=n'],
    ];
    expect(await compare(owner, project.url, `environment=staging&t1_as_of=${first}&difference=true`)).toEqual(
      different,
    );
    expect(await compare(owner, project.url, `t1_as_of=${first}&difference=1`)).toEqual(different);
    expect(await compare(owner, project.url, `environment=production&t1_as_of=${first}&difference=true`)).toEqual([
      ['gone=', null],
      [null, 'new='],
    ]);
  });

  it('distinguishes an explicit null from no value, and finds a change of an inherited value', async () => {
    const { organization, owner } = await history();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const parameter = await organization.parameter({ project: base, name: 'x' });
    const nulled = await organization.value({ parameter, internal_value: null });
    await owner.patch<Value>(nulled.url, { internal_value: 'text' });

    const difference = (at: string | null) =>
      compare(owner, child.url, `environment=default&difference=true&t1_as_of=${at}`);
    expect(await difference(parameter.created_at)).toEqual([['x=', 'x=text']]);
    expect(await difference(nulled.created_at)).toEqual([['x=', 'x=text']]);
    const { body } = await owner.patch<Value>(nulled.url, { internal_value: null });
    expect(await difference(body.modified_at)).toEqual([]);
    expect(await difference(parameter.created_at)).toEqual([['x=', 'x=']]);
  });

  it('masks secrets, and leaves masked secrets out of differences', async () => {
    const { organization, owner, project, createValue } = await history();
    const secret = await createValue('secret', 'top-secret-text', { secret: true });
    await owner.patch(secret.value.url, { internal_value: 'other-secret-text' });
    const query = `environment=staging&t1_as_of=${secret.value.created_at}&difference=true`;

    expect(await compare(owner, project.url, query)).toEqual([['secret=top-secret-text', 'secret=other-secret-text']]);
    expect(await compare(owner, project.url, `${query}&mask_secrets=true`)).toEqual([]);
    const masked = await organization.owner.get(
      `${project.url}parameters/duality/?mask_secrets=true&environment=staging`,
    );
    expect(masked.text).not.toContain('secret-text');
  });

  it('can be filtered, sorted and paged like the list of parameters', async () => {
    const { owner, project, first } = await history();
    const query = `environment=staging&t1_as_of=${first}`;
    expect(await compare(owner, project.url, `${query}&name__icontains=G`)).toEqual(ALL.slice(0, 3));
    expect(await compare(owner, project.url, `${query}&ordering=-name`)).toEqual([...ALL].reverse());
    expect(await compare(owner, project.url, `${query}&ordering=__proto__,toString`)).toEqual(ALL);
    expect(await compare(owner, project.url, `${query}&page_size=2&page=2`)).toEqual(ALL.slice(2, 4));
    expect(await compare(owner, project.url, `${query}&values=`)).toEqual(ALL);
    expect((await owner.get(`${project.url}parameters/duality/?page=9`)).status).toBe(404);
  });

  it('of another organization returns 404', async () => {
    const { project } = await history();
    const otherOrganization = await core.organization();
    const never = await otherOrganization.owner.get(
      'projects/00000000-0000-4000-8000-000000000000/parameters/duality/',
    );
    expect(await otherOrganization.owner.get(`${project.url}parameters/duality/`)).toMatchObject({
      status: 404,
      text: never.text,
    });
  });
});

describe('the filter for differences between environments', () => {
  it('reveals nothing about masked secrets, not even about one that a plain parameter overrides', async () => {
    const { organization, owner } = await history();
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const inherited = await organization.parameter({ project: base, name: 'shown', secret: true });
    const override = await organization.parameter({ project: child, name: 'shown' });
    const plain = await organization.parameter({ project: child, name: 'plain' });
    const staging = await organization.environmentNamed('staging');
    for (const parameter of [inherited, plain]) {
      await organization.value({ parameter, internal_value: 'a' });
      await organization.value({ parameter, environment: staging, internal_value: 'b' });
    }
    const names = async (query: string) =>
      (await owner.get<Page<Parameter>>(`${child.url}parameters/?difference=default,staging${query}`)).body.results.map(
        ({ name }) => name,
      );

    expect((await owner.get<Parameter>(override.url)).body.secret).toBe(false);
    expect(await names('')).toEqual(['plain', 'shown']);
    expect(await names('&mask_secrets=true')).toEqual(['plain']);
  });

  it('keeps the parameters whose effective values differ in environments given by name or id', async () => {
    const { organization, owner, project, environment } = await history();
    const shared = await organization.parameter({ project, name: 'shared' });
    await organization.value({ parameter: shared, internal_value: 'everywhere' });
    const names = async (query: string) =>
      (await owner.get<Page<Parameter>>(`${project.url}parameters/?${query}`)).body.results.map(({ name }) => name);

    expect(await names('difference=default,staging')).toEqual(['again', 'changed', 'new', 'same']);
    expect(await names(`difference=${environment.id},staging`)).toEqual([]);
    expect(await names('difference=default,production')).toEqual([]);
    await organization.value({
      parameter: shared,
      environment: await organization.environmentNamed('production'),
      internal_value: null,
    });
    expect(await names('difference=default,production,staging&name=shared')).toEqual(['shared']);
    for (const [query, status] of [
      ['difference=default', 400],
      ['difference=default,staging&environment=default', 400],
      ['difference=default,staging&values=false', 400],
      ['difference=default,nope', 404],
    ] as const) {
      expect([query, (await owner.get(`${project.url}parameters/?${query}`)).status]).toEqual([query, status]);
    }
  });

  it('leaves out secrets if they are masked', async () => {
    const { owner, project, createValue } = await history();
    await createValue('secret', 's', { secret: true });
    const names = async (query: string) =>
      (
        await owner.get<Page<Parameter>>(`${project.url}parameters/?difference=default,staging&${query}`)
      ).body.results.map(({ name }) => name);

    expect(await names('secret=true')).toEqual(['secret']);
    expect(await names('mask_secrets=true')).toEqual(['again', 'changed', 'new', 'same']);
  });
});
