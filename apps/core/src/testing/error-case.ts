import type { Environment, Parameter, Project, Template, Value } from '@strata/contract';
import { RawClient, type Reply, type RunningCore, type TestOrganization } from '@strata/testkit';

interface Made {
  readonly id: string;
  readonly url: string;
}

/** Where the response contains the messages: in `detail`, in one field, or as a bare list. */
export type MessageLocation = 'detail' | 'array' | { readonly field: string };
export const onField = (field: string): MessageLocation => ({ field });

/** A short description, the request, the expected status, where the messages are, and texts that they must contain. */
export type ErrorCase = readonly [
  string,
  (arrange: ErrorCaseSetup) => Promise<Reply>,
  number | readonly number[],
  MessageLocation,
  ...string[],
];
export type ErrorCases = Readonly<Record<string, ErrorCase>>;

/** Prepares an organization for an error case. A failing preparation throws. */
export class ErrorCaseSetup {
  constructor(
    private readonly core: RunningCore,
    readonly organization: TestOrganization,
  ) {}

  get owner(): RawClient {
    return this.organization.owner;
  }

  readonly outsider = (authorization: string) => new RawClient(this.core.origin, authorization);

  readonly create = async <T = Made>(path: string, body: object): Promise<T> => {
    const response = await this.owner.post<T>(path, body);
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.body;
  };

  readonly rootEnvironment = () => this.organization.environmentNamed('default');

  /** Creates a parameter of this type, with a value if a text is given. */
  readonly typed = async (type: string, internal_value?: string) => {
    const parameter = await this.organization.parameter({ type });
    if (internal_value !== undefined) await this.organization.value({ parameter, internal_value });
    return parameter;
  };

  readonly rule = (owner: { readonly url: string }, kind: string, constraint: string) =>
    this.create(`${owner.url}rules/`, { type: kind, constraint });

  /** Requests a value in `default`. */
  readonly setting = async (parameter: Parameter, internal_value: unknown, extraFields: object = {}) =>
    this.owner.post<Value>(`${parameter.url}values/`, {
      environment: (await this.rootEnvironment()).url,
      internal_value,
      ...extraFields,
    });

  readonly template = (project: Project, name: string, body: string) =>
    this.create<Template>(`${project.url}templates/`, { name, body });

  readonly tag = (environment: Environment, extraFields: object = {}) =>
    this.create(`${environment.url}tags/`, { name: 'v1', ...extraFields });

  /** Creates a project with a parameter `p` and a template `t` that mentions it. */
  readonly referenced = async () => {
    const project = await this.organization.project();
    const parameter = await this.organization.parameter({ project, name: 'p' });
    const value = await this.organization.value({ parameter, internal_value: 'x' });
    return { project, parameter, value, template: await this.template(project, 't', 'a {{ p }} b') };
  };

  /** Creates the types `port_t` (integer, at most 100) and `web_t` below it, and a value of each: H6 of domain.md. */
  readonly ports = async () => {
    const { body } = await this.owner.get<{ results: Made[] }>('types/?name__iexact=integer');
    const port = await this.create('types/', { name: 'port_t', parent: body.results[0]?.url });
    const limit = await this.rule(port, 'max', '100');
    const web = await this.create('types/', { name: 'web_t', parent: port.url });
    const project = await this.organization.project();
    const a = await this.organization.parameter({ project, name: 'a', type: 'port_t' });
    const b = await this.organization.parameter({ project, name: 'b', type: 'web_t' });
    await this.organization.value({ parameter: a, internal_value: '45' });
    await this.organization.value({ parameter: b, internal_value: '46' });
    return { port, limit, web, a, b };
  };

  readonly aws = () =>
    this.create<Made & { readonly fqn: string }>('integrations/aws/', {
      aws_account_id: '123456789012',
      aws_role_name: 'strata',
      aws_enabled_regions: ['us-east-1'],
      aws_enabled_services: ['ssm'],
    });

  /** Requests a push of an integration. */
  readonly push = async (extraFields: object) => {
    const { url } = await this.aws();
    const project = await this.organization.project();
    return this.owner.post(`${url}pushes/`, {
      name: 'push',
      projects: [project.url],
      tags: [],
      region: 'us-east-1',
      service: 'ssm',
      resource: '/{{ environment }}/{{ project }}/{{ parameter }}',
      include_parameters: true,
      ...extraFields,
    });
  };
}
