import { Injectable } from '@nestjs/common';
import {
  Failure,
  findImportObstacle,
  type ImportObstacle,
  type ParameterId,
  type ProjectId,
  SYSTEM_PERMISSIONS,
  type ValueId,
} from '@strata/domain';
import { DataSource, type EntityManager } from 'typeorm';
import type { Command } from '../../../platform/ledger/command.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { poolOf } from '../../../platform/postgres/data-source.ts';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import { createSystemCaller } from '../../../platform/system-caller.ts';
import { readSealed } from '../../../platform/vault/sealed-text.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { ValueChanges } from '../../parameters/values/value-changes.ts';
import type { DesiredValue } from './desired-values.ts';
import type { KeyResult } from './key-writer.ts';
import type { ClaimedTask } from './run-store.ts';
import { hashKey, type KeyScope, SyncKeys } from './sync-keys.ts';

/** The number of characters of a key in the message of a changeset, which has at most 1,000. */
const KEY_IN_MESSAGE_MAX = 500;

/** A key that another program has written to, and its value. */
export interface ImportableKey {
  readonly key: string;
  readonly version: string | null;
  readonly isEncrypted: boolean | null;
  /** The hash of the text that the push wrote, or imported last. */
  readonly writtenHash: string;
  /** The hash of the text at the tag. */
  readonly valueHash: string;
  readonly value: DesiredValue;
}

export interface ImportableText extends ImportableKey {
  readonly text: string;
}

interface TargetRow {
  readonly parameter_id: ParameterId;
  readonly owner_id: ProjectId;
  readonly secret: boolean;
  /** Null if the environment inherits its value. */
  readonly id: ValueId | null;
  readonly ledger_id: string;
  readonly revision: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
  readonly is_internal: boolean;
  readonly is_rotated: boolean;
}

/** A value that a text is written to. */
interface Target extends TargetRow {
  readonly id: ValueId;
  /** The hash of the text of the value at the key of the push. */
  readonly hash: string | null;
}

const TARGET = `
select parameter.project_id as owner_id, parameter.id as parameter_id, parameter.secret, value.id, value.ledger_id, value.revision,
       value.text, ${readSealed('value')}::text as sealed, value.interpolated, ${IS_INTERNAL} as is_internal,
       exists (select from rotation where rotation.organization_id = $1 and rotation.parameter_id = parameter.id
                                      and rotation.environment_id = $3) as is_rotated
  from parameter
  left join value on value.organization_id = $1 and value.parameter_id = parameter.id and value.environment_id = $3
 where parameter.organization_id = $1 and parameter.id = $2`;

const CHANGED = 'The value has changed in Strata since the push wrote it. Decide which text applies.';
const OBSTACLES: Readonly<Record<ImportObstacle, string>> = {
  other_project: 'The value belongs to another project. Change it there.',
  inherited: 'The environment inherits the value. Set it in the environment, or change it where it is set.',
  external: 'The value is external. Change it at its source.',
  dynamic: 'The value is dynamic. Change the values that it refers to.',
  rotated: 'A rotation writes the value.',
  encrypted_elsewhere: 'The store encrypts the text, and the parameter is not secret. Use a secret parameter.',
  changed_in_strata: CHANGED,
};
const DELETED = 'The parameter was deleted.';
const REJECTED = 'The value does not accept the text.';
const REJECTED_ELSEWHERE = 'A text that refers to the parameter does not accept the text of the store.';
const NOT_NOW = 'The text cannot be imported now. Run the push again.';

