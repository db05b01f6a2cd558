import { OPERATIONS, type Operation, type ServiceAccountCreated } from '@strata/contract';
import { type Ability, canCall, NO_SCOPES, type PathScope, type Permissions, ROLES, type Role } from '@strata/domain';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

/**
 * Tests every operation with every role and every grant, on an open, a controlled and a foreign scope. The expected
 * result is computed from the matrix in libs/domain and from the requirements that the operation declares. A route that
 * requires anything else fails this test. Allowed requests change nothing: they use unknown ids, an empty body, or a
 * precondition that fails.
 */
const NOWHERE = '00000000-0000-4000-8000-000000000000';
type Kind = 'projects' | 'environments';

interface TestCaller {
  readonly client: RawClient;
  readonly role: Role;
  /** The role that the caller was granted on the controlled scopes. */
  readonly granted: Role | null;
}

let core: RunningCore;
let organization: TestOrganization;
let people: readonly TestCaller[];
let scopes: Readonly<Record<'open' | 'controlled' | 'foreign', Readonly<Record<Kind, string>>>>;

beforeAll(async () => {
  core = await sharedCore();
  organization = await core.organization();
  const otherOrganization = await core.organization();
  const createScopes = async (target: TestOrganization) => ({
    projects: (await target.project()).id,
    environments: (await target.environment()).id,
  });
  scopes = {
    open: await createScopes(organization),
    controlled: await createScopes(organization),
    foreign: await createScopes(otherOrganization),
  };
  for (const [kind, id] of Object.entries(scopes.controlled)) {
    await organization.owner.patch(`${kind}/${id}/`, { access_controlled: true });
  }
  const combinations = ROLES.flatMap((role) => [null, ...ROLES].map((granted) => ({ role, granted })));
  people = await Promise.all(combinations.map(({ role, granted }) => addMember(role, granted)));
});

async function addMember(role: Role, granted: Role | null): Promise<TestCaller> {
  const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
    name: `${role} ${granted}`,
    role,
  });
  if (granted !== null) {
    for (const scope of Object.values(scopes.controlled)) {
      const grant = await organization.owner.post('grants/', { principal: body.user.url, scope, role: granted });
      if (grant.status !== 201) throw new Error(grant.text);
    }
  }
  return { client: new RawClient(core.origin, `Api-Key ${body.apikey}`), role, granted };
}

const SCOPED = /^\/api\/v1\/(projects|environments)\/\{\w+\}\/(.*)$/;

const guarded = OPERATIONS.filter(({ requires }) => requires !== 'nothing').map(
  (operation) => [operation.id, operation] as const,
);
const scoped = guarded.filter(([, { path }]) => SCOPED.test(path));
/** The test runs as service accounts, which have no tokens to revoke. */
const OF_PERSONS = ['users_current_tokens_destroy'];
const unscoped = guarded.filter(([id, { path }]) => !SCOPED.test(path) && !OF_PERSONS.includes(id));

/** Uses HEAD for streams, because a GET would not be a response of JSON. */
const probeMethod = ({ id, method }: Operation) => (id.endsWith('_stream') ? 'HEAD' : method.toUpperCase());

async function isAllowed(client: RawClient, operation: Operation, path: string): Promise<boolean> {
  const { status } = await client.send(probeMethod(operation), path, {
    headers: { 'if-match': '"a condition that does not hold"' },
    ...(operation.body && { body: {} }),
  });
  if (status === 401 || status >= 500) throw new Error(`${operation.id} answered ${status}.`);
  return status !== 403;
}

function permissions(
  { role, granted }: TestCaller,
  scope: PathScope | null,
  scopeKind: keyof typeof scopes,
): Permissions {
  return { role, scopes: scopeKind === 'controlled' && scope ? new Map([[scope.id, granted]]) : NO_SCOPES };
}

describe('outside of scopes', () => {
  it.each(unscoped)('%s allows exactly the callers with the required ability', async (_, operation) => {
    const path = operation.path.replace(/\{\w+\}/g, NOWHERE);
    for (const person of people.filter(({ granted }) => granted === null || granted === 'OWNER')) {
      const expected = canCall(permissions(person, null, 'open'), operation.requires as Ability, null);
      expect([person.role, person.granted, await isAllowed(person.client, operation, path)]).toEqual([
        person.role,
        person.granted,
        expected,
      ]);
    }
  });
});

describe.each(['open', 'controlled', 'foreign'] as const)('in a scope that is %s', (scopeKind) => {
  it.each(scoped)('%s allows exactly the callers that the matrix allows', async (_, operation) => {
    const [, kind = '', rest = ''] = SCOPED.exec(operation.path) ?? [];
    const id = scopes[scopeKind][kind as Kind];
    const scope: PathScope = { id, part: rest === '' ? 'itself' : rest === 'copy/' ? 'copy' : 'contents' };
    const path = `/api/v1/${kind}/${id}/${rest.replace(/\{\w+\}/g, NOWHERE)}`;
    const request = people.filter(({ granted }) => scopeKind === 'controlled' || granted === null);
    const responses = await Promise.all(
      request.map(async (person) => [person.role, person.granted, await isAllowed(person.client, operation, path)]),
    );
    expect(responses).toEqual(
      request.map((person) => [
        person.role,
        person.granted,
        canCall(permissions(person, scope, scopeKind), operation.requires as Ability, scope),
      ]),
    );
  });
});

describe('the matrix', () => {
  it('is checked for every operation that requires a caller, without changing anything', async () => {
    const checked = OPERATIONS.filter(({ id, requires }) => requires !== 'nothing' && !OF_PERSONS.includes(id));
    expect(scoped.length + unscoped.length).toBe(checked.length);
    for (const scopeKind of ['open', 'controlled'] as const) {
      for (const [kind, id] of Object.entries(scopes[scopeKind])) {
        expect(await organization.owner.get(`${kind}/${id}/`)).toMatchObject({
          status: 200,
          body: { access_controlled: scopeKind === 'controlled' },
        });
      }
    }
  });
});
