import { EffectiveQuery, type Operation, type Page, type ServiceAccount } from '@strata/contract';
import { contractInputs, createSample, type Field, type Inputs, type Size, testCredentials } from '@strata/testkit';
import { controlledProject } from './members.ts';
import { newPostgresqlSettings, type PathFixture, type PathFixtures } from './path-fixtures.ts';

/** The context for values that the schema does not determine. */
export interface SampleContext {
  readonly operation: Operation;
  readonly fixture: PathFixture;
  readonly fixtures: PathFixtures;
  readonly size: Size;
  /** The first item of a list, for filters that match it. */
  readonly first?: Words;
}
type Sample = (context: SampleContext) => unknown;
type Words = Readonly<Record<string, unknown>>;

const LATER = '2099-01-01T00:00:00Z';
const project: Sample = async ({ fixtures: { organization } }) => (await organization.project()).url;
const toLinks = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const account: Sample = async ({ fixtures }) => (await fixtures.serviceAccount()).user.url;
const firstAccount = async ({ fixtures: { organization } }: SampleContext): Promise<ServiceAccount> => {
  const { body } = await organization.owner.get<Page<ServiceAccount>>('serviceaccounts/?ordering=created_at');
  const [listedAccount] = body.results;
  if (!listedAccount) throw new Error('The organization has no service account.');
  return listedAccount;
};
const rule: Sample = ({ size }) => (size === 'least' ? 'max_len' : 'regex');
const always =
  (value: unknown): Sample =>
  () =>
    value;
/** A required text of the maximum length. */
const spec =
  (prefix: string, lengthMax: number): Sample =>
  ({ size }) =>
    size === 'least' ? prefix : prefix.padEnd(lengthMax, 'x');

const PASSWORD_SIGN_INS: readonly string[] = ['auth_token_create', 'auth_session_create'];

/**
 * Values of fields that must refer to an existing object or have a certain meaning. A key is a field, or the beginning
 * of an operation's id and a field. All other values are generated from the schema.
 */
