import type { Environment, Page, Parameter, Project } from '@strata/contract';
import { type Reply, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/** Sets texts of a project by name. They are dynamic if they refer to a name. `listen` is an integer. */
async function put(
  organization: TestOrganization,
  project: Project,
  environment: string,
  texts: Readonly<Record<string, string>>,
) {
  const { id } = await organization.environmentNamed(environment);
  for (const [name, text] of Object.entries(texts)) {
    const { body } = await organization.owner.get<Page<Parameter>>(
      `${project.url}parameters/?name=${name}&immediate_parameters=true`,
    );
    const type = name === 'listen' ? 'integer' : 'string';
    const { url } = body.results[0] ?? (await organization.parameter({ project, name, type }));
    const input = { environment: id, internal_value: text, interpolated: text.includes('{') };
    expect(await organization.owner.post(`${url}values/`, input)).toMatchObject({ status: 201 });
  }
}

const listenIn = async ({ owner }: TestOrganization, project: Project, environment: string) =>
  (await owner.get<{ values: Record<string, string> }>(`${project.url}effective/?environment=${environment}`)).body
    .values.listen;

/** Returns the field of a rejected move, and the values and environments that its message names. */
function summarizeError({ status, headers, body }: Reply) {
  const [[field, messages] = []] = Object.entries(body as Record<string, string[]>);
  const locations = messages?.map((message) => /^listen of (.*) would become invalid\. .* integer/.exec(message)?.[1]);
  return [status, headers['x-error-code'], field, ...(locations?.sort() ?? [])];
}
const rejection = (field: string, ...locations: string[]) => [400, 'dependent_values', field, ...locations];

/** Creates `desk` in `room`, which is a child of `blue` and may move to `green`. */
async function fixture() {
  const organization = await core.organization();
  const { owner } = organization;
  const shop = await organization.project({ name: 'shop' });
  const blue = await organization.environment({ name: 'blue' });
  const green = await organization.environment({ name: 'green' });
  const room = await organization.environment({ name: 'room', parent: blue.url });
  await organization.environment({ name: 'desk', parent: room.url });
  const moveTo = (parent: Environment) => owner.patch<Environment>(room.url, { parent: parent.url });
  const isIn = async () => (await owner.get<Environment>(room.url)).body.parent;
  return { organization, shop, blue, green, room, moveTo, isIn };
}

describe('a move of an environment', () => {
  it('is rejected if dynamic values in it or its descendants would violate their types', async () => {
    const { organization, shop, blue, green, moveTo, isIn } = await fixture();
    await put(organization, shop, 'default', { port: '80' });
    await put(organization, shop, 'room', { listen: '{{ port }}' });
    await put(organization, shop, 'green', { port: 'https' });

    const response = await moveTo(green);

    expect(summarizeError(response)).toEqual(rejection('parent', 'shop in desk', 'shop in room'));
    expect(response.text).not.toContain('https');
    expect(await isIn()).toBe(blue.url);
    await put(organization, shop, 'room', { port: '81' });
    expect(await moveTo(green)).toMatchObject({ status: 200, body: { parent: green.url } });
    expect(await listenIn(organization, shop, 'desk')).toBe('81');
  });

  it('is rejected if an inherited dynamic value would be invalid there', async () => {
    const { organization, shop, green, moveTo } = await fixture();
    await put(organization, shop, 'green', { port: '80', listen: '{{ port }}' });
    await put(organization, shop, 'room', { port: 'https' });

    expect(summarizeError(await moveTo(green))).toEqual(rejection('parent', 'shop in desk', 'shop in room'));
    await put(organization, shop, 'desk', { port: '82' });
    expect(summarizeError(await moveTo(green))).toEqual(rejection('parent', 'shop in room'));
  });

  it('is rejected if a dynamic value would become effective that the former parent overrides', async () => {
    const { organization, shop, green, moveTo } = await fixture();
    await put(organization, shop, 'default', { port: '80', listen: '{{ port }}' });
    await put(organization, shop, 'blue', { listen: '7' });
    await put(organization, shop, 'room', { port: 'https' });

    expect(summarizeError(await moveTo(green))).toEqual(rejection('parent', 'shop in desk', 'shop in room'));
    expect(await listenIn(organization, shop, 'room')).toBe('7');
  });

  it('is not validated against scopes that the caller may not read', async () => {
    const { organization, shop, green, room, moveTo } = await fixture();
    await put(organization, shop, 'green', { port: '80', listen: '{{ port }}' });
    await put(organization, shop, 'room', { port: 'https' });
    await organization.owner.patch(shop.url, { access_controlled: true });

    expect((await moveTo(green)).status).toBe(400);
    expect(await organization.as('CONTRIB').patch(room.url, { parent: green.url })).toMatchObject({ status: 200 });
  });
});

describe('a new dependency of a project', () => {
  it('is rejected if its dynamic values, or those of dependent projects, would be invalid', async () => {
    const { organization, shop } = await fixture();
    const { owner } = organization;
    const [numbers, texts] = [await organization.project(), await organization.project()];
    await put(organization, numbers, 'default', { port: '80' });
    await put(organization, texts, 'default', { port: 'https' });
    await owner.patch(shop.url, { depends_on: numbers.url });
    await put(organization, shop, 'room', { listen: '{{ port }}' });
    const till = await organization.project({ name: 'till', depends_on: shop.url });
    await put(organization, till, 'desk', { listen: '1{{ port }}' });

    const response = await owner.patch(shop.url, { depends_on: texts.url });

    expect(summarizeError(response)).toEqual(rejection('depends_on', 'shop in desk', 'shop in room', 'till in desk'));
    expect(response.text).not.toContain('https');
    expect((await owner.get<Project>(shop.url)).body.depends_on).toBe(numbers.url);
    await put(organization, texts, 'room', { port: '443' });
    expect(await owner.patch(shop.url, { depends_on: texts.url })).toMatchObject({ status: 200 });
    expect(await listenIn(organization, till, 'desk')).toBe('1443');
  });

  it('is rejected if a dynamic value would become effective that the former base project overrides', async () => {
    const { organization, shop } = await fixture();
    const base = await organization.project();
    await organization.owner.patch(shop.url, { depends_on: base.url });
    await put(organization, base, 'room', { listen: '7' });
    await put(organization, shop, 'default', { port: '80', listen: '{{ port }}' });
    await put(organization, shop, 'room', { port: 'https' });

    expect(summarizeError(await organization.owner.patch(shop.url, { depends_on: null }))).toEqual(
      rejection('depends_on', 'shop in desk', 'shop in room'),
    );
    expect(await listenIn(organization, shop, 'room')).toBe('7');
  });
});
