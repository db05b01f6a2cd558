import {
  type ChangesetOutcome,
  type ExistingContents,
  type ImportClient,
  type ImportOperation,
  rulesByKind,
  treeByName,
} from '@strata/import';
import { Grants } from '../graphql/grants.graphql.ts';
import { Groups } from '../graphql/groups.graphql.ts';
import { Actors } from '../graphql/history.graphql.ts';
import {
  PresentEnvironments,
  PresentParameters,
  PresentProjects,
  PresentTags,
  PresentTemplates,
  PresentWebhooks,
} from '../graphql/present.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { Types } from '../graphql/types.graphql.ts';
import { Viewer } from '../graphql/viewer.graphql.ts';
import { operationMember } from '../lib/operation-error.ts';
import { WriteError } from '../lib/request-error.ts';
import { applyWithIds } from './changesets.ts';

const NONE = { pageInfo: { hasNextPage: false, endCursor: null }, edges: [] } as const;

/** The access of an import to the organization of the current session. */
export const importClient: ImportClient = {
  async environments() {
    const rows = await readAllPages(
      async (after) => (await requestGraphql(PresentEnvironments, { after })).environments,
    );
    return treeByName(rows, presentScope);
  },
  async projects() {
    const rows = await readAllPages(async (after) => (await requestGraphql(PresentProjects, { after })).projects);
    return treeByName(rows, presentScope);
  },
  async types() {
    const rows = await readAllPages(async (after) => (await requestGraphql(Types, { after })).types);
    return treeByName(rows, ({ id, description, rules }, parent) => ({
      id,
      description,
      parent,
      rules: rulesByKind(rules),
    }));
  },
  fetchContents,
  async webhooks() {
    const rows = await readAllPages(async (after) => (await requestGraphql(PresentWebhooks, { after })).webhooks);
    return new Set(rows.map(({ name }) => name));
  },
  async fetchTags(environmentId) {
    const rows = await readAllPages(
      async (after) => (await requestGraphql(PresentTags, { environmentId, after })).environment?.tags ?? NONE,
    );
    return new Map(rows.map(({ name, timestamp }) => [name, timestamp]));
  },
  async groups() {
    const rows = await readAllPages(async (after) => (await requestGraphql(Groups, { after })).groups);
    return new Map(rows.map(({ id, name, users }) => [name, { id, members: new Set(users.map((user) => user.id)) }]));
  },
  async people() {
    const rows = await readAllPages(async (after) => (await requestGraphql(Actors, { after })).users);
    return rows.map(({ id, email, name, type }) => ({ id, email, name, isService: type === 'service' }));
  },
  async grants() {
    return await readAllPages(async (after) => (await requestGraphql(Grants, { after })).grants);
  },
  callerId: async () => (await requestGraphql(Viewer, {})).viewer.user.id,
  apply,
};

interface ScopeRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly accessControlled: boolean;
  readonly parentId: string | null;
}

const presentScope = ({ id, description, accessControlled: isControlled }: ScopeRow, parent: string | null) => ({
  id,
  description,
  isControlled,
  parent,
});

async function fetchContents(projectId: string): Promise<ExistingContents> {
  const [parameters, templates] = await Promise.all([
    readAllPages(
      async (after) => (await requestGraphql(PresentParameters, { projectId, after })).project?.parameters ?? NONE,
    ),
    readAllPages(
      async (after) => (await requestGraphql(PresentTemplates, { projectId, after })).project?.templates ?? NONE,
    ),
  ]);
  return {
    parameters: new Map(
      parameters.map(({ rules, values, ...parameter }) => {
        const ownValues = values.filter(({ parameterId }) => parameterId === parameter.id);
        const valueEntries = ownValues.map(
          ({ id, environmentName, internalValue, interpolated: isDynamic }) =>
            [environmentName, { id, text: parameter.secret ? null : internalValue, isDynamic }] as const,
        );
        return [parameter.name, { ...parameter, rules: rulesByKind(rules), values: new Map(valueEntries) }];
      }),
    ),
    templates: new Map(templates.map((template) => [template.name, template])),
  };
}

async function apply(message: string, operations: readonly ImportOperation[]): Promise<ChangesetOutcome> {
  try {
    return await applyWithIds({ message, operations: operations as never });
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const rejectedItems = error.fieldErrors.flatMap((fieldError) => {
      const operation = operationMember(fieldError);
      return operation === null ? [] : [{ index: operation.index, message: fieldError.message }];
    });
    if (rejectedItems.length === 0) throw error;
    return { rejected: rejectedItems };
  }
}