const BODY: Readonly<Record<string, Sample>> = {
  parent: async ({ fixtures: { organization } }) => (await organization.environmentNamed('default')).url,
  'types parent': ({ fixtures }) => fixtures.first('types/?name=string'),
  depends_on: project,
  project,
  'import project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'import environment': always('default'),
  'rollouts_create project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'rollouts_create environment': always('default'),
  'rollouts_create revision': always(0),
  'forwarded_reads_create read_at': always('2026-11-30T10:00:00Z'),
  'import body': always('A=1\n'),
  environment: async ({ fixtures: { organization }, size }) =>
    (await (size === 'most' ? organization.environmentNamed('production') : organization.environment())).url,
  user: ({ fixtures }) => fixtures.outsider(),
  users: async (context) => [await account(context)],
  principal: account,
  scope: project,
  role: always('OWNER'),
  // An OWNER cannot be temporary.
  'grants expires_at': always(null),
  'access_requests role': always('ADMIN'),
  'access_requests reveal': always(false),
  'access_requests scope': async ({ fixtures: { organization } }) => (await controlledProject(organization)).url,
  // Only a VIEWER can be limited to projects.
  'serviceaccounts role': always('VIEWER'),
  only_projects: async (context) => [await project(context)],
  key_projects: async (context) => [await project(context)],
  key_environments: async ({ fixtures: { organization } }) => [(await organization.environment()).id],
  organization: ({ fixtures: { organization } }) => organization.id,
  projects: async (context) => [await project(context)],
  'destinations type': always('http'),
  'destinations signing': always('ed25519'),
  'destinations address': always('https://hooks.invalid/path'),
  'destinations recipients': always([]),
  'destinations environments': async ({ fixtures: { organization } }) => [(await organization.environment()).url],
  'destinations_replay from_revision': always(1),
  'destinations_replay to_revision': always(null),
  'rotations rotator': always('postgresql'),
  'rotations postgresql': newPostgresqlSettings,
  'rotations aws_iam': always(null),
  'rotations command': always(null),
  'rotations environment': ({ fixtures: { organization } }) =>
    organization.environmentNamed('production').then(({ url }) => url),
  'rotations parameter': async ({ fixtures: { organization } }) => {
    const parameter = await organization.parameter({ secret: true });
    await organization.value({ parameter, environment: await organization.environmentNamed('production') });
    return parameter.url;
  },
  tags: async ({ fixtures }) => [await fixtures.tag()],
  resource: spec('{{ environment }}/{{ project }}/{{ parameter }}', 1_024),
  project_name_pattern: spec('.*|', 255),
  'projects_parameters type': always('string'),
  'projects_parameters_rules type': rule,
  'types_rules type': rule,
  // A pattern has at most 512 characters, so that compiling it takes milliseconds.
  constraint: ({ size }) => (size === 'least' ? '99' : '.*|'.padEnd(512, 'x')),
  // The flag is fixed when a parameter is created (E31).
  secret: always(false),
  'projects_parameters_create secret': always(true),
  // Text and external content exclude each other, and these organizations have no external content (E48, E49).
  external: always(false),
  external_fqn: always(''),
  // Only an identity provider has a second factor; without one it cannot be required.
  mfa_enabled: always(false),
  expires: always('P30D'),
  expiration_action: always({ length: 20 }),
  expire_at: always(LATER),
  issuer: always('https://workloads.example'),
  claims: always({ project_id: '1' }),
  email: ({ operation, size }) =>
    PASSWORD_SIGN_INS.includes(operation.id)
      ? testCredentials().ownerEmail
      : createSample({ type: 'string', format: 'email', maxLength: 254 }, size),
  'auth_token_create password': () => testCredentials().ownerPassword,
  'auth_session_create password': () => testCredentials().ownerPassword,
  code_challenge: always('x'.repeat(43)),
  sso_only: always(false),
  'users_current_password_create old_password': ({ fixture }) => fixture.values.password,
  'users_current_password_create new_password': always('a password of twelve characters or more'),
  expires_in: always(600),
  // Without an invitation no token is valid, so any text will do.
  token: ({ fixture }) => fixture.values.token ?? 'x',
  operations: async ({ fixtures: { organization } }) => [
    {
      set: {
        project: (await organization.project()).url,
        environment: 'default',
        values: { A: '1' },
        create_missing: true,
      },
    },
  ],
  base_revision: async ({ fixtures }) => Number(await fixtures.revision()),
  // Without a plan, there is no hash.
  plan_hash: always(null),
  // The push of the fixture has no keys.
  'integrations decisions': always([]),
  'changesets_revert operations': always([0]),
  'revert to': async ({ fixtures }) => ({ revision: Number(await fixtures.revision()) }),
  'revert scope': always({ environment: 'default' }),
  'projects_values values': always({}),
};

/** Values of query parameters. Filters without an entry use the first item of the list. */
const QUERY: Readonly<Record<string, Sample>> = {
  base_revision: ({ fixtures }) => fixtures.revision(),
  as_of: always(LATER),
  t1_as_of: always(LATER),
  t2_as_of: always(LATER),
  tag: always('release'),
  t1_tag: always('release'),
  t2_tag: always('release'),
  revision: ({ fixtures }) => fixtures.revision(),
  'audit_proof_retrieve checkpoint': ({ fixtures }) => fixtures.revision(),
  environment: always('default'),
  'projects_parameters_values_create environment': always('production'),
  'environments parent__name': always('default'),
  'environments parent__name__icontains': always('fau'),
  'types parent__name': ({ first }) => first?.parent_name,
  'types parent__name__icontains': ({ first }) => first?.parent_name,
  'types parent__name__iexact': ({ first }) => first?.parent_name,
  'integrations environment': ({ first }) => toLinks(first?.tags)[0]?.replace(/tags\/[^/]+\/$/, ''),
  'integrations tag': ({ first }) => toLinks(first?.tags)[0],
  'integrations project': ({ first }) => toLinks(first?.projects)[0],
  'integrations_explore fqn': always(''),
  'effective_list include': always('value,secret'),
  'projects_explain_list include': always('since'),
  'lint_list include': always('last_read'),
  'effective_list project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'access_explain_list project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'access_explain_list who': async (context) => (await firstAccount(context)).user.url,
  'access_explain_list key': async (context) => (await firstAccount(context)).keys?.[0]?.prefix,
  'search_list project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'rollouts_list project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'users_current_confirmation_retrieve project': async ({ fixtures: { organization } }) =>
    (await organization.project()).id,
  'users_current_confirmation_retrieve environment': async ({ fixtures: { organization } }) =>
    (await organization.environmentNamed('default')).id,
  'lint_list project': async ({ fixtures: { organization } }) => (await organization.project()).name,
  'search_list in': always('name,value'),
  'search_list state': always('own,dynamic'),
  'search_list match': always('regex'),
  'search_list q': always('(?i)a|b'),
  'lint_list kind': always('missing_value,clear_secret'),
  difference: always('default,production'),
  'projects_matrix state': always('own,missing'),
  left: always('default'),
  right: always('production'),
  left_project: ({ fixture }) => fixture.values.project_pk,
  right_project: ({ fixture }) => fixture.values.project_pk,
  left_as_of: always(LATER),
  right_as_of: always(LATER),
  left_tag: always('release'),
  right_tag: always('release'),
  left_revision: ({ fixtures }) => fixtures.revision(),
  right_revision: ({ fixtures }) => fixtures.revision(),
  'projects_parameters_duality difference': always(false),
  page: always(1),
  after: always('start'),
  page_size: always(2),
  ordering: always('-created_at,description,-modified_at,name,no_such_field'),
  include: always('id,url'),
  exclude: always('url'),
  output: always('docker'),
  format: always('json'),
  length: always(12),
  'groups user': async (context) => toLinks(context.first?.users)[0] ?? account(context),
  'events after': always('now'),
  'events wait': always(0),
  'events types': always('value_updated'),
  'events environment': ({ fixtures }) => fixtures.first('environments/'),
  'events project': ({ fixtures }) => fixtures.first('projects/'),
  'grants_multi_destroy principal': ({ fixture }) => fixture.values.principal,
  'grants_multi_destroy scope': ({ fixture }) => fixture.values.scope,
};

