import type {
  Environment,
  Grant,
  Group,
  Parameter,
  ParameterType,
  Project,
  Tag,
  Template,
  User,
  Webhook,
} from '@strata/contract';
import type { ImportOperation } from './import-item.ts';
import type { ChangesetOutcome, ImportClient, PresentContents, PresentScope, RejectedOperation } from './present.ts';
import { rulesByKind, treeByName } from './present-rows.ts';
import { rejectionMessage } from './rejection.ts';

/** Sends requests to the REST API. */
export interface RestConnection {
  /** Returns all rows of a list, page by page. The path begins with `/api/v1/`. */
  all<Row>(path: string): Promise<readonly Row[]>;
  get(path: string): Promise<unknown>;
  /** Sends a body and returns status and response. Throws only if there is no response. */
  send(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

const API = '/api/v1';

/** Returns the last segment of a link. */
const lastSegment = (link: string): string => decodeURIComponent(link.replace(/\/$/, '').split('/').at(-1) ?? '');

const idOrNull = (link: string | null): string | null => (link === null ? null : lastSegment(link));

/** Returns the client of an import that uses the REST API. */
export function restImportClient(connection: RestConnection): ImportClient {
  const { all } = connection;
  return {
    environments: async () => buildScopes(await all<Environment>(`${API}/environments/`), ({ parent }) => parent),
    projects: async () => buildScopes(await all<Project>(`${API}/projects/`), ({ depends_on }) => depends_on),
    async types() {
      const rows = await all<ParameterType>(`${API}/types/`);
      return treeByName(
        rows.map(({ parent, ...row }) => ({ ...row, parentId: idOrNull(parent) })),
        ({ id, description, rules }, parent) => ({ id, description, parent, rules: rulesByKind(rules) }),
      );
    },
    fetchContents: (projectId) => fetchProjectContents(connection, projectId),
    webhooks: async () => new Set((await all<Webhook>(`${API}/webhooks/`)).map(({ name }) => name)),
    fetchTags: async (environmentId) =>
      new Map(
        (await all<Tag>(`${API}/environments/${environmentId}/tags/`)).map(({ name, timestamp }) => [name, timestamp]),
      ),
    async groups() {
      const rows = await all<Group>(`${API}/groups/`);
      return new Map(rows.map(({ id, name, users }) => [name, { id, members: new Set(users.map(lastSegment)) }]));
    },
    async people() {
      const rows = await all<User>(`${API}/users/`);
      return rows.map(({ id, email, name, type }) => ({ id, email, name, isService: type === 'service' }));
    },
    async grants() {
      const rows = await all<Grant>(`${API}/grants/`);
      return rows.map(({ principal, scope, role }) => ({
        principalId: lastSegment(principal),
        scopeId: lastSegment(scope),
        role,
      }));
    },
    callerId: async () => ((await connection.get(`${API}/users/current/`)) as User).id,
    apply: (message, operations) => applyByRest(connection, message, operations),
  };
}

interface ScopeRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly access_controlled: boolean;
}

const buildScopes = <Row extends ScopeRow>(rows: readonly Row[], parentOf: (row: Row) => string | null) =>
  treeByName(
    rows.map((row) => ({ ...row, parentId: idOrNull(parentOf(row)) })),
    ({ id, description, access_controlled: isControlled }, parent): PresentScope => ({
      id,
      description,
      isControlled,
      parent,
    }),
  );

async function fetchProjectContents({ all }: RestConnection, projectId: string): Promise<PresentContents> {
  const inside = `${API}/projects/${projectId}`;
  const [parameters, templates] = await Promise.all([
    all<Parameter>(`${inside}/parameters/?immediate_parameters=true&mask_secrets=true&evaluate=false`),
    all<Template>(`${inside}/templates/`),
  ]);
  return {
    parameters: new Map(
      parameters.map(({ id, name, type, secret, description, expires, rules, values }) => {
        const ownValues = Object.values(values).flatMap((value) => (value?.parameter_id === id ? [value] : []));
        const valueEntries = ownValues.map(
          ({ id: valueId, environment_name, internal_value: text, interpolated: isDynamic }) =>
            [environment_name, { id: valueId, text: secret ? null : text, isDynamic }] as const,
        );
        return [
          name,
          { id, type, secret, description, expires, rules: rulesByKind(rules), values: new Map(valueEntries) },
        ];
      }),
    ),
    templates: new Map(templates.map(({ id, name, description, body }) => [name, { id, description, body }])),
  };
}

interface ChangesetBody {
  readonly revision: number;
  readonly operations: readonly { readonly id: string | null }[];
}

interface RejectedBody {
  readonly detail?: unknown;
  readonly operations?: readonly { readonly index: number; readonly error: unknown }[];
}

async function applyByRest(
  { send }: RestConnection,
  message: string,
  operations: readonly ImportOperation[],
): Promise<ChangesetOutcome> {
  const { status, body } = await send(`${API}/changesets/`, { message, operations });
  if (status < 400) {
    const { revision, operations: done } = body as ChangesetBody;
    return { revision, ids: done.map(({ id }) => id) };
  }
  const { operations: rejected, detail } = (body ?? {}) as RejectedBody;
  const rejectedOperations = (Array.isArray(rejected) ? rejected : []).filter(
    (candidate): candidate is { index: number; error: unknown } =>
      typeof candidate === 'object' && candidate !== null && 'index' in candidate,
  );
  if (rejectedOperations.length === 0)
    throw new Error(`The changeset was rejected with ${status}: ${rejectionMessage(detail ?? rejected)}`);
  return {
    rejected: rejectedOperations.map(
      ({ index, error }): RejectedOperation => ({ index, message: rejectionMessage(error) }),
    ),
  };
}
