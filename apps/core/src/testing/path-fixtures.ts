import { randomUUID } from 'node:crypto';
import type {
  AccessRequest,
  AppliedChangeset,
  AuthToken,
  Delivery,
  DestinationCreated,
  DestinationDelivery,
  InvitationCreated,
  Operation,
  Page,
  ParameterType,
  Rotation,
  ServiceAccountCreated,
  Session,
  Webhook,
} from '@strata/contract';
import { RawClient, type RunningCore, type TestOrganization } from '@strata/testkit';
import { integrationFixture } from './integration-fixture.ts';
import { controlledProject } from './members.ts';
import { createPerson } from './people.ts';
import { waitUntil } from './until.ts';

/** The path and the caller of an operation. */
export interface PathFixture {
  readonly path: string;
  readonly client: RawClient;
  /** Ids of the path, tokens and principals, which cannot be derived from a schema. */
  readonly values: Readonly<Record<string, string>>;
}

const RULE = { type: 'min_len', constraint: '0' };
const TRUST_RULE = { issuer: 'https://workloads.example', audience: 'strata', subject: 'system:serviceaccount:a:b' };
const TOKEN = `xoxb-${'1234567890-'.repeat(2)}abcd`;

/** The operations on the session of their caller. */
const NEEDS_SESSION: ReadonlySet<string> = new Set([
  'auth_code_create',
  'auth_session_destroy',
  'users_current_sessions_destroy',
]);

/** Creates fixtures for operations in one organization. Each fixture has separate objects. */
export class PathFixtures {
  private count = 0;

  constructor(
    private readonly core: RunningCore,
    readonly organization: TestOrganization,
  ) {}

  /** Creates the objects of an operation. */
  async of(operation: Operation): Promise<PathFixture> {
    const { path } = operation;
    const otherCaller = await this.ofAnotherCaller(operation);
    const values = otherCaller?.values ?? (await this.idsFor(path));
    return {
      path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
      client: otherCaller?.client ?? this.organization.owner,
      values,
    };
  }

  /** Returns another caller for operations that end the caller's credential or require a different one. */
  private async ofAnotherCaller({ id }: Operation): Promise<Pick<PathFixture, 'client' | 'values'> | null> {
    const anonymous = new RawClient(this.core.origin, null);
    if (id === 'auth_token_create' || id === 'auth_session_create') return { client: anonymous, values: {} };
    if (NEEDS_SESSION.has(id)) return this.signedIn();
    if (id === 'organizations_destroy') {
      const otherOrganization = await this.core.organization();
      return { client: otherOrganization.owner, values: { id: otherOrganization.id } };
    }
    if (id === 'users_current_password_create' || id === 'users_current_tokens_destroy') {
      const { client, password } = await createPerson(this.core, this.organization.id, 'VIEWER');
      return { client, values: { password } };
    }
    if (id === 'users_destroy') {
      const { id: userId, client } = await createPerson(this.core, this.organization.id, 'VIEWER');
      return { client, values: { id: userId } };
    }
    if (id !== 'invitations_accept_create') return null;
    const otherMember = await createPerson(this.core, (await this.core.organization()).id, 'VIEWER');
    const invitedMember = await this.invitation(otherMember.email);
    return { client: otherMember.client, values: { id: invitedMember.id, token: invitedMember.token } };
  }

  private async signedIn(): Promise<Pick<PathFixture, 'client' | 'values'>> {
    const { email, password } = await createPerson(this.core, this.organization.id, 'VIEWER');
    const { body } = await new RawClient(this.core.origin, null).post<AuthToken>('auth/session/', { email, password });
    const client = new RawClient(this.core.origin, `Bearer ${body.access_token}`);
    const { body: sessions } = await client.get<Page<Session>>('users/current/sessions/');
    return { client, values: { session: sessions.results[0]?.id ?? '' } };
  }

