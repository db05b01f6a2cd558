import type { Operation } from '@strata/contract';
import { contractInputs, type Field, type Inputs, type Size, sampleOf, testCredentials } from '@strata/testkit';
import type { Place, Places } from './contract-places.ts';

/** What a value may depend on that a schema cannot know. */
export interface Asked {
  readonly operation: Operation;
  readonly place: Place;
  readonly places: Places;
  readonly size: Size;
  /** The first that a list has, for filters that fit it. */
  readonly first?: Words;
}
type Given = (asked: Asked) => unknown;
type Words = Readonly<Record<string, unknown>>;

const LATER = '2099-01-01T00:00:00Z';
const project: Given = async ({ places: { house } }) => (await house.project()).url;
const linksOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const account: Given = async ({ places }) => (await places.serviceAccount()).user.url;
const rule: Given = ({ size }) => (size === 'least' ? 'max_len' : 'regex');
const always =
  (value: unknown): Given =>
  () =>
    value;
/** A text that must say something, as long as it may be. */
const saying =
  (said: string, most: number): Given =>
  ({ size }) =>
    size === 'least' ? said : said.padEnd(most, 'x');

/**
 * Values of fields that must name something that is there, or that mean something: by field, or by the beginning of an
 * operation's id and the field. All others are made from the schema.
 */
const BODY: Readonly<Record<string, Given>> = {
  parent: async ({ places: { house } }) => (await house.environmentNamed('default')).url,
  'types parent': ({ places }) => places.first('types/?name=string'),
  depends_on: project,
  project,
  'import project': async ({ places: { house } }) => (await house.project()).name,
  'import environment': always('default'),
  'import body': always('A=1\n'),
  environment: async ({ places: { house }, size }) =>
    (await (size === 'most' ? house.environmentNamed('production') : house.environment())).url,
  user: ({ places }) => places.stranger(),
  users: async (asked) => [await account(asked)],
  principal: account,
  scope: project,
  role: always('OWNER'),
  organization: ({ places: { house } }) => house.id,
  projects: async (asked) => [await project(asked)],
  tags: async ({ places }) => [await places.tag()],
  resource: saying('{{ parameter }}', 1_024),
  project_name_pattern: saying('.*|', 255),
  'projects_parameters type': always('string'),
  'projects_parameters_rules type': rule,
  'types_rules type': rule,
  // a pattern has at most 512 characters, which keeps compiling it a matter of milliseconds
  constraint: ({ size }) => (size === 'least' ? '99' : '.*|'.padEnd(512, 'x')),
  // settled for good when a parameter is made (E31)
  secret: always(false),
  'projects_parameters_create secret': always(true),
  // content of elsewhere and a text of one's own exclude each other; the first there is none of (E48, E49)
  external: always(false),
  external_fqn: always(''),
  // a second factor is up to an identity provider; without one it cannot be asked for
  mfa_enabled: always(false),
  expires: always('P30D'),
  expiration_action: always({ length: 20 }),
  expire_at: always(LATER),
  email: ({ operation, size }) =>
    operation.id === 'auth_token_create'
      ? testCredentials().ownerEmail
      : sampleOf({ type: 'string', format: 'email', maxLength: 254 }, size),
  'auth_token_create password': () => testCredentials().ownerPassword,
  token: ({ place }) => place.known.token,
};

/** The same for query parameters. Filters that are not here ask for what the first of the list says of itself. */
const QUERY: Readonly<Record<string, Given>> = {
  as_of: always(LATER),
  t1_as_of: always(LATER),
  t2_as_of: always(LATER),
  tag: always('release'),
  t1_tag: always('release'),
  t2_tag: always('release'),
  revision: ({ places }) => places.revision(),
  environment: always('default'),
  'projects_parameters_values_create environment': always('production'),
  'environments parent__name': always('default'),
  'environments parent__name__icontains': always('fau'),
  'types parent__name': ({ first }) => first?.parent_name,
  'types parent__name__icontains': ({ first }) => first?.parent_name,
  'types parent__name__iexact': ({ first }) => first?.parent_name,
  'integrations environment': ({ first }) => linksOf(first?.tags)[0]?.replace(/tags\/[^/]+\/$/, ''),
  'integrations tag': ({ first }) => linksOf(first?.tags)[0],
  'integrations project': ({ first }) => linksOf(first?.projects)[0],
  'integrations_explore fqn': always(''),
  'effective_list project': async ({ places: { house } }) => (await house.project()).name,
  difference: always('default,production'),
  'projects_parameters_duality difference': always(false),
  page: always(1),
  after: always('start'),
  page_size: always(2),
  ordering: always('-created_at,name,no_such_field'),
  include: always('id,url'),
  exclude: always('url'),
  output: always('docker'),
  format: always('json'),
  length: always(12),
  'groups user': async (asked) => linksOf(asked.first?.users)[0] ?? account(asked),
  'events after': always('now'),
  'events wait': always(0),
  'events types': always('value_updated'),
  'events environment': ({ places }) => places.first('environments/'),
  'events project': ({ places }) => places.first('projects/'),
  'grants_multi_destroy principal': ({ place }) => place.known.principal,
  'grants_multi_destroy scope': ({ place }) => place.known.scope,
};

/** Asked for although the contract calls them optional, each with the reason. */
const DEMANDED: Readonly<Record<string, readonly string[]>> = {
  // anything but docker, dotenv and shell is 400 (behaviour.md §7.3)
  projects_parameter_export_list: ['output'],
  // the contract knows no filters there; without one all grants of the organization would go
  grants_multi_destroy: ['scope'],
  // one of two ways of showing who one is
  auth_token_create: ['email', 'password'],
};

