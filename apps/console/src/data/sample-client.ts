import { Environments } from '../graphql/environments.graphql.ts';
import { Projects } from '../graphql/projects.graphql.ts';
import { allPages, requestGraphql } from '../graphql/request.ts';
import {
  PresentParameters,
  PresentTemplates,
  PresentTypes,
  PresentWebhooks,
} from '../graphql/sample-platform.graphql.ts';
import { applyChangeset } from './changesets.ts';
import type { ChangesetOperations } from './plan.ts';

const NONE = { pageInfo: { hasNextPage: false, endCursor: null }, edges: [] } as const;

const idsByName = (rows: readonly { readonly name: string; readonly id: string }[]) =>
  new Map(rows.map(({ name, id }) => [name, id]));
const namesOf = (rows: readonly { readonly name: string }[]) => new Set(rows.map(({ name }) => name));

/** The client of the loader for the organization of the current session. */
export const graphqlClient = {
  async environments() {
    return idsByName(await allPages(async (after) => (await requestGraphql(Environments, { after })).environments));
  },
  async projects() {
    return idsByName(await allPages(async (after) => (await requestGraphql(Projects, { after })).projects));
  },
  async types() {
    const rows = await allPages(async (after) => (await requestGraphql(PresentTypes, { after })).types);
    return new Map(rows.map(({ name, id, rules }) => [name, { id, rules: new Set(rules.map(({ type }) => type)) }]));
  },
  async parametersOf(projectId: string) {
    const rows = await allPages(
      async (after) => (await requestGraphql(PresentParameters, { projectId, after })).project?.parameters ?? NONE,
    );
    return new Map(
      rows.map(({ id, name, values }) => {
        const own = values.filter(({ parameterId }) => parameterId === id);
        return [name, { id, setIn: new Set(own.map(({ environmentName }) => environmentName)) }];
      }),
    );
  },
  async templatesOf(projectId: string) {
    return namesOf(
      await allPages(
        async (after) => (await requestGraphql(PresentTemplates, { projectId, after })).project?.templates ?? NONE,
      ),
    );
  },
  async webhooks() {
    return namesOf(await allPages(async (after) => (await requestGraphql(PresentWebhooks, { after })).webhooks));
  },
  async apply(message: string, operations: ChangesetOperations) {
    await applyChangeset({ message, operations });
  },
};
