import type { SampleParameter, SamplePlatform, SampleProject, SampleType } from './shape.ts';

/** An operation of a changeset in the format of the REST API. */
export type PlatformOperation =
  | {
      readonly operation: string;
      readonly as?: string;
      readonly path?: Readonly<Record<string, PlatformPlace>>;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | {
      readonly set: {
        readonly project: PlatformPlace;
        readonly environment: string;
        readonly values: Readonly<Record<string, string | null>>;
      };
    };

/** An id or a name, or a reference to an earlier operation of the changeset. */
type PlatformPlace = string | { readonly $ref: string };

export interface PresentParameter {
  readonly id: string;
  /** The names of the environments in which it has a value. */
  readonly setIn: ReadonlySet<string>;
}

export interface PresentType {
  readonly id: string;
  /** The kinds of its rules. */
  readonly rules: ReadonlySet<string>;
}

/** The access of the loader to an organization. `npm run seed` implements it with REST, the console with GraphQL. */
export interface PlatformClient {
  environments(): Promise<ReadonlyMap<string, string>>;
  types(): Promise<ReadonlyMap<string, PresentType>>;
  projects(): Promise<ReadonlyMap<string, string>>;
  /** Returns the parameters of a project by name. */
  parametersOf(projectId: string): Promise<ReadonlyMap<string, PresentParameter>>;
  templatesOf(projectId: string): Promise<ReadonlySet<string>>;
  webhooks(): Promise<ReadonlySet<string>>;
  /** Applies a changeset. Throws if it is rejected. */
  apply(message: string, operations: readonly PlatformOperation[]): Promise<void>;
}

export interface LoadedPart {
  readonly title: string;
  /** A description of its contents. */
  readonly holds: string;
  /** The number of created objects. */
  readonly created: number;
}

interface PlatformPart {
  readonly title: string;
  readonly holds: string;
  /** Returns the operations that create the missing objects. */
  missing(): Promise<readonly PlatformOperation[]>;
}

const TRIES = 3;

/** Returns the titles of all parts, in order. */
export const partsOf = ({ projects, examples = [], webhook }: SamplePlatform): readonly string[] => [
  'environments',
  'types',
  ...[...projects, ...examples].map(({ name }) => name),
  ...(webhook ? ['webhook'] : []),
];

/**
 * Creates the missing objects in parts, with one changeset per part, and keeps existing objects. A second run therefore changes nothing,
 * and an interrupted run can be continued. Calls `onLoaded` after each part. The webhook is created last, so that loading sends no messages
 * to the chat channel. Returns the number of created objects.
 */
export async function loadPlatform(
  client: PlatformClient,
  { environments, types, projects, examples = [], webhook }: SamplePlatform,
  onLoaded: (part: LoadedPart) => void,
): Promise<number> {
  const parts: readonly PlatformPart[] = [
    environmentsPart(client, environments),
    typesPart(client, types),
    ...[...projects, ...examples].map((project) => projectPart(client, project)),
    ...(webhook ? [webhookPart(client, webhook)] : []),
  ];
  let created = 0;
  for (const part of parts) {
    const made = await complete(client, part);
    onLoaded({ title: part.title, holds: part.holds, created: made });
    created += made;
  }
  return created;
}

/**
 * Creates the missing objects of a part. If another loader creates the same object at the same time, the core rejects the changeset; the
 * part is then read again and retried.
 */
async function complete(client: PlatformClient, { title, missing }: PlatformPart): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const operations = await missing();
    if (operations.length === 0) return 0;
    try {
      await client.apply(`Sample platform: ${title}`, operations);
      return operations.reduce((sum, one) => sum + ('set' in one ? Object.keys(one.set.values).length : 1), 0);
    } catch (error) {
      const stillMissing = await missing();
      const isSame = stillMissing.length === operations.length;
      if (attempt === TRIES || isSame) throw error;
    }
  }
}

function environmentsPart(client: PlatformClient, sampleEnvironments: SamplePlatform['environments']): PlatformPart {
  const missing = async () => {
    const present = await client.environments();
    return sampleEnvironments
      .filter(({ name }) => !present.has(name))
      .map(({ name, parent, description = '' }) => ({
        operation: 'environments_create',
        as: name,
        body: { name, description, parent: present.get(parent ?? '') ?? { $ref: parent } },
      }));
  };
  return { title: 'environments', holds: `${sampleEnvironments.length} environments`, missing };
}

function typesPart(client: PlatformClient, sampleTypes: readonly SampleType[]): PlatformPart {
  const missing = async () => {
    const present = await client.types();
    return sampleTypes.flatMap(({ name, parent, description, rules }, at): PlatformOperation[] => {
      const existing = present.get(name);
      // Type names may contain characters that references to operations may not.
      const as = `type-${at}`;
      const above = present.get(parent)?.id ?? {
        $ref: `type-${sampleTypes.findIndex((type) => type.name === parent)}`,
      };
      const made = { operation: 'types_create', as, body: { name, description, parent: above } };
      const ruled = Object.entries(rules)
        .filter(([kind]) => !existing?.rules.has(kind))
        .map(([type, constraint]) => ({
          operation: 'types_rules_create',
          path: { parametertype_pk: existing?.id ?? { $ref: as } },
          body: { type, constraint },
        }));
      return existing ? ruled : [made, ...ruled];
    });
  };
  return { title: 'types', holds: `${sampleTypes.length} types with their rules`, missing };
}

