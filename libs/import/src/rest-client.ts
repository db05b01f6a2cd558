import type { ListId, OperationArguments, OperationClient, RowOf } from '@strata/contract';
import type { ImportOperation } from './import-item.ts';
import type { ChangesetOutcome, ExistingContents, ExistingScope, ImportClient, RejectedOperation } from './present.ts';
import { rulesByKind, treeByName } from './present-rows.ts';
import { rejectionMessage } from './rejection.ts';

/** Sends requests to the REST API. */
export interface RestConnection extends OperationClient {
  /** Returns all rows of a list, page by page. */
  rows<Id extends ListId>(id: Id, ...request: OperationArguments<Id>): Promise<readonly RowOf<Id>[]>;
  /** Applies a changeset and returns status and response. Throws only if there is no response. */
  apply(body: object): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** Returns the last segment of a link. */
const lastSegment = (link: string): string => decodeURIComponent(link.replace(/\/$/, '').split('/').at(-1) ?? '');

const idOrNull = (link: string | null): string | null => (link === null ? null : lastSegment(link));

/** Returns the client of an import that uses the REST API. */
export function restImportClient(connection: RestConnection): ImportClient {
  const { rows } = connection;
  return {
    environments: async () => buildScopes(await rows('environments_list'), ({ parent }) => parent),
    projects: async () => buildScopes(await rows('projects_list'), ({ depends_on }) => depends_on),
    async types() {
      const types = await rows('types_list');
      return treeByName(
        types.map(({ parent, ...row }) => ({ ...row, parentId: idOrNull(parent) })),
        ({ id, description, rules }, parent) => ({ id, description, parent, rules: rulesByKind(rules) }),
      );
    },
    fetchContents: (projectId) => fetchProjectContents(connection, projectId),
    webhooks: async () => new Set((await rows('webhooks_list')).map(({ name }) => name)),
    async fetchTags(environmentId) {
      const tags = await rows('environments_tags_list', { path: { environment_pk: environmentId } });
      return new Map(tags.map(({ name, timestamp }) => [name, timestamp]));
    },
    async groups() {
      const groups = await rows('groups_list');
      return new Map(groups.map(({ id, name, users }) => [name, { id, members: new Set(users.map(lastSegment)) }]));
    },
    async people() {
      const people = await rows('users_list');
      return people.map(({ id, email, name, type }) => ({ id, email, name, isService: type === 'service' }));
    },
    async grants() {
      const grants = await rows('grants_list');
      return grants.map(({ principal, scope, role }) => ({
        principalId: lastSegment(principal),
        scopeId: lastSegment(scope),
        role,
      }));
    },
    callerId: async () => (await connection.call('users_current_retrieve')).id,
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
    ({ id, description, access_controlled: isControlled }, parent): ExistingScope => ({
      id,
      description,
      isControlled,
      parent,
    }),
  );

async function fetchProjectContents({ rows }: RestConnection, projectId: string): Promise<ExistingContents> {
  const path = { project_pk: projectId };
  const query = { immediate_parameters: true, mask_secrets: true, evaluate: false };
  const [parameters, templates] = await Promise.all([
    rows('projects_parameters_list', { path, query }),
    rows('projects_templates_list', { path }),
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
  { apply }: RestConnection,
  message: string,
  operations: readonly ImportOperation[],
): Promise<ChangesetOutcome> {
  const { status, body } = await apply({ message, operations });
  if (status < 400) {
    const { revision, operations: operationResults } = body as ChangesetBody;
    return { revision, ids: operationResults.map(({ id }) => id) };
  }
  const { operations: rejectedSteps, detail } = (body ?? {}) as RejectedBody;
  const rejectedOperations = (Array.isArray(rejectedSteps) ? rejectedSteps : []).filter(
    (candidate): candidate is { index: number; error: unknown } =>
      typeof candidate === 'object' && candidate !== null && 'index' in candidate,
  );
  if (rejectedOperations.length === 0)
    throw new Error(`The changeset was rejected with ${status}: ${rejectionMessage(detail ?? rejectedSteps)}`);
  return {
    rejected: rejectedOperations.map(
      ({ index, error }): RejectedOperation => ({ index, message: rejectionMessage(error) }),
    ),
  };
}
