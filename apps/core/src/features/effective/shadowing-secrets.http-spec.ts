import type { Effective, Explanation, Page, Parameter, ParameterDuality, Plan, SearchPage } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { findCell } from '../../testing/matrix-shop.ts';
import { readValue, setText } from '../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const MASK = '*****';

/**
 * Creates `shop`, which depends on `base`. Each has a name without a value that the other one sets: one is secret in
 * `shop`, and the other in `base`.
 */
async function shadowing() {
  const organization = await core.organization();
  const { owner } = organization;
  const base = await organization.project({ name: 'base' });
  const shop = await organization.project({ name: 'shop', depends_on: base.url });
  await setText(organization, base, 'PLAIN', { text: 'public', literal: true });
  await organization.parameter({ project: shop, name: 'PLAIN', secret: true });
  await setText(organization, base, 'PW', { text: 'hunter2', literal: true, secret: true });
  await organization.parameter({ project: shop, name: 'PW' });
  const get = async <T>(path: string) => (await owner.get<T>(`projects/${shop.id}/${path}`)).body;
  return { organization, owner, base, shop, get };
}

describe('a value whose parameter is overridden by one without a value and with another secret flag', () => {
  it('has the secret flag of its own parameter in every response', async () => {
    const { organization, owner, shop, get } = await shadowing();

    expect((await get<Effective>('effective/?environment=default&mask_secrets=true')).values).toEqual({
      PLAIN: 'public',
      PW: MASK,
    });
    for (const [name, secret] of [
      ['PLAIN', false],
      ['PW', true],
    ] as const) {
      const text = secret ? MASK : 'public';
      expect(await readValue(organization, shop, name, 'default', '&mask_secrets=true')).toMatchObject({
        secret,
        value: text,
      });
      const { results } = await get<Page<Explanation>>(`explain/?name=${name}&mask_secrets=true`);
      expect(results[0]?.winner).toMatchObject({ secret, value: text });
      const matrix = await get<Parameters<typeof findCell>[0]>('matrix/');
      expect(findCell(matrix, name, 'default').states.includes('secret')).toBe(secret);
      const searched = await owner.get<SearchPage>(`search/?q=${name}&match=exact&in=name&project=shop`);
      expect(searched.body.results.flatMap(({ wins }) => wins)).toMatchObject([{ secret, value: text }]);
    }
  });

  it('makes an export and an effective configuration secret only if its own parameter is secret', async () => {
    const { owner, get, shop } = await shadowing();
    const exported = (filter: string) =>
      get(`parameter-export/?output=docker&environment=default&mask_secrets=true&startswith=${filter}`);
    const batch = async (name: string) => {
      const path = `effective/?project=shop&environment=default&name=${name}&mask_secrets=true`;
      return (await owner.get<{ results: { has_secret: boolean }[] }>(path)).body.results.map(
        (result) => result.has_secret,
      );
    };

    expect(await exported('plain')).toEqual({ body: 'PLAIN=public\n', has_secret: false });
    expect(await exported('pw')).toEqual({ body: MASK, has_secret: true });
    for (const [name, secret] of [
      ['PLAIN', false],
      ['PW', true],
    ] as const) {
      const effective = await owner.get<Effective>(`${shop.url}effective/?environment=default&name=${name}`);
      expect(effective.body.has_secret).toBe(secret);
      expect(await batch(name)).toEqual([secret]);
    }
  });

  it('is compared by text in lists of differences and in plans only if its own parameter is plain', async () => {
    const { organization, owner, base, get } = await shadowing();
    const before = new Date().toISOString();
    const { results } = await get<Page<Parameter>>('parameters/?environment=production');
    const [plain, secret] = ['PLAIN', 'PW'].map(
      (name) => results.find((result) => result.name === name)?.values_flat[0],
    );
    const production = await organization.environmentNamed('production');
    for (const [value, text] of [
      [plain, 'other'],
      [secret, 'hunter3'],
    ] as const) {
      const { url } = value ?? { url: '' };
      await owner.post(`${url.split('values/')[0]}values/`, { environment: production.url, internal_value: text });
    }
    const differing = await get<Page<Parameter>>('parameters/?difference=default,production&mask_secrets=true');
    expect(differing.results.map(({ name }) => name)).toEqual(['PLAIN']);
    const pairs = await get<Page<ParameterDuality>>(
      `parameters/duality/?t1_as_of=${before}&difference=true&mask_secrets=true`,
    );
    expect(pairs.results.map(({ t2 }) => t2?.name)).toEqual(['PLAIN']);

    const set = { set: { environment: 'default', project: base.id, values: { PLAIN: 'new' } } };
    const { body: plan } = await owner.post<Plan>('changesets/plan/', { message: 'm', operations: [set] });
    const cells = plan.effective_changes.filter(({ project_name: project }) => project === 'shop');
    expect(cells).toMatchObject(cells.map(() => ({ before: 'public', after: 'new', masked: false })));
    expect(cells.length).toBeGreaterThan(0);
  });

  it('causes no effective change when the overriding parameter is created or deleted', async () => {
    const { organization, owner, base, shop } = await shadowing();
    await setText(organization, base, 'EMPTY', { text: null, literal: true });
    const make = {
      operation: 'projects_parameters_create',
      path: { project_pk: shop.id },
      body: { name: 'EMPTY', secret: true },
    };
    const { body } = await owner.post<Plan>('changesets/plan/', { message: 'm', operations: [make] });

    expect(body.effective_changes).toEqual([]);
    expect(body.totals.effective_changes).toBe(0);
  });
});

it('a text that refers to a secret parameter is secret even if a plain parameter provides the value (behaviour.md §6)', async () => {
  const { organization, shop } = await shadowing();
  await setText(organization, shop, 'says_plain', { text: '{{ PLAIN }}' });
  await setText(organization, shop, 'says_pw', { text: '{{ PW }}' });
  for (const name of ['says_plain', 'says_pw']) {
    expect(await readValue(organization, shop, name, 'default', '&mask_secrets=true')).toMatchObject({
      secret: true,
      value: MASK,
    });
  }
});
