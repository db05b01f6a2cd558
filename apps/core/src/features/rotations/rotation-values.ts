import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type ProjectId, SYSTEM_PERMISSIONS, type ValueId } from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { UnitOfWork } from '../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../platform/postgres/data-source.ts';
import { IS_INTERNAL } from '../../platform/postgres/versioned-table.ts';
import { createSystemCaller } from '../../platform/system-caller.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ValueChanges } from '../parameters/values/value-changes.ts';
import type { RotationRow } from './rotation-row.ts';

/** The value that a rotation publishes to. */
export interface RotatedValue {
  readonly id: ValueId;
  readonly projectId: ProjectId;
  readonly ledgerId: string;
  readonly revision: number;
  readonly text: string;
}

interface ValueRow {
  readonly id: ValueId | null;
  readonly project_id: ProjectId;
  readonly ledger_id: string;
  readonly revision: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly is_rotatable: boolean;
}

const VALUE = `
select value.id, value.ledger_id, value.revision, value.text, ${readSealed('value')}::text as sealed, parameter.project_id,
       parameter.secret and not value.interpolated and ${IS_INTERNAL} as is_rotatable
  from parameter left join value on value.organization_id = $1 and value.parameter_id = parameter.id and value.environment_id = $3
 where parameter.organization_id = $1 and parameter.id = $2`;

const VERSION = 'select ledger_id, revision from value where organization_id = $1 and id = $2';

/** Returns the actor of what rotations do by themselves. */
export const createRotationsCaller = (organizationId: OrganizationId) =>
  createSystemCaller(organizationId, { id: 'rotations', name: 'Rotations' });

/** Reads and writes the values of rotations. */
@Injectable()
export class RotationValues {
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: Vault,
    private readonly values: ValueChanges,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns null if the environment has no own value, or one that a rotation cannot replace. */
  async read(
    row: Pick<RotationRow, 'organization_id' | 'parameter_id' | 'environment_id'>,
  ): Promise<RotatedValue | null> {
    const key = [row.organization_id, row.parameter_id, row.environment_id];
    const [value] = (await poolOf(this.dataSource).query<ValueRow>(VALUE, key)).rows;
    if (!value || value.id === null || !value.is_rotatable) return null;
    const { id, project_id: projectId, ledger_id: ledgerId } = value;
    const open = await this.vault.valueOpener(row.organization_id, [value]);
    const text = open({ ...value, id });
    return text === null ? null : { id, projectId, ledgerId, revision: Number(value.revision), text };
  }

  /**
   * Writes the value as an ordinary change, unless it differs from the version that the rotation knows. `store` runs in the
   * same transaction, so that the publication and its record cannot be separated.
   */
  async publish(
    row: RotationRow,
    value: RotatedValue,
    text: string,
    store: (em: EntityManager, version: { readonly ledgerId: string; readonly revision: number }) => Promise<void>,
  ): Promise<void> {
    const { organization_id: organizationId, parameter_id: id } = row;
    const caller = createRotationsCaller(organizationId);
    const key = { organizationId, permissions: SYSTEM_PERMISSIONS, projectId: value.projectId, id };
    const version = async (em: EntityManager) => {
      const [current] = await em.query<{ ledger_id: string; revision: string }[]>(VERSION, [organizationId, value.id]);
      if (!current) throw Failure.notFound('Value');
      return { ledgerId: current.ledger_id, revision: Number(current.revision) };
    };
    const command = await this.values.change(
      caller,
      key,
      value.id,
      { internal_value: text },
      {
        before: async (em) => {
          if ((await version(em)).ledgerId !== row.value_ledger_id)
            throw Failure.conflict('value_changed', VALUE_CHANGED);
        },
        after: async (em) => store(em, await version(em)),
      },
    );
    await this.unitOfWork.run(command);
  }
}

export const VALUE_CHANGED =
  'The value was changed while the rotation was running. Abort the rotation, check the value, and rotate again.';