function projectPart(client: PlatformClient, sampleProject: SampleProject): PlatformPart {
  const { name, description, dependsOn } = sampleProject;
  const parameters = Object.values(sampleProject.parameters);
  const secrets = parameters.filter(({ secret }) => secret).length;
  const values = parameters.reduce((sum, one) => sum + environmentsOf(one).length, 0);
  const missing = async () => {
    const projects = await client.projects();
    const id = projects.get(name);
    if (id !== undefined) {
      const [present, templates] = await Promise.all([client.parametersOf(id), client.templatesOf(id)]);
      return missingInProject(sampleProject, id, present, templates, await client.environments());
    }
    const body = { name, description, depends_on: dependsOn === null ? null : projects.get(dependsOn) };
    const made = { operation: 'projects_create', as: 'project', body };
    const inside = missingInProject(
      sampleProject,
      { $ref: 'project' },
      new Map(),
      new Set(),
      await client.environments(),
    );
    return [made, ...inside];
  };
  const holds = `${parameters.length} parameters (${secrets} secret), ${values} values`;
  return { title: name, holds, missing };
}

const environmentsOf = ({ values, randomIn = [] }: SampleParameter) => [...Object.keys(values), ...randomIn];

function missingInProject(
  { parameters, templates = {} }: SampleProject,
  project: PlatformPlace,
  present: ReadonlyMap<string, PresentParameter>,
  presentTemplates: ReadonlySet<string>,
  environments: ReadonlyMap<string, string>,
): readonly PlatformOperation[] {
  const path = { project_pk: project };
  const entries = Object.entries(parameters);
  const made = entries
    .filter(([name]) => !present.has(name))
    .map(([name, { description, secret, type, expires = null }]) => {
      const body = { name, description, secret, type, expires };
      return { operation: 'projects_parameters_create', as: referenceTo(entries, name), path, body };
    });
  const isUnset = (name: string, environment: string) => !present.get(name)?.setIn.has(environment);
  const set = [...environments.keys()].flatMap((environment) => {
    const values = entries
      .filter(
        ([name, one]) => !one.interpolated && environmentsOf(one).includes(environment) && isUnset(name, environment),
      )
      .map(([name, one]) => [name, one.secret ? randomText() : (one.values[environment] ?? null)] as const);
    return values.length === 0 ? [] : [{ set: { project, environment, values: Object.fromEntries(values) } }];
  });
  // Dynamic values are set after the values that they reference.
  const dynamic = entries
    .filter(([, { interpolated }]) => interpolated)
    .flatMap(([name, { values }]) =>
      Object.entries(values)
        .filter(([environment]) => isUnset(name, environment))
        .map(([environment, internal_value]) => ({
          operation: 'projects_parameters_values_create',
          path: { ...path, parameter_pk: present.get(name)?.id ?? { $ref: referenceTo(entries, name) } },
          body: { environment: environments.get(environment), internal_value, interpolated: true },
        })),
    );
  const written = Object.entries(templates)
    .filter(([name]) => !presentTemplates.has(name))
    .map(([name, template]) => ({ operation: 'projects_templates_create', path, body: { name, ...template } }));
  return [...made, ...set, ...dynamic, ...written];
}

/** Returns the reference of a created parameter. Parameter names can be too long for a reference. */
const referenceTo = (entries: readonly (readonly [string, unknown])[], name: string): string =>
  `parameter-${entries.findIndex(([one]) => one === name)}`;

function webhookPart(client: PlatformClient, sampleWebhook: NonNullable<SamplePlatform['webhook']>): PlatformPart {
  const { name, channel, username, eventTypes: event_types } = sampleWebhook;
  const missing = async () => {
    if ((await client.webhooks()).has(name)) return [];
    const configuration = { token: pretendToken(), channel, username };
    return [{ operation: 'webhooks_create', body: { name, event_types, type: 'slack', configuration } }];
  };
  return { title: 'webhook', holds: `${name} to ${channel}`, missing };
}

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Returns a random secret without characters that need quoting in a shell or a settings file. */
const randomText = (): string =>
  btoa(String.fromCharCode(...randomBytes(24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');

const randomDigits = (length: number) => [...randomBytes(length)].map((byte) => byte % 10).join('');

/** Returns a token in the format of a bot token. The chat service rejects it until the user sets a real one. */
const pretendToken = (): string =>
  [
    'xoxb',
    `1${randomDigits(11)}`,
    `1${randomDigits(11)}`,
    btoa(String.fromCharCode(...randomBytes(18))).replace(/\W/g, 'x'),
  ].join('-');
