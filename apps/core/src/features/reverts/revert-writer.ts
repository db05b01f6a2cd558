import { Injectable } from '@nestjs/common';
import {
  type ExternalError,
  externalSource,
  isRevertible,
  type OrganizationId,
  type RevertedObject,
  type RevertibleType,
  type RevertPlan,
  type Revision,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { columnsOf, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { restoreControl, storeLastReaders } from '../access/control.ts';
import { deleteValues, storeContents, storeNewValues } from '../parameters/values/value-writer.ts';
import { ObjectNameReader } from './object-names.ts';
import { type RevertRow, type RowsById, TABLE_OF } from './reverted-rows.ts';

const REVERTED: ExternalError = {
  code: 'external_value_reverted',
  detail:
    'The text is that of an earlier revision, because a revert restored the value. It is read again within minutes.',
};

/** A plan of writes, with the rows that it needs. */
export interface RevertWrites {
  readonly plan: RevertPlan;
  /** The revision whose state is restored. */
  readonly at: Revision;
  readonly before: RowsById;
  readonly now: RowsById;
  /** The names of the objects before the write. */
  readonly names: ObjectNameReader;
  /** Returns the text of a value. Decrypts it if it is a secret. */
  readonly textOf: (row: RevertRow) => string | null;
}

/** The restored projects and environments that are under access control. */
export interface RestoredScopes {
  readonly controlled: readonly string[];
  /** Scopes whose earlier grants were not stored. */
  readonly unknown: readonly string[];
}

const DELETED_FIRST = ['Value', 'ParameterRule', 'ParameterTypeRule'] as const;
const DELETED_LAST = ['Template', 'Parameter', 'Project', 'Environment', 'ParameterType'] as const;
const CREATED = [
  'ParameterType',
  'ParameterTypeRule',
  'Environment',
  'Project',
  'Parameter',
  'ParameterRule',
  'Template',
] as const;
const NAMED = ['ParameterType', 'Environment', 'Project', 'Parameter', 'Template'] as const;

/** Returns whether an object is a scope: a project or an environment. */
export const isScope = (
  object: RevertedObject,
): object is RevertedObject & { readonly type: 'Environment' | 'Project' } =>
  object.type === 'Environment' || object.type === 'Project';

/**
 * Writes a plan with a few statements per type, however many objects there are. Deletes objects first if other objects
 * need their keys, and last if they still contain others. The caller has to validate the result.
 */
@Injectable()
export class RevertWriter {
  constructor(
    private readonly vault: Vault,
    private readonly cascades: Cascades,
  ) {}

  async write(context: WriteContext, work: RevertWrites): Promise<RestoredScopes> {
    const { caller, em } = context;
    const { organizationId } = caller;
    const { plan, before, at } = work;
    const { revivals, deletions } = plan;
    const rows = new RowsWriter(em, organizationId, at);
    await this.leaveScopes(context, organizationId, deletions);
    const { updates, exchanged } = split(plan);
    await rows.giveUpNames(NAMED, displaced(plan));
    await rows.remove(DELETED_FIRST, [...deletions, ...exchanged]);
    await rows.revive(CREATED, [...revivals, ...exchanged]);
    await this.storeValues(context, organizationId, work);
    await rows.update(CREATED, updates);
    await rows.remove(DELETED_LAST, deletions);
    const revivedScopes = await this.reviveScopes(context, work);
    this.recordAll(
      context,
      work,
      await ObjectNameReader.of(em, organizationId, rowsIn(before, [...revivals, ...plan.updates])),
    );
    return revivedScopes;
  }

  /**
   * Records the deletion of objects that are deleted with a scope and cannot be reverted on their own, such as grants.
   */
  private async leaveScopes(
    context: WriteContext,
    organizationId: OrganizationId,
    deletions: readonly RevertedObject[],
  ) {
    const nonRevertibleContext: WriteContext = {
      ...context,
      record: (change) => (isRevertible(change.objectType) ? undefined : context.record(change)),
    };
    for (const { type, id } of deletions.filter(isScope)) {
      await this.cascades.record(nonRevertibleContext, type, organizationId, id);
      await storeLastReaders(context, organizationId, id);
    }
  }

  private async storeValues(context: WriteContext, organizationId: OrganizationId, work: RevertWrites) {
    const storeRow = async ({ id }: RevertedObject) => {
      const row = work.before.get(id) as RevertRow;
      const text = work.textOf(row);
      const sealedText = row.sealed ? await this.vault.sealValue(organizationId, id, text ?? '') : null;
      const { parameter_id: parameterId = '', environment_id: environmentId = '', interpolated = false } = row;
      const source = externalSource(row);
      const content = {
        text: sealedText ? null : text,
        sealed: sealedText,
        interpolated,
        source: source && { ...source, error: REVERTED },
      };
      return { id, parameterId, environmentId, ...content };
    };
    const values = (objects: readonly RevertedObject[]) =>
      Promise.all(objects.filter(({ type }) => type === 'Value').map(storeRow));
    await storeNewValues(context, organizationId, await values(work.plan.revivals));
    await storeContents(context, organizationId, await values(work.plan.updates));
  }

  private async reviveScopes(context: WriteContext, { plan, before }: RevertWrites): Promise<RestoredScopes> {
    const scopes = plan.revivals.filter(isScope).map(({ type, id }) => {
      const [project, environment] = type === 'Project' ? [id, null] : [null, id];
      return { project_id: project, environment_id: environment, name: before.get(id)?.name ?? '' };
    });
    if (scopes.length === 0) return { controlled: [], unknown: [] };
    return restoreControl(context, context.caller, scopes);
  }

  private recordAll(
    { record }: WriteContext,
    { plan, before, now, names: namesBefore }: RevertWrites,
    names: ObjectNameReader,
  ) {
    const [revivedIds, deletedIds] = [plan.revivals, plan.deletions].map((list) => new Set(list.map(({ id }) => id)));
    const isContained = (row: RevertRow, ids: ReadonlySet<string> | undefined) =>
      [row.project_id, row.parameter_id, row.environment_id].some((id) => id !== undefined && ids?.has(id));
    for (const { type, id } of plan.deletions.toReversed()) {
      const row = now.get(id) as RevertRow;
      record(namesBefore.change('delete', type, row, isContained(row, deletedIds)));
    }
    for (const { type, id } of plan.revivals) {
      const row = before.get(id) as RevertRow;
      record(names.change('create', type, row, isContained(row, revivedIds)));
    }
    for (const { type, id } of plan.updates) record(names.change('update', type, before.get(id) as RevertRow, false));
  }
}

function rowsIn(rows: RowsById, objects: readonly RevertedObject[]): RevertRow[] {
  return objects.flatMap(({ id }) => rows.get(id) ?? []);
}

/** Returns the objects whose current keys other objects of the plan need. */
function displaced({ revivals, updates, deletions }: RevertPlan): readonly RevertedObject[] {
  const idByNewKey = new Map(
    [...revivals, ...updates].map((object) => [`${object.type} ${object.before?.key}`, object.id]),
  );
  return [...updates, ...deletions].filter((object) => {
    const takerId = idByNewKey.get(`${object.type} ${object.now?.key}`);
    return takerId !== undefined && takerId !== object.id;
  });
}

/**
 * Separates the rules that swap their kinds. They are deleted and inserted again, because they cannot be renamed
 * temporarily.
 */
function split(plan: RevertPlan): {
  readonly updates: readonly RevertedObject[];
  readonly exchanged: readonly RevertedObject[];
} {
  const displacedObjects = new Set(displaced(plan));
  const isExchanged = (object: RevertedObject) =>
    displacedObjects.has(object) && (object.type === 'ParameterRule' || object.type === 'ParameterTypeRule');
  return {
    updates: plan.updates.filter((object) => !isExchanged(object)),
    exchanged: plan.updates.filter(isExchanged),
  };
}

/** Writes rows from the history, with one statement per type. */
class RowsWriter {
  constructor(
    private readonly em: EntityManager,
    private readonly organizationId: OrganizationId,
    private readonly at: Revision,
  ) {}

  /**
   * Gives temporary names to objects whose names others need. Readers never see these names, because the revision is
   * committed as a whole.
   */
  giveUpNames(types: readonly RevertibleType[], objects: readonly RevertedObject[]): Promise<void> {
    return writeByType(types, objects, (type, ids) =>
      this.em.query(
        `update ${TABLE_OF[type]} set name = '~' || id where organization_id = $1 and id = any($2::uuid[])`,
        [this.organizationId, ids],
      ),
    );
  }

  revive(types: readonly RevertibleType[], objects: readonly RevertedObject[]): Promise<void> {
    return writeByType(types, objects, (type, ids) => {
      const table = TABLE_OF[type];
      const columns = ['organization_id', 'id', ...Object.keys(columnsOf(table))].join(', ');
      return this.em.query(
        `insert into ${table} (${columns}) select ${columns} from ${rowsAt(table, this.at)} source where source.id = any($3::uuid[])`,
        [this.organizationId, this.at, ids],
      );
    });
  }

  update(types: readonly RevertibleType[], objects: readonly RevertedObject[]): Promise<void> {
    return writeByType(types, objects, (type, ids) => {
      const table = TABLE_OF[type];
      const columns = Object.entries(columnsOf(table)).flatMap(([name, { isFixed }]) => (isFixed ? [] : [name]));
      return this.em.query(
        `update ${table} target set ${columns.map((name) => `${name} = source.${name}`).join(', ')}
           from ${rowsAt(table, this.at)} source where target.organization_id = $1 and target.id = source.id and source.id = any($3::uuid[])`,
        [this.organizationId, this.at, ids],
      );
    });
  }

  remove(types: readonly RevertibleType[], objects: readonly RevertedObject[]): Promise<void> {
    return writeByType(types, objects, (type, ids) =>
      type === 'Value'
        ? deleteValues(this.em, this.organizationId, ids)
        : this.em.query(`delete from ${TABLE_OF[type]} where organization_id = $1 and id = any($2::uuid[])`, [
            this.organizationId,
            ids,
          ]),
    );
  }
}

async function writeByType(
  types: readonly RevertibleType[],
  objects: readonly RevertedObject[],
  write: (type: RevertibleType, ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const byType = Map.groupBy(objects, ({ type }) => type);
  for (const type of types) {
    const ids = (byType.get(type) ?? []).map(({ id }) => id);
    if (ids.length > 0) await write(type, ids);
  }
}
