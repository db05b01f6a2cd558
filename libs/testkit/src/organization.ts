import type {
  AuthToken,
  Environment,
  EnvironmentCreate,
  Organization as OrganizationBody,
  Page,
  Parameter,
  ParameterCreate,
  Project,
  ProjectCreate,
  ServiceAccountCreated,
  Value,
  ValueCreate,
  Webhook,
  WebhookCreate,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import { RawClient, type Reply } from './client.ts';

/** A running core, and the user who may create organizations in it. */
interface CoreUnderTest {
  readonly origin: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  /** The `Authorization` header of that user, if they have already signed in. */
  readonly ownerAuthorization?: string | undefined;
}

/** A value to set on a parameter. The environment is `default` unless another one is given. */
type ValueInput = Partial<Omit<ValueCreate, 'environment'>> & {
  readonly parameter?: Parameter;
  readonly environment?: Environment;
};

/** A separate organization for one test. No other test uses it, so it needs no cleanup. */
export class TestOrganization {
  readonly id: string;
  readonly name: string;
  private readonly authorizations = new Map<Role, Promise<string>>();
  private defaultEnvironment: Promise<Environment> | undefined;
  private createdCount = 0;

  constructor(
    private readonly core: CoreUnderTest,
    { id, name }: OrganizationBody,
    /** The `Authorization` header of the organization's creator and OWNER. */
    readonly ownerAuthorization: string,
  ) {
    this.id = id;
    this.name = name;
  }

  /** A client of the organization's creator. */
  get owner(): RawClient {
    return new RawClient(this.core.origin, this.ownerAuthorization);
  }

  /** Returns a client of a service account with this role, which is created on first use. */
  as(role: Role): RawClient {
    return new RawClient(this.core.origin, () => this.authorization(role));
  }

  /** Returns the `Authorization` header of `as(role)`, for sockets and streams. */
  authorization(role: Role): Promise<string> {
    const cachedAuthorization = this.authorizations.get(role);
    if (cachedAuthorization) return cachedAuthorization;
    const whenCreated = this.addMember(role);
    this.authorizations.set(role, whenCreated);
    return whenCreated;
  }

  /** Returns one of the environments that every organization starts with. */
  async environmentNamed(name: string): Promise<Environment> {
    const { results } = await body<Page<Environment>>(
      this.owner.get(`environments/?name=${encodeURIComponent(name)}`),
      200,
    );
    const [environment] = results;
    if (!environment) throw new Error(`There is no environment ${name}.`);
    return environment;
  }

  environment(input: Partial<EnvironmentCreate> = {}): Promise<Environment> {
    return body(this.owner.post('environments/', { name: this.unique('environment'), ...input }), 201);
  }

  project(input: Partial<ProjectCreate> = {}): Promise<Project> {
    return body(this.owner.post('projects/', { name: this.unique('project'), ...input }), 201);
  }

  async parameter({
    project,
    ...input
  }: Partial<ParameterCreate> & { readonly project?: Project } = {}): Promise<Parameter> {
    const { url } = project ?? (await this.project());
    return body(this.owner.post(`${url}parameters/`, { name: this.unique('parameter'), ...input }), 201);
  }

  async value({ parameter, environment, ...input }: ValueInput = {}): Promise<Value> {
    const { url } = parameter ?? (await this.parameter());
    const target = environment ?? (await this.environmentOfValues());
    return body(
      this.owner.post(`${url}values/`, { environment: target.url, internal_value: 'a value', ...input }),
      201,
    );
  }

  webhook(input: Partial<WebhookCreate> = {}): Promise<Webhook> {
    const defaults = {
      name: this.unique('webhook'),
      event_types: ['value_updated'],
      type: 'slack',
      configuration: { token: 'xoxb-test-token', channel: '#changes', username: 'strata' },
    };
    return body(this.owner.post('webhooks/', { ...defaults, ...input }), 201);
  }

  /** Requests the environment `default` only once. */
  private environmentOfValues(): Promise<Environment> {
    this.defaultEnvironment ??= this.environmentNamed('default');
    return this.defaultEnvironment;
  }

  private async addMember(role: Role): Promise<string> {
    const name = this.unique(role.toLowerCase());
    const account = await body<ServiceAccountCreated>(this.owner.post('serviceaccounts/', { name, role }), 201);
    return `Api-Key ${account.apikey}`;
  }

  private unique(kind: string): string {
    this.createdCount += 1;
    return `${kind}-${this.createdCount}`;
  }
}

/** Signing in uses a deliberately slow password hash, so it happens once per process and core. */
const logins = new Map<string, Promise<string>>();
let organizations = 0;

/** Creates an organization with its default content through the public API. */
export async function organization(core: CoreUnderTest): Promise<TestOrganization> {
  const person = new RawClient(core.origin, core.ownerAuthorization ?? (await login(core)));
  organizations += 1;
  const name = `organization-${process.pid}-${organizations}`;
  const createdObject = await body<OrganizationBody>(person.post('organizations/', { name }), 201);
  const token = await body<AuthToken>(person.post('auth/token/', { organization: createdObject.id }), 200);
  return new TestOrganization(core, createdObject, `Bearer ${token.access_token}`);
}

function login({ origin, ownerEmail, ownerPassword }: CoreUnderTest): Promise<string> {
  const cachedLogin = logins.get(origin);
  if (cachedLogin) return cachedLogin;
  const anonymous = new RawClient(origin, null);
  const whenCreated = body<AuthToken>(
    anonymous.post('auth/token/', { email: ownerEmail, password: ownerPassword }),
    200,
  ).then((token) => `Bearer ${token.access_token}`);
  logins.set(origin, whenCreated);
  whenCreated.catch(() => logins.delete(origin));
  return whenCreated;
}

/** Throws with the whole response for any other status, so that the setup of a test does not fail silently. */
async function body<T>(pendingResponse: Promise<Reply>, status: number): Promise<T> {
  const response = await pendingResponse;
  if (response.status !== status) throw new Error(`Expected ${status}, got ${response.status}: ${response.text}`);
  return response.body as T;
}