  /** Returns ids for the placeholders of a path. */
  private async idsFor(path: string): Promise<Record<string, string>> {
    if (path.includes('/integrations/')) return integrationFixture(this.organization, path);
    if (path.includes('/ofrep/')) return this.flag();
    if (path.includes('/environments/')) return this.environment(path);
    if (path.includes('/projects/')) return this.project(path);
    if (path.includes('/types/')) return this.type(path);
    if (path.includes('/organizations/')) return { id: this.organization.id };
    if (path.includes('/grants/')) return this.grant();
    if (path.includes('/access/requests/')) return this.accessRequest(path);
    if (path.includes('/webhooks/')) return this.webhook(path);
    if (path.includes('/destinations/')) return this.destination(path);
    if (path.includes('/rotations/')) return { id: await rotationId(this.organization) };
    if (path.includes('/invitations/')) {
      const { id, token } = await this.invitation(`${randomUUID()}@example.com`);
      return { id, token };
    }
    if (path.includes('/groups/')) return { id: await this.make('groups/', { name: this.name(), users: [] }) };
    if (path.includes('/revert/')) return this.changeset();
    if (path.includes('/changesets/')) return { revision: await this.revision() };
    if (path.includes('/audit/log/')) return { level: '0', index: '000.p', width: '1' };
    if (path.includes('/audit/')) return { id: await this.first('audit/') };
    if (path.includes('/current/')) return this.preference(path);
    if (/users|memberships|serviceaccounts/.test(path)) return this.account(path);
    return {};
  }

  private async changeset(): Promise<Record<string, string>> {
    const operations = [{ operation: 'environments_create', body: { name: this.name() } }];
    const { body } = await this.organization.owner.post<AppliedChangeset>('changesets/', { operations });
    return { revision: String(body.revision) };
  }

  /** Only approved access can be revoked. */
  private async accessRequest(path: string): Promise<Record<string, string>> {
    const { owner } = this.organization;
    const { url: scope } = await controlledProject(this.organization);
    const input = { scope, role: 'VIEWER', duration_minutes: 60, message: 'outage' };
    const { body } = await owner.post<AccessRequest>('access/requests/', input);
    if (path.includes('/revoke/')) await owner.post(`${body.url}approve/`, {});
    return { id: body.id };
  }

  private async environment(path: string): Promise<Record<string, string>> {
    const { id, url } = await this.organization.environment();
    if (!path.includes('/tags/')) return { id, environment_pk: id };
    return { environment_pk: id, id: await this.make(`${url}tags/`, { name: this.name() }) };
  }

  private async flag(): Promise<Record<string, string>> {
    const project = await this.organization.project();
    const { name: key } = await this.organization.parameter({ project });
    return { project: project.name, environment: 'default', key };
  }

  private async type(path: string): Promise<Record<string, string>> {
    const parent = await this.first('types/?name=string');
    const { body: type } = await this.organization.owner.post<ParameterType>('types/', { name: this.name(), parent });
    if (!path.includes('/rules/')) return { id: type.id };
    return { parametertype_pk: type.id, id: await this.make(`${type.url}rules/`, RULE) };
  }

  private async project(path: string): Promise<Record<string, string>> {
    const project = await this.organization.project();
    const template = { name: this.name(), body: 'b' };
    if (path.includes('/templates/')) {
      return { project_pk: project.id, id: await this.make(`${project.url}templates/`, template) };
    }
    const parameter = await this.organization.parameter({ project });
    const value = await this.organization.value({ parameter });
    const parentKeys = { project_pk: project.id, parameter_pk: parameter.id };
    if (path.includes('/rules/')) return { ...parentKeys, id: await this.make(`${parameter.url}rules/`, RULE) };
    if (path.includes('/values/')) return { ...parentKeys, id: value.id };
    return { ...parentKeys, id: path.includes('/parameters/') ? parameter.id : project.id };
  }

  private async preference(path: string): Promise<Record<string, string>> {
    const [{ id: project }, id, ownPath] = [await this.organization.project(), randomUUID(), 'users/current/'];
    await this.organization.owner.put(`${ownPath}favourites/${project}/`);
    await this.organization.owner.put(`${ownPath}views/`, { id, project, name: 'view' });
    if (path.includes('/collapsed-environments/')) {
      const environment = await this.organization.environment();
      await this.organization.owner.put(`${ownPath}collapsed-environments/${environment.id}/`);
      return { id: environment.id };
    }
    return { id: path.includes('/views/') ? id : project };
  }

  private async account(path: string): Promise<Record<string, string>> {
    const { user, url } = await this.serviceAccount();
    if (path.includes('/trust-rules/'))
      return { serviceaccount_pk: user.id, id: await this.make(`${url}trust-rules/`, TRUST_RULE) };
    return { id: (path.includes('memberships') ? user.membership_id : user.id) ?? '', user: user.url };
  }

