import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentCreate, EnvironmentPatch } from '@strata/contract';
import {
  assertAbilityOnScope,
  type EnvironmentId,
  Failure,
  findChangedAncestors,
  indexById,
  sentence,
  wouldMakeCycle,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { pickWrittenColumns } from '../../platform/postgres/versioned-entity.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { controlAccess, storeLastReaders } from '../access/control.ts';
import { assertNotPushed } from '../syncs/push-rights.ts';
import { assertNewNames, duplicateNameError } from '../validation/names.ts';
import { Validator } from '../validation/validator.ts';
import { EnvironmentEntity } from './environment.entity.ts';
import { type EnvironmentRow, EnvironmentsReader } from './environments.reader.ts';

export const ROOT_NAME = 'default';

const nameScope = ({ organizationId }: Caller) => ({ noun: 'environment', organizationId }) as const;

const constraintErrors = (name: string) => ({
  environment_name_taken: () => duplicateNameError('environment', name),
});

@Injectable()
export class EnvironmentsService {
  constructor(
    private readonly reader: EnvironmentsReader,
    private readonly cascades: Cascades,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, input: EnvironmentCreate): Command<EnvironmentRow> {
    return {
      operation: 'environments_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const parentId = await resolveParent(em, caller, input.parent);
        assertAbilityOnScope(caller, 'read', parentId); // A child shows the values of its parent, so the caller needs access to the parent.
        const environment: EnvironmentEntity = {
          ...pickWrittenColumns('environment', input),
          organizationId: caller.organizationId,
          id: randomUUID(),
          parentId,
        };
        await translateViolations(em.insert(EnvironmentEntity, environment), constraintErrors(environment.name));
        await assertNewNames(em, nameScope(caller), [environment.name]);
        context.record(objectChange('create', 'Environment', environment));
        return this.read(em, caller, environment.id);
      },
    };
  }

  /** Changes an environment. Omitted members keep their values. A change without effect creates no revision. */
  change(
    caller: Caller,
    id: EnvironmentId,
    input: EnvironmentPatch,
    precondition: Precondition,
  ): Command<EnvironmentRow> {
    return {
      operation: 'environments_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        const { parentId, exchanged } = await newParent(em, caller, currentRow, input.parent);
        const changedRow: EnvironmentEntity = { ...currentRow, ...pickWrittenColumns('environment', input), parentId };
        if (isRoot(currentRow)) assertRootUnchanged(currentRow, changedRow);
        const isSwitched = await controlAccess(context, caller, toScope(currentRow), input.access_controlled);
        if (isUnchanged(currentRow, changedRow) && !isSwitched) return this.read(em, caller, id);
        await translateViolations(
          em.update(EnvironmentEntity, primaryKey(currentRow), changedRow),
          constraintErrors(changedRow.name),
        );
        if (changedRow.name !== currentRow.name) await assertNewNames(em, nameScope(caller), [changedRow.name]);
        if (exchanged.length > 0) {
          await this.validator.validateDependents(
            em,
            caller,
            { kind: 'environment_moved', environmentId: id, exchanged },
            { field: 'parent' },
          );
        }
        context.record(objectChange('update', 'Environment', changedRow));
        return this.read(em, caller, id);
      },
    };
  }

  /**
   * Deletes an environment together with the values that are set in it. The ledger records each object for the audit,
   * but only the environment causes an event.
   */
  remove(caller: Caller, id: EnvironmentId, precondition: Precondition): Command<void> {
    return {
      operation: 'environments_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        if (isRoot(currentRow))
          throw Failure.conflict(
            'environment_is_root',
            sentence`The environment ${{ name: ROOT_NAME }} cannot be deleted.`,
          );
        await assertNoChildren(em, currentRow);
        await assertNotPushed(em, 'environment', currentRow);
        await this.cascades.record(context, 'Environment', currentRow.organizationId, currentRow.id);
        await storeLastReaders(context, currentRow.organizationId, currentRow.id);
        await em.delete(EnvironmentEntity, primaryKey(currentRow));
        context.record(objectChange('delete', 'Environment', currentRow));
      },
    };
  }

  private async read(em: EntityManager, caller: Caller, id: EnvironmentId): Promise<EnvironmentRow> {
    return (await this.reader.readOne(caller, id, 'now', SnapshotReader.within(em))).row;
  }
}

async function find(em: EntityManager, caller: Caller, id: EnvironmentId): Promise<EnvironmentEntity> {
  const currentRow = await em.findOneBy(EnvironmentEntity, { organizationId: caller.organizationId, id });
  if (!currentRow) throw Failure.notFound('Environment');
  return currentRow;
}

const isRoot = ({ parentId }: EnvironmentEntity) => parentId === null;
const toScope = ({ id, name }: EnvironmentEntity) => ({ project_id: null, environment_id: id, name });
const primaryKey = ({ organizationId, id }: EnvironmentEntity) => ({ organizationId, id });

/** Returns the id of the parent. Without a link, this is the root, because there is only one root. */
async function resolveParent(em: EntityManager, caller: Caller, link: string | null): Promise<EnvironmentId> {
  const { organizationId } = caller;
  const parentFilter = link === null ? { name: ROOT_NAME } : { id: idFromLink('parent', 'environments', link) };
  const parent = await em.findOneBy(EnvironmentEntity, { organizationId, ...parentFilter });
  if (!parent) throw unknownLinkError('parent', 'environments');
  return parent.id;
}

interface NewParent {
  readonly parentId: EnvironmentId | null;
  /** The ancestors that the environment and its descendants lose or gain by the move. */
  readonly exchanged: readonly EnvironmentId[];
}

async function newParent(
  em: EntityManager,
  caller: Caller,
  currentRow: EnvironmentEntity,
  link: string | null | undefined,
): Promise<NewParent> {
  if (link === undefined || (link === null && isRoot(currentRow)))
    return { parentId: currentRow.parentId, exchanged: [] };
  const parentId = await resolveParent(em, caller, link);
  if (parentId === currentRow.parentId) return { parentId, exchanged: [] };
  assertAbilityOnScope(caller, 'read', parentId);
  const all = indexById(await em.findBy(EnvironmentEntity, { organizationId: caller.organizationId }));
  if (wouldMakeCycle(all, currentRow.id, parentId)) {
    throw Failure.field(
      'environment_cycle',
      'parent',
      sentence`${{ name: currentRow.name }} cannot be moved below itself or one of its descendants. Choose a parent outside its own subtree.`,
    );
  }
  return { parentId, exchanged: findChangedAncestors(all, currentRow.parentId, parentId) };
}

function assertRootUnchanged(currentRow: EnvironmentEntity, changedRow: EnvironmentEntity): void {
  if (changedRow.name !== currentRow.name) {
    throw Failure.field(
      'environment_is_root',
      'name',
      sentence`The environment ${{ name: ROOT_NAME }} cannot be renamed.`,
    );
  }
  if (changedRow.parentId !== currentRow.parentId) {
    throw Failure.field(
      'environment_is_root',
      'parent',
      sentence`The environment ${{ name: ROOT_NAME }} is the root and cannot be moved.`,
    );
  }
}

async function assertNoChildren(em: EntityManager, { organizationId, id, name }: EnvironmentEntity): Promise<void> {
  const children = await em.findBy(EnvironmentEntity, { organizationId, parentId: id });
  if (children.length === 0) return;
  const names = children.map((child) => child.name).sort();
  throw Failure.conflict(
    'environment_has_children',
    sentence`${{ name }} has children: ${{ names }}. Delete or move them first.`,
  );
}