/** Fields that the contract declares optional but the operation requires, each with the reason. */
const REQUIRED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  access_explain_list: ['project'],
  // Destinations of all types except e-mail need an address.
  destinations_create: ['address'],
  // A request for a role needs both; one for the ability to reveal secrets needs neither.
  access_requests_create: ['scope', 'role'],
  // Each rotator has settings of its own.
  rotations_create: ['postgresql', 'credential'],
  // Other formats than docker, dotenv and shell return 400 (behaviour.md §7.3).
  projects_parameter_export_list: ['output'],
  // The contract has no filters there; without one, all grants of the organization would be deleted.
  grants_multi_destroy: ['scope'],
  // A comparison with itself is rejected.
  projects_compare_list: ['left', 'right'],
  // One of the two ways to authenticate.
  auth_token_create: ['email', 'password'],
  auth_session_create: ['email', 'password'],
  // The digest, a reason, or both.
  rollouts_create: ['digest'],
};

/** The parameters of an effective configuration that exclude waiting for a change of it. */
const UNPOLLED = Object.keys(EffectiveQuery.shape).filter(
  (name) => !['environment', 'name__in', 'mask_secrets', 'wait'].includes(name),
);

/** Parameters that exclude each other, by the beginning of the operations' ids. */
const EXCLUSIVE: readonly (readonly [string, ...string[]])[] = [
  ['', 'as_of', 'tag', 'revision'],
  ['', 'environment', 'values'],
  ['', 'after', 'page'],
  ['', 'after', 'ordering'],
  ['projects_parameters_list', 'environment', 'difference'],
  // A long poll selects by `name__in` only.
  ...UNPOLLED.map((name) => ['projects_effective_retrieve', 'wait', name] as const),
  // A tag belongs to one environment.
  ...['tag', 't1_tag', 't2_tag'].map((tag) => ['', tag, 'values'] as const),
  ['projects_parameters_list', 'tag', 'difference'],
  ['projects_parameters_list', 'values', 'difference'],
  ['', 't1_as_of', 't1_tag'],
  ['', 't2_as_of', 't2_tag'],
  ['', 'left_as_of', 'left_tag', 'left_revision'],
  ['', 'right_as_of', 'right_tag', 'right_revision'],
];

/** The contract allows null here, but a push requires these fields (behaviour.md §14), and a rotation its rotator's settings. */
const FILLED = /^integrations_\w+_pushes_.* resource$|^rotations_create postgresql$/;

const INPUTS = contractInputs();

export function findInputs({ id }: Operation): Inputs {
  const inputs = INPUTS.get(id);
  if (!inputs) throw new Error(`${id} is not described.`);
  return inputs;
}

/** Values for ignored members, such as clients send, and worse. */
const NONSENSE = ['', null, 7, { x: [] }];