/** Parameters of which a request can have one, by the beginning of the operations' ids. */
const EXCLUSIVE: readonly (readonly [string, ...string[]])[] = [
  ['', 'as_of', 'tag', 'revision'],
  ['', 'environment', 'values'],
  ['', 'after', 'page'],
  ['', 'after', 'ordering'],
  ['projects_parameters_list', 'environment', 'difference'],
  // a tag is one of an environment
  ...['tag', 't1_tag', 't2_tag'].map((tag) => ['', tag, 'values'] as const),
  ['projects_parameters_list', 'tag', 'difference'],
  ['projects_parameters_list', 'values', 'difference'],
  ['', 't1_as_of', 't1_tag'],
  ['', 't2_as_of', 't2_tag'],
];

/** May be null in the contract; but where a push writes to must be said (behaviour.md §14). */
const FILLED = /^integrations_\w+_pushes_.* resource$/;

const INPUTS = contractInputs();

export function inputsOf({ id }: Operation): Inputs {
  const inputs = INPUTS.get(id);
  if (!inputs) throw new Error(`${id} is not described.`);
  return inputs;
}

/** What is sent where nobody looks: as clients do, and worse. */
const NONSENSE = ['', null, 7, { x: [] }];

/** The body of a size; undefined where the operation takes none. */
export async function bodyOf(asked: Asked): Promise<Record<string, unknown> | undefined> {
  const { body } = inputsOf(asked.operation);
  if (body === null) return undefined;
  const made: Record<string, unknown> = {};
  for (const [at, field] of body.entries()) {
    if (!isWanted(asked, field)) continue;
    made[field.name] = field.ignored ? NONSENSE[at % NONSENSE.length] : await bodyValue(asked, field);
  }
  if (asked.size === 'most') made.no_field_of_this_name = NONSENSE;
  return made;
}

/** With null in every field that may be null. */
export async function emptyBodyOf(asked: Asked): Promise<Record<string, unknown> | undefined> {
  const nullable =
    inputsOf(asked.operation).body?.filter(
      ({ name, schema, ignored }) => schema.nullable && !ignored && !FILLED.test(`${asked.operation.id} ${name}`),
    ) ?? [];
  if (nullable.length === 0) return undefined;
  const least = await bodyOf({ ...asked, size: 'least' });
  return { ...least, ...Object.fromEntries(nullable.map(({ name }) => [name, null])) };
}

function isWanted({ operation, size }: Asked, { name, required, ignored }: Field): boolean {
  if (size === 'most') return true;
  return (required && !ignored) || (DEMANDED[operation.id]?.includes(name) ?? false);
}

async function bodyValue(asked: Asked, { name, schema }: Field): Promise<unknown> {
  const given = lookUp(BODY, asked.operation, name);
  return given ? given(asked) : sampleOf(schema, asked.size);
}

/** The query with only what must be there. */
export async function leastQueryOf(asked: Asked): Promise<Words> {
  const fields = inputsOf(asked.operation).query.filter((field) => isWanted({ ...asked, size: 'least' }, field));
  return queryWith(asked, fields);
}

/** As few queries as can be in which every parameter occurs, and at last one with all of them if that is not the same. */
export async function fullQueriesOf(
  asked: Asked,
): Promise<{ readonly possible: Words[]; readonly impossible: Words[] }> {
  const { query } = inputsOf(asked.operation);
  const left = new Set(query.map(({ name }) => name));
  const possible: Words[] = [];
  do {
    const chosen: string[] = [];
    for (const name of [...left, ...query.map((field) => field.name)])
      if (fits(asked.operation, chosen, name)) chosen.push(name);
    for (const name of chosen) left.delete(name);
    const fields = query.filter(({ name }) => chosen.includes(name));
    possible.push(await queryWith(asked, fields));
  } while (left.size > 0);
  return { possible, impossible: possible.length > 1 ? [await queryWith(asked, query)] : [] };
}

function fits({ id }: Operation, chosen: readonly string[], name: string): boolean {
  const rivals = EXCLUSIVE.filter(([prefix, ...group]) => id.startsWith(prefix) && group.includes(name)).flat();
  return !chosen.some((other) => other === name || rivals.includes(other));
}

async function queryWith(asked: Asked, fields: readonly Field[]): Promise<Words> {
  const made: Record<string, unknown> = {};
  for (const field of fields) made[field.name] = await queryValue(asked, field);
  if (asked.size === 'most') made.no_parameter_of_this_name = '1';
  return made;
}

async function queryValue(asked: Asked, { name, schema }: Field): Promise<unknown> {
  const given = lookUp(QUERY, asked.operation, name);
  if (given) return given(asked);
  const said = asked.first?.[name.replace(/__\w+$/, '')];
  if (['string', 'boolean', 'number'].includes(typeof said)) return said;
  return name === 'id__in' ? '' : sampleOf(schema, 'most');
}

function lookUp(table: Readonly<Record<string, Given>>, { id }: Operation, name: string): Given | undefined {
  const [key] = Object.keys(table)
    .filter((entry) => entry === name || (entry.endsWith(` ${name}`) && id.startsWith(entry.split(' ')[0] ?? '')))
    .sort((a, b) => b.length - a.length);
  return key === undefined ? undefined : table[key];
}
