import type { Environment, Page, Parameter, Project, Value } from '@strata/contract';
import { RawClient, type RunningCore, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';

/** The actions of users. */
const ACTIONS = [
  'set a value',
  'remove a value',
  'refer to a parameter',
  'add a parameter',
  'rename a parameter',
  'remove a parameter',
  'move an environment',
  'move a project',
  'import values',
  'add a rule',
  'refer from a template',
  'remove a template',
  'override elsewhere',
  'rename a type',
  'control an environment',
  'do something else',
] as const;

interface Step {
  readonly action: (typeof ACTIONS)[number];
  /** Numbers that select the objects of the action. */
  readonly picks: readonly [number, number];
  readonly text: string | null;
}

const arbitraryStep = (action: fc.Arbitrary<Step['action']>): fc.Arbitrary<Step> =>
  fc.record({
    action,
    picks: fc.tuple(fc.nat(), fc.nat()),
    text: fc.option(fc.constantFrom('', 'text', '"quoted"\n', '1', '*****')),
  });

/** Generates every action once, in random order, with changes of values in between. */
export const plans: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(arbitraryStep(fc.constantFrom('set a value', 'remove a value')), { minLength: 6, maxLength: 6 }),
    fc.tuple(...ACTIONS.map((action) => arbitraryStep(fc.constant(action)))),
  )
  .chain(([values, actions]) =>
    fc.shuffledSubarray([...values, ...actions], { minLength: values.length + actions.length }),
  );

/** An organization with every kind of inheritance: `child` depends on `base`, and canary inherits from production. */
export class CacheFixture {
  readonly parameters: Parameter[] = [];
  readonly values = new Map<string, Value>();
  private readonly templates: string[] = [];
  private count = 0;

  private constructor(
    private readonly organization: TestOrganization,
    private readonly origins: readonly string[],
    readonly environments: readonly Environment[],
    readonly projects: readonly Project[],
  ) {}

  /** `origins` are those of the processes that are compared; the first belongs to `core`. */
  static async build(core: RunningCore, origins: readonly string[]): Promise<CacheFixture> {
    const organization = await core.organization();
    // The member joins now, so that comparisons write nothing.
    await organization.authorization('VIEWER');
    const [root, production] = [
      await organization.environmentNamed('default'),
      await organization.environmentNamed('production'),
    ];
    const canary = await organization.environment({ name: 'canary', parent: production.url });
    const base = await organization.project();
    const child = await organization.project({ depends_on: base.url });
    const fixture = new CacheFixture(organization, origins, [root, production, canary], [base, child]);
    for (let index = 0; index < 4; index += 1) {
      await fixture.act({ action: 'add a parameter', picks: [index, index], text: null });
      for (const position of [0, 1])
        await fixture.act({ action: 'set a value', picks: [index, position], text: `${index} ${position}` });
    }
    return fixture;
  }

  get owner(): RawClient {
    return this.organization.owner;
  }

  /** The owner in each process, and a member in the first one. */
  get clients(): readonly RawClient[] {
    const { ownerAuthorization } = this.organization;
    return [...this.origins.map((origin) => new RawClient(origin, ownerAuthorization)), this.organization.as('VIEWER')];
  }

  /** Runs an action. It ignores the response, because a rejected request changes nothing. */
  async act({ action, picks: [first, lastPick], text }: Step): Promise<void> {
    const { owner, environments, projects, parameters } = this;
    const parameter = parameters[first % (parameters.length || 1)];
    const environment = environments[lastPick % environments.length] as Environment;
    const project = projects[lastPick % projects.length] as Project;
    this.count += 1;
    switch (action) {
      case 'set a value':
        return parameter && this.set(parameter, environment, { internal_value: text, interpolated: false });
      case 'refer to a parameter': {
        const target = parameters[lastPick % parameters.length]?.name;
        const texts = { internal_value: `${text ?? ''}{{ ${target} }}`, interpolated: true };
        return parameter && this.set(parameter, environment, texts);
      }
      case 'remove a value':
        return this.removeValue(first);
      case 'add a parameter': {
        const input = { name: ['1', 'host', 'Port', `p${this.count}`][first % 4], secret: lastPick % 3 === 2 };
        const { status, body } = await owner.post<Parameter>(`${project.url}parameters/`, input);
        if (status === 201) parameters.push(body);
        return;
      }
      case 'rename a parameter':
        if (parameter) await owner.patch(parameter.url, { name: `p${this.count}`, description: `${text}` });
        return;
      case 'remove a parameter':
        return parameter && this.removeParameter(parameter);
      case 'move an environment':
        await owner.patch(environments[2]?.url ?? '', { parent: environments[this.count % 2]?.url });
        return;
      case 'move a project':
        await owner.patch(projects[1]?.url ?? '', { depends_on: this.count % 2 ? projects[0]?.url : null });
        return;
      case 'import values': {
        const body = `host=${text?.trim() ?? ''}\nnew_${this.count}=x`;
        await owner.post('import/', { project: project.name, environment: environment.name, body });
        return;
      }
      case 'add a rule':
        if (parameter) await owner.post(`${parameter.url}rules/`, { type: 'max_len', constraint: '99' });
        return;
      case 'refer from a template': {
        const input = { name: `template ${this.count}`, body: `{{ ${parameter?.name} }}` };
        const { status, body } = await owner.post<{ url: string }>(`${project.url}templates/`, input);
        if (status === 201) this.templates.push(body.url);
        return;
      }
      case 'remove a template':
        await owner.delete(this.templates.pop() ?? '');
        return;
      // Texts in this project that refer to the name then have another target.
      case 'override elsewhere':
        if (parameter) await owner.post(`${projects[1]?.url}parameters/`, { name: parameter.name });
        return;
      case 'rename a type': {
        const type = await this.ownType();
        if (parameter) await owner.patch(parameter.url, { type: type.name });
        await owner.patch(type.url, { name: `${type.name}x` });
        return;
      }
      case 'control an environment':
        await owner.patch(environments[1 + (lastPick % 2)]?.url ?? '', { access_controlled: this.count % 2 === 0 });
        return;
      default:
        await owner.post(`${environment.url}tags/`, { name: `tag ${this.count}` });
        await owner.post(`${project.url}templates/`, { name: `template ${this.count}`, body: 'text' });
        await this.organization.environment();
    }
  }

