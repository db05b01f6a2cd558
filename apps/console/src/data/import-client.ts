import type { ChangesetOutcome, ImportClient, ImportOperation, PresentContents, PresentScope } from '@strata/import';
import {
  PresentEnvironments,
  PresentGrants,
  PresentGroups,
  PresentParameters,
  PresentPeople,
  PresentProjects,
  PresentTags,
  PresentTemplates,
  PresentTypes,
  PresentWebhooks,
} from '../graphql/present.graphql.ts';
import { allPages, requestGraphql } from '../graphql/request.ts';
import { RefusedWrite } from '../lib/refused.ts';
import { applyWithIds } from './changesets.ts';

const NONE = { pageInfo: { hasNextPage: false, endCursor: null }, edges: [] } as const;

const namesOf = (rows: readonly { readonly name: string }[]) => new Set(rows.map(({ name }) => name));

/** The access of an import to the organization of the current session. */
export const importClient: ImportClient = {
  async environments() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentEnvironments, { after })).environments);
    return scopesOf(rows.map((row) => ({ ...row, above: row.parentId })));
  },
  async projects() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentProjects, { after })).projects);
    return scopesOf(rows.map((row) => ({ ...row, above: row.dependsOnId })));
  },
  async types() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentTypes, { after })).types);
    return new Map(
      rows.map(({ id, name, description, parentName: parent, rules }) => [
        name,
        { id, description, parent, rules: rulesByKind(rules) },
      ]),
    );
  },
  contentsOf,
  async webhooks() {
    return namesOf(await allPages(async (after) => (await requestGraphql(PresentWebhooks, { after })).webhooks));
  },
  async tagsOf(environmentId) {
    return namesOf(
      await allPages(
        async (after) => (await requestGraphql(PresentTags, { environmentId, after })).environment?.tags ?? NONE,
      ),
    );
  },
  async groups() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentGroups, { after })).groups);
    return new Map(rows.map(({ id, name, userIds }) => [name, { id, members: new Set(userIds) }]));
  },
  async people() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentPeople, { after })).users);
    return rows.map(({ id, email, name, type }) => ({ id, email, name, isService: type === 'service' }));
  },
  async grants() {
    return await allPages(async (after) => (await requestGraphql(PresentGrants, { after })).grants);
  },
  apply,
};

interface ScopeRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly accessControlled: boolean;
  readonly above: string | null;
}

function scopesOf(rows: readonly ScopeRow[]): ReadonlyMap<string, PresentScope> {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    rows.map(({ id, name, description, accessControlled: isControlled, above }) => {
      const parent = above === null ? null : (names.get(above) ?? null);
      return [name, { id, description, isControlled, parent }];
    }),
  );
}

const rulesByKind = (rules: readonly { readonly id: string; readonly type: string; readonly constraint: string }[]) =>
  new Map(rules.map(({ id, type, constraint }) => [type, { id, constraint }]));

async function contentsOf(projectId: string): Promise<PresentContents> {
  const [parameters, templates] = await Promise.all([
    allPages(
      async (after) => (await requestGraphql(PresentParameters, { projectId, after })).project?.parameters ?? NONE,
    ),
    allPages(
      async (after) => (await requestGraphql(PresentTemplates, { projectId, after })).project?.templates ?? NONE,
    ),
  ]);
  return {
    parameters: new Map(
      parameters.map(({ rules, values, ...parameter }) => {
        const own = values.filter(({ parameterId }) => parameterId === parameter.id);
        const present = own.map(
          ({ id, environmentName, internalValue: text, interpolated: isDynamic }) =>
            [environmentName, { id, text, isDynamic }] as const,
        );
        return [parameter.name, { ...parameter, rules: rulesByKind(rules), values: new Map(present) }];
      }),
    ),
    templates: new Map(templates.map((template) => [template.name, template])),
  };
}

/** Matches the field of an error that belongs to an operation, such as `operations.3.name`. */
const OF_OPERATION = /^operations\.(\d+)(\.|$)/;

async function apply(message: string, operations: readonly ImportOperation[]): Promise<ChangesetOutcome> {
  try {
    return await applyWithIds({ message, operations: operations as never });
  } catch (error) {
    if (!(error instanceof RefusedWrite)) throw error;
    const rejected = error.places.flatMap(({ field, message }) => {
      const index = OF_OPERATION.exec(field)?.[1];
      return index === undefined ? [] : [{ index: Number(index), message }];
    });
    if (rejected.length === 0) throw error;
    return { rejected };
  }
}
