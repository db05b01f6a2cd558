import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ParameterTypeCreate, ParameterTypePatch } from '@strata/contract';
import {
  assertNotBuiltIn,
  compareNames,
  Failure,
  nameList,
  parameterList,
  sentence,
  type Uuid,
  wouldMakeCycle,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command, Writer } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { pickWrittenColumns } from '../../platform/postgres/versioned-entity.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { assertNewNames, duplicateNameError } from '../validation/names.ts';
import { Validator } from '../validation/validator.ts';
import { readAllTypes } from '../validation/value-types.ts';
import { ParameterTypeEntity } from './parameter-type.entity.ts';
import { type TypeRow, TypesReader } from './types.reader.ts';

const nameScope = ({ organizationId }: Caller) => ({ noun: 'type', organizationId }) as const;

const constraintErrors = (name: string) => ({
  parameter_type_name_taken: () => duplicateNameError('type', name),
});

@Injectable()
export class TypesService {
  constructor(
    private readonly reader: TypesReader,
    private readonly cascades: Cascades,
    private readonly validator: Validator,
  ) {
    cascades.add({
      of: 'ParameterType',
      objectType: 'ParameterTypeRule',
      sql: `select id, kind as name from parameter_type_rule where organization_id = $1 and type_id = $2 order by kind`,
    });
  }

  create(caller: Caller, input: ParameterTypeCreate): Command<TypeRow> {
    return {
      operation: 'types_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const type: ParameterTypeEntity = {
          ...pickWrittenColumns('parameter_type', input),
          organizationId: caller.organizationId,
          id: randomUUID(),
          parentId: await parentLinked(em, caller, input.parent),
        };
        await translateViolations(em.insert(ParameterTypeEntity, type), constraintErrors(type.name));
        await assertNewNames(em, nameScope(caller), [type.name]);
        context.record(objectChange('create', 'ParameterType', type));
        return this.read(em, caller, type.id);
      },
    };
  }

  /** Changes a type. Omitted members keep their values. A change without effect creates no revision. */
  change(caller: Caller, id: Uuid, input: ParameterTypePatch, precondition: Precondition): Command<TypeRow> {
    return {
      operation: 'types_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await findType(em, caller, id);
        await precondition(em, caller);
        assertNotBuiltIn(currentRow);
        const changedRow: ParameterTypeEntity = {
          ...currentRow,
          ...pickWrittenColumns('parameter_type', input),
          parentId: input.parent === undefined ? currentRow.parentId : await parentLinked(em, caller, input.parent),
        };
        if (isUnchanged(currentRow, changedRow)) return this.read(em, caller, id);
        if (changedRow.parentId === currentRow.parentId) {
          await translateViolations(
            em.update(ParameterTypeEntity, primaryKey(currentRow), changedRow),
            constraintErrors(changedRow.name),
          );
        } else await this.move(em, caller, currentRow, changedRow);
        if (changedRow.name !== currentRow.name) await assertNewNames(em, nameScope(caller), [changedRow.name]);
        context.record(objectChange('update', 'ParameterType', changedRow));
        return this.read(em, caller, id);
      },
    };
  }

  /** Deletes a type with its rules. The ledger records each rule for the audit. */
  remove(caller: Caller, id: Uuid, precondition: Precondition): Command<void> {
    return {
      operation: 'types_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller, em } = context;
        const currentRow = await findType(em, caller, id);
        await precondition(em, caller);
        assertNotBuiltIn(currentRow);
        await assertNoChildren(em, currentRow);
        await assertUnused(em, caller, currentRow);
        await this.cascades.record(context, 'ParameterType', currentRow.organizationId, currentRow.id);
        await em.delete(ParameterTypeEntity, primaryKey(currentRow));
        context.record(objectChange('delete', 'ParameterType', currentRow));
      },
    };
  }

  /**
   * Moves a type to another parent. The rules and values of the type and its descendants must be valid there; otherwise
   * the write is rolled back.
   */
  private async move(
    em: EntityManager,
    caller: Writer,
    currentRow: ParameterTypeEntity,
    changedRow: ParameterTypeEntity,
  ): Promise<void> {
    const { organizationId, id } = currentRow;
    if (wouldMakeCycle(await readAllTypes(em, organizationId), id, changedRow.parentId)) {
      throw Failure.field(
        'type_cycle',
        'parent',
        sentence`${{ name: currentRow.name }} cannot be moved below itself or one of its descendants. Choose a parent outside its own subtree.`,
      );
    }
    await translateViolations(
      em.update(ParameterTypeEntity, primaryKey(currentRow), changedRow),
      constraintErrors(changedRow.name),
    );
    await this.validator.validateStored(em, caller, { kind: 'type_parent', typeId: id });
  }

  private async read(em: EntityManager, { organizationId }: Caller, id: Uuid): Promise<TypeRow> {
    return (await this.reader.readOne(organizationId, id, 'now', SnapshotReader.within(em))).row;
  }
}

export async function findType(em: EntityManager, { organizationId }: Caller, id: Uuid): Promise<ParameterTypeEntity> {
  const currentRow = await em.findOneBy(ParameterTypeEntity, { organizationId, id });
  if (!currentRow) throw Failure.notFound('ParameterType');
  return currentRow;
}

const primaryKey = ({ organizationId, id }: ParameterTypeEntity) => ({ organizationId, id });

async function parentLinked(em: EntityManager, { organizationId }: Caller, link: string): Promise<Uuid> {
  const id = idFromLink('parent', 'types', link);
  if (!(await em.existsBy(ParameterTypeEntity, { organizationId, id }))) throw unknownLinkError('parent', 'types');
  return id;
}

async function assertNoChildren(em: EntityManager, { organizationId, id, name }: ParameterTypeEntity): Promise<void> {
  const children = await em.findBy(ParameterTypeEntity, { organizationId, parentId: id });
  if (children.length === 0) return;
  const names = nameList(children.map((child) => child.name).sort(compareNames));
  throw Failure.conflict(
    'type_has_children',
    sentence`${{ name }} is the parent of other types: ${names}. Delete them or change their parent first.`,
  );
}

async function assertUnused(em: EntityManager, caller: Caller, { id, name }: ParameterTypeEntity): Promise<void> {
  const users = await em.query<{ name: string; projectId: string; project: string }[]>(
    `select parameter.name, parameter.project_id as "projectId", project.name as project
       from parameter join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
      where parameter.organization_id = $1 and parameter.type_id = $2`,
    [caller.organizationId, id],
  );
  if (users.length === 0) return;
  const list = parameterList(caller, users);
  throw Failure.conflict(
    'type_in_use',
    sentence`${{ name }} is the type of parameters: ${list}. Change their type first.`,
  );
}