  private async removeValue(pick: number): Promise<void> {
    const [key, value] = [...this.values][pick % (this.values.size || 1)] ?? [];
    if (key && value && (await this.owner.delete(value.url)).status === 204) this.values.delete(key);
  }

  private async removeParameter(parameter: Parameter): Promise<void> {
    if ((await this.owner.delete(parameter.url)).status !== 204) return;
    this.parameters.splice(this.parameters.indexOf(parameter), 1);
    for (const key of this.values.keys()) if (key.startsWith(parameter.id)) this.values.delete(key);
  }

  private async ownType(): Promise<{ readonly name: string; readonly url: string }> {
    const { body: types } = await this.owner.get<Page<{ id: string }>>('types/?name=string');
    const input = { name: `type ${this.count}`, parent: types.results[0]?.id };
    return (await this.owner.post<{ name: string; url: string }>('types/', input)).body;
  }

  private async set(parameter: Parameter, environment: Environment, texts: object): Promise<void> {
    const key = `${parameter.id} ${environment.id}`;
    const value = this.values.get(key);
    if (value) await this.owner.patch(value.url, texts);
    else {
      const creation = { environment: environment.url, ...texts };
      const { status, body } = await this.owner.post<Value>(`${parameter.url}values/`, creation);
      if (status === 201) this.values.set(key, body);
    }
  }
}

const EFFECTIVE = [
  '',
  '&mask_secrets=true',
  '&evaluate=false',
  '&name=host',
  '&secret=true',
  '&immediate_parameters=true',
];
const LISTS = ['', '&mask_secrets=true', '&name=host', '&evaluate=false', '&page_size=2&page=1'];

const MATRICES = ['', '&name=host', '&state=own,null', '&environment=canary&environment=default', '&page_size=2'];

/** Returns the URLs of all cached routes. Each has a query, so that a point in time can be appended. */
export function listRequestPaths(
  { environments, projects, parameters }: CacheFixture,
  round: number,
): readonly string[] {
  const pickQuery = (queries: readonly string[], at: number) => queries[(round + at) % queries.length];
  const ofProjects = projects.flatMap(({ id }, index) => [
    `projects/${id}/parameters/?ordering=name${pickQuery(LISTS, index)}`,
    `projects/${id}/matrix/?ordering=name${pickQuery(MATRICES, index)}`,
    ...environments.flatMap(({ name }, position) => [
      `projects/${id}/effective/?environment=${name}${pickQuery(EFFECTIVE, index + position)}`,
      `projects/${id}/parameters/?environment=${name}${pickQuery(LISTS, index + position)}`,
    ]),
  ]);
  const ofParameters = parameters.slice(0, 3).flatMap(({ url }) => {
    const path = url.slice(url.indexOf('projects/'));
    return [`${path}?mask_secrets=true`, `${path}values/?evaluate=true`];
  });
  const combinedQuery = new URLSearchParams([
    ...projects.map(({ name }) => ['project', name]),
    ...environments.map(({ name }) => ['environment', name]),
  ]);
  const lists = ['environments/?ordering=name', 'projects/?ordering=name'];
  return [...ofProjects, ...ofParameters, ...lists, `effective/?${combinedQuery}`];
}