  /** Creates a service account that can receive a grant. */
  async serviceAccount(): Promise<ServiceAccountCreated> {
    return (await this.organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: this.name() })).body;
  }

  /** Creates a person whom the owner knows from another organization. */
  async outsider(): Promise<string> {
    const { id } = await createPerson(this.core, (await this.core.organization()).id, 'VIEWER');
    return `users/${id}/`;
  }

  private async invitation(email: string): Promise<InvitationCreated> {
    return (await this.organization.owner.post<InvitationCreated>('invitations/', { email, role: 'VIEWER' })).body;
  }

  private async grant() {
    const scope = (await this.organization.project()).url;
    const [principal, otherPrincipal] = [
      (await this.serviceAccount()).user.url,
      (await this.serviceAccount()).user.url,
    ];
    const id = await this.make('grants/', { principal, scope, role: 'OWNER' });
    // Adds a second owner, so that either may be removed.
    await this.make('grants/', { principal: otherPrincipal, scope, role: 'OWNER' });
    return { id, principal, scope };
  }

  private async webhook(path: string): Promise<Record<string, string>> {
    const { owner } = this.organization;
    const configuration = { token: TOKEN, channel: '#changes', username: 'strata' };
    const input = { name: this.name(), event_types: ['value_updated'], type: 'slack', configuration };
    const { body: webhook } = await owner.post<Webhook>('webhooks/', input);
    if (!path.includes('deliver')) return { id: webhook.id };
    await owner.post(`${webhook.url}test/`);
    const { results } = await settled(() => owner.get<Page<Delivery>>(`${webhook.url}deliveries/`));
    return { id: webhook.id, delivery_pk: results[0]?.id ?? '' };
  }

  /** The host does not exist, so that messages fail at once. */
  private async destination(path: string): Promise<Record<string, string>> {
    const { owner } = this.organization;
    const input = {
      name: this.name(),
      type: 'http',
      event_types: ['value_updated'],
      address: 'https://hooks.invalid/a',
    };
    const { body: destination } = await owner.post<DestinationCreated>('destinations/', input);
    if (!path.includes('deliver')) return { id: destination.id };
    const { body: delivery } = await owner.post<DestinationDelivery>(`${destination.url}test/`);
    return { id: destination.id, delivery_pk: delivery.id };
  }

  /** Throws if the preparation fails. */
  private async make(path: string, body: object): Promise<string> {
    const response = await this.organization.owner.post<{ id: string }>(path, body);
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.body.id;
  }

  /** Creates a tag of a new environment, and returns its link. */
  async tag(): Promise<string> {
    const { url } = await this.organization.environment();
    return (await this.organization.owner.post<{ url: string }>(`${url}tags/`, { name: this.name() })).body.url;
  }

  async revision(): Promise<string> {
    return (await this.organization.owner.get('users/current/')).headers['x-revision'] ?? '';
  }

  /** Returns the id of the first item of a list. */
  async first(path: string): Promise<string> {
    return (await this.organization.owner.get<Page<{ id: string }>>(path)).body.results[0]?.id ?? '';
  }

  private name(): string {
    this.count += 1;
    return `thing-${this.count}`;
  }
}

/** Returns the list once nothing in it is pending, so that the next request sees the same status. */
async function settled(read: () => Promise<{ readonly body: Page<Delivery> }>): Promise<Page<Delivery>> {
  const { body } = await waitUntil(
    read,
    ({ body: { results } }) => results.length > 0 && results.every(({ status }) => status !== 'sending'),
  );
  return body;
}

/**
 * Returns the settings of a server of its own, because no two rotations share a role. The host does not exist, so that a
 * rotation fails at once.
 */
export const newPostgresqlSettings = () => ({ host: `${randomUUID()}.invalid`, user: 'strata', roles: ['a', 'b'] });

/** Creates a rotation of a secret of its own. */
export async function rotationId(organization: TestOrganization): Promise<string> {
  const parameter = await organization.parameter({ secret: true });
  const environment = await organization.environmentNamed('production');
  await organization.value({ parameter, environment, internal_value: 'postgresql://a:b@db.invalid/shop' });
  const { body } = await organization.owner.post<Rotation>('rotations/', {
    ...{ name: 'rotation', parameter: parameter.url, environment: environment.url, rotator: 'postgresql' },
    ...{ postgresql: newPostgresqlSettings(), credential: 'password' },
  });
  return body.id;
}