/** Writes texts that other programs wrote to keys of a push into the values of Strata. */
@Injectable()
export class TextImports {
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: Vault,
    private readonly values: ValueChanges,
    private readonly unitOfWork: UnitOfWork,
    private readonly keys: SyncKeys,
  ) {}

  /** Returns why a text cannot be imported; null if it can. Dry-runs the write. */
  async check(task: ClaimedTask, scope: KeyScope, text: ImportableText): Promise<string | null> {
    const row = await this.readTarget(scope, text);
    if (row === null) return DELETED;
    const hash = await this.hash(scope, text.key, text.text);
    const obstacle = this.describeObstacle(text, row, hash);
    if (obstacle !== null || row.id === null || row.hash === hash) return obstacle;
    try {
      const command = await this.command(task, text, { ...row, id: row.id }, hash, null);
      await this.unitOfWork.dryRun(command, () => Promise.resolve());
      return null;
    } catch (error) {
      if (!isFinal(error)) throw error;
      return describeRejection(error, row.secret);
    }
  }

  /**
   * Writes a text into its value as a changeset, and records in the same transaction that the key has this text. The next
   * run repeats it if the process ends before.
   */
  async write(task: ClaimedTask, scope: KeyScope, text: ImportableText): Promise<KeyResult> {
    const row = await this.readTarget(scope, text);
    if (row === null || row.id === null) return { is: 'moved' };
    const target: Target = { ...row, id: row.id };
    const hash = await this.hash(scope, text.key, text.text);
    if (this.describeObstacle(text, target, hash)) return { is: 'moved' };
    const storeRecord = (revision: number, em?: EntityManager) => {
      const imported = { replacedHash: text.valueHash, revision };
      return this.keys.finish(
        scope,
        [{ key: text.key, hash, version: text.version, origin: text.value, imported }],
        em,
      );
    };
    try {
      // An earlier run, or a person, has written the text.
      if (target.hash === hash) await storeRecord(Number(target.revision));
      else await this.unitOfWork.run(await this.command(task, text, target, hash, storeRecord));
      return { is: 'done' };
    } catch (error) {
      // The value has changed since the plan, which is made again.
      if (isFinal(error)) return { is: 'moved' };
      throw error;
    }
  }

  private describeObstacle(
    { writtenHash, isEncrypted, value }: ImportableText,
    { id, owner_id: ownerId, secret, hash, ...row }: TargetRow & { readonly hash: string | null },
    storeHash: string,
  ): string | null {
    const current = { hash, isExternal: !row.is_internal, isDynamic: row.interpolated, isRotated: row.is_rotated };
    const isOwnParameter = ownerId === value.projectId;
    const obstacle = findImportObstacle(
      { isOwnParameter, isSecret: secret, value: id === null ? null : current },
      { hash: storeHash, writtenHash, isEncrypted },
    );
    return obstacle && OBSTACLES[obstacle];
  }

  /** Returns the value of a text as it is now; null if its parameter was deleted. */
  private async readTarget(
    scope: KeyScope,
    text: ImportableText,
  ): Promise<(TargetRow & { readonly hash: string | null }) | null> {
    const { organizationId } = scope;
    const { rows } = await poolOf(this.dataSource).query<TargetRow>(TARGET, targetParameters(organizationId, text));
    const [row] = rows;
    if (row === undefined) return null;
    const { id } = row;
    const current = id === null ? null : (await this.vault.valueOpener(organizationId, rows))({ ...row, id });
    return { ...row, hash: current === null ? null : await this.hash(scope, text.key, current) };
  }

  private hash({ organizationId, store }: KeyScope, key: string, text: string): Promise<string> {
    return hashKey(this.vault, organizationId, store, key, text);
  }

  /** The change of the value. `storeRecord` runs in its transaction. */
  private async command(
    { organizationId, sync }: ClaimedTask,
    imported: ImportableText,
    target: Target,
    storeHash: string,
    storeRecord: ((revision: number, em: EntityManager) => Promise<void>) | null,
  ): Promise<Command<unknown>> {
    const { key, text } = imported;
    const caller = createSystemCaller(organizationId, { id: 'integrations', name: 'Integrations' });
    const parameter = {
      ...{ organizationId, permissions: SYSTEM_PERMISSIONS },
      ...{ projectId: target.owner_id, id: target.parameter_id },
    };
    const change = await this.values.change(caller, parameter, target.id, { internal_value: text }, null);
    const shownKey = key.length > KEY_IN_MESSAGE_MAX ? `${key.slice(0, KEY_IN_MESSAGE_MAX)}…` : key;
    const message = `The push ${sync.name} imported the text that another program wrote to the key ${shownKey}.`;
    return {
      operation: change.operation,
      caller,
      note: { message, externalRef: null },
      run: async (context) => {
        // The same version has the same text. A rotation, for example, may have been created since.
        const [row] = await context.em.query<TargetRow[]>(TARGET, targetParameters(organizationId, imported));
        const isSame = row?.ledger_id === target.ledger_id;
        const obstacle = isSame ? this.describeObstacle(imported, { ...row, hash: target.hash }, storeHash) : CHANGED;
        if (obstacle !== null) throw Failure.conflict('value_changed', CHANGED);
        await change.run(context);
        await storeRecord?.(context.revision, context.em);
      },
    };
  }
}

const targetParameters = (organizationId: string, { value }: ImportableText) => [
  organizationId,
  value.parameterId,
  value.environmentId,
];

/** Returns whether a write was rejected. It can be repeated after a temporary failure. */
const isFinal = (error: unknown): error is Failure => error instanceof Failure && error.kind !== 'unavailable';

/** The sentence about a secret says nothing about its text. One about another text can name scopes that the reader cannot access. */
function describeRejection({ kind, code, problems }: Failure, isSecret: boolean): string {
  if (code === 'type_violation' || code === 'rule_violation') {
    const reasons = problems.map(({ message }) => message).join(' ');
    return isSecret ? REJECTED : `${REJECTED} ${reasons}`;
  }
  if (code === 'dependent_values') return REJECTED_ELSEWHERE;
  return kind === 'invalid' || kind === 'unprocessable' ? REJECTED : NOT_NOW;
}