/** Operations that reject unknown members, because such a member could be a condition. */
const STRICT_BODIES = /^(changesets_|revert_)/;

/** Returns the body with the required or with all members; undefined if the operation takes none. */
export async function buildBody(context: SampleContext): Promise<Record<string, unknown> | undefined> {
  const { body } = findInputs(context.operation);
  if (body === null) return undefined;
  const members: Record<string, unknown> = {};
  for (const [index, field] of body.entries()) {
    if (!isIncluded(context, field)) continue;
    members[field.name] = field.ignored ? NONSENSE[index % NONSENSE.length] : await bodyValue(context, field);
  }
  const isStrict = STRICT_BODIES.test(context.operation.id);
  if (context.size === 'most' && !isStrict) members.no_field_of_this_name = NONSENSE;
  return members;
}

/** Returns a body with null in every nullable field. */
export async function buildEmptyBody(context: SampleContext): Promise<Record<string, unknown> | undefined> {
  const nullable =
    findInputs(context.operation).body?.filter(
      ({ name, schema, ignored }) => schema.nullable && !ignored && !FILLED.test(`${context.operation.id} ${name}`),
    ) ?? [];
  if (nullable.length === 0) return undefined;
  const least = await buildBody({ ...context, size: 'least' });
  return { ...least, ...Object.fromEntries(nullable.map(({ name }) => [name, null])) };
}

function isIncluded({ operation, size }: SampleContext, { name, required, ignored }: Field): boolean {
  if (size === 'most') return true;
  return (required && !ignored) || (REQUIRED_FIELDS[operation.id]?.includes(name) ?? false);
}

async function bodyValue(context: SampleContext, { name, schema }: Field): Promise<unknown> {
  const sample = lookUp(BODY, context.operation, name);
  return sample ? sample(context) : createSample(schema, context.size);
}

/** Returns a query with the required parameters only. */
export async function buildLeastQuery(context: SampleContext): Promise<Words> {
  const fields = findInputs(context.operation).query.filter((field) =>
    isIncluded({ ...context, size: 'least' }, field),
  );
  return queryWith(context, fields);
}

/**
 * Returns as few queries as possible that together contain every parameter. `impossible` contains a query with all of
 * them if it is not among the others.
 */
export async function buildFullQueries(
  context: SampleContext,
): Promise<{ readonly possible: Words[]; readonly impossible: Words[] }> {
  const { query } = findInputs(context.operation);
  const left = new Set(query.map(({ name }) => name));
  const possible: Words[] = [];
  do {
    const chosenNames: string[] = [];
    for (const name of [...left, ...query.map((field) => field.name)])
      if (fits(context.operation, chosenNames, name)) chosenNames.push(name);
    for (const name of chosenNames) left.delete(name);
    const fields = query.filter(({ name }) => chosenNames.includes(name));
    possible.push(await queryWith(context, fields));
  } while (left.size > 0);
  return { possible, impossible: possible.length > 1 ? [await queryWith(context, query)] : [] };
}

function fits({ id }: Operation, chosenNames: readonly string[], name: string): boolean {
  const rivals = EXCLUSIVE.filter(([prefix, ...group]) => id.startsWith(prefix) && group.includes(name)).flat();
  return !chosenNames.some((chosenName) => chosenName === name || rivals.includes(chosenName));
}

async function queryWith(context: SampleContext, fields: readonly Field[]): Promise<Words> {
  const query: Record<string, unknown> = {};
  for (const field of fields) query[field.name] = await queryValue(context, field);
  if (context.size === 'most') query.no_parameter_of_this_name = '1';
  return query;
}

async function queryValue(context: SampleContext, { name, schema }: Field): Promise<unknown> {
  const sample = lookUp(QUERY, context.operation, name);
  if (sample) return sample(context);
  const createdObject = context.first?.[name.replace(/__\w+$/, '')];
  if (['string', 'boolean', 'number'].includes(typeof createdObject)) return createdObject;
  return name === 'id__in' ? '' : createSample(schema, 'most');
}

function lookUp(table: Readonly<Record<string, Sample>>, { id }: Operation, name: string): Sample | undefined {
  const [key] = Object.keys(table)
    .filter((entry) => entry === name || (entry.endsWith(` ${name}`) && id.startsWith(entry.split(' ')[0] ?? '')))
    .sort((a, b) => b.length - a.length);
  return key === undefined ? undefined : table[key];
}
