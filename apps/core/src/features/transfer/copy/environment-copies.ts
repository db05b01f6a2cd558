import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentCopyRequest } from '@strata/contract';
import { assertAbilityOnScope, copyPlan, type EnvironmentId, Failure, type PlannedCopy } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Command, WriteContext } from '../../../platform/ledger/command.ts';
import { ignoreForbidden } from '../../../platform/ledger/forbidden-values.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { becomeOwner, readControlledScopes } from '../../access/control.ts';
import { type EnvironmentRow, EnvironmentsReader } from '../../environments/environments.reader.ts';
import { assertCopyNames } from '../../validation/names.ts';
import { copyRows } from './copy-rows.ts';
import { assertCopySize } from './copy-size.ts';
import { ReferenceCopies } from './reference-copies.ts';
import { ValueCopies } from './value-copies.ts';

interface CopyableEnvironment {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly parentId: EnvironmentId | null;
}

/** Copies an environment as a sibling, with all values that are set in it. Copies its children on request. */
@Injectable()
export class EnvironmentCopies {
  constructor(
    private readonly reader: EnvironmentsReader,
    private readonly values: ValueCopies,
    private readonly references: ReferenceCopies,
  ) {}

  copy(caller: Caller, id: EnvironmentId, input: EnvironmentCopyRequest): Command<EnvironmentRow> {
    return {
      operation: 'environments_copy_create',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const { organizationId } = caller;
        const all = await em.query<CopyableEnvironment[]>(
          'select id, name, parent_id as "parentId" from environment where organization_id = $1',
          [organizationId],
        );
        const source = all.find((environment) => environment.id === id);
        if (!source) throw Failure.notFound('Environment');
        const { name, recursive, child_environment_names: names } = input;
        const plan = copyPlan(all, id, { name, recursive, names });
        for (const { sourceId } of plan) assertAbilityOnScope(caller, 'read', sourceId);
        assertCopyNames(
          plan,
          all.map((environment) => environment.name),
          'environment',
        );
        const ids = plan.map(({ sourceId }) => sourceId);
        for (const copy of plan) ignoreForbidden(caller, { project: null, environment: copy.name, name: '*' });
        await assertCopySize(em, caller, { noun: 'environment', ids }, plan.length);
        const copies = await addEnvironments(context, organizationId, plan, {
          source,
          description: input.description,
        });
        const controlledScopes = await readControlledScopes(em, organizationId);
        const forbiddenScopeIds = ids
          .filter((sourceId) => controlledScopes.has(sourceId))
          .flatMap((sourceId) => copies.get(sourceId) ?? []);
        await becomeOwner(
          context,
          caller,
          forbiddenScopeIds.map((copy) => ({ project_id: null, environment_id: copy.id, name: copy.name })),
        );
        const values = await this.values.copy(context, caller, { noun: 'environment', ids }, (context) => ({
          ...context,
          environment: copies.get(context.environment.id) ?? context.environment,
        }));
        await this.references.copy(em, caller, { values });
        const copyId = copies.get(id)?.id ?? '';
        return (await this.reader.readOne(caller, copyId, 'now', SnapshotReader.within(em))).row;
      },
    };
  }
}

interface Top {
  readonly source: CopyableEnvironment;
  readonly description: string | undefined;
}

/**
 * Creates the environments with one statement, and returns the copies by the id of the source. The copy of the root
 * becomes a child of the root, because there is only one root.
 */
async function addEnvironments(
  { em, record }: Pick<WriteContext, 'record'> & { readonly em: EntityManager },
  organizationId: string,
  plan: readonly PlannedCopy[],
  { source, description }: Top,
) {
  const copies = new Map(plan.map(({ sourceId, name }) => [sourceId, { id: randomUUID() as string, name }]));
  const copiedParent = ({ parentSourceId }: PlannedCopy) =>
    parentSourceId === null ? (source.parentId ?? source.id) : copies.get(parentSourceId)?.id;
  await copyRows(em, organizationId, 'environment', {
    sources: [...copies.keys()],
    ids: [...copies.values()].map(({ id }) => id),
    set: { name: plan.map(({ name }) => name), parent_id: plan.map(copiedParent) },
    replaced: {
      description: plan.map(({ parentSourceId }) => (parentSourceId === null ? (description ?? null) : null)),
    },
  });
  for (const environment of copies.values()) {
    record(objectChange('create', 'Environment', environment));
  }
  return copies;
}
