import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ValueCreate, ValuePatch } from '@strata/contract';
import { demandIfControlled, Failure, type Mention, type Named, type ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type Written } from '../../platform/database/work.ts';
import { idFromLink, unknownLink } from '../../platform/http/links.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import { References } from '../resolution/references.ts';
import type { NamesChange } from '../validation/inputs.ts';
import { Validator } from '../validation/validator.ts';
import { refuseContradiction, refuseExternal } from './external.ts';
import { KnownValues } from './known-values.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { findParameter, owningProject } from './parameters.service.ts';
import { RecentCells } from './recent-cells.ts';
import { ValueEntity } from './value.entity.ts';
import {
  type CellParameter,
  demandWritableCell,
  type MeasuredCell,
  type MeasuredRow,
  measuredCellsQuery,
  type ValueCell,
} from './value-cell.ts';
import { type Content, definedContent, ValueContents } from './value-contents.ts';
import { changeOf, type Place, type StoredValue, update } from './value-writes.ts';

const refusals = (parameter: string, environment: string) => ({
  value_environment_taken: () =>
    Failure.field(
      'duplicate_value',
      'non_field_errors',
      `${parameter} has a value in ${environment} already. Change that value instead of making a second one.`,
    ),
});

const INTERNAL_VALUE = { field: 'internal_value' };

/** What a change waits for. */
interface Conditions {
  readonly before: Precondition;
  readonly after: View;
}

/** Asked inside a write, of what it has made: throws when it cannot be shown as the caller wants to see it. */
export type View = (em: EntityManager, id: ValueId) => Promise<void>;

@Injectable()
export class ValuesService {
  constructor(
    private readonly work: Work,
    private readonly contents: ValueContents,
    private readonly references: References,
    private readonly validator: Validator,
    private readonly known: KnownValues,
    private readonly recent: RecentCells,
  ) {}

  async create(caller: Caller, key: ParameterKey, wish: ValueCreate, view: View): Promise<Written<ValueId>> {
    refuseContradiction(wish);
    const early = await this.mentionsIn(caller, wish);
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const parameter = await findParameter(em, key);
      const environment = await environmentLinked(em, caller, wish.environment);
      const id = randomUUID();
      await refuseExternal(em, caller.organizationId, wish);
      const wanted = { text: wish.internal_value ?? null, interpolated: wish.interpolated ?? false };
      refuseDynamicSecret(parameter, wish);
      const content = await this.contents.stored(parameter, id, wanted, () => this.contents.typeOf(em, parameter));
      const { organizationId, id: parameterId } = parameter;
      const row = { organizationId, id, parameterId, environmentId: environment.id, ...content };
      await refuseOn(em.insert(ValueEntity, row), refusals(parameter.name, environment.name));
      await this.keepReferences(em, caller, parameter, id, wanted, early);
      await this.validator.validateDependents(
        em,
        caller,
        effectOf({ parameter, project, environment }),
        INTERNAL_VALUE,
      );
      await view(em, id);
      context.record(changeOf('create', id, { parameter, project, environment }));
      return id;
    });
  }

  /**
   * What is absent stays as it is; a value never moves to another environment. Its result is the cell as it is now, or null
   * when it was changed by the same request before.
   */
  async change(
    caller: Caller,
    key: ParameterKey,
    id: ValueId,
    wish: ValuePatch,
    conditions: Conditions | null,
  ): Promise<Written<ValueCell | null>> {
    refuseContradiction(wish);
    const early = await this.mentionsIn(caller, wish);
    const quick = conditions === null ? await this.known.change(caller, key, id, wish) : null;
    if (quick) return quick;
    const question = measuredCellsQuery(key, id);
    const { result, revision } = await this.work.writeFrom<MeasuredRow, () => MeasuredCell>(
      caller,
      question,
      async (context, rows) => {
        const { em } = context;
        const { cell, all } = demandWritableCell(caller, rows, key, id);
        const { parameter, value: found } = cell;
        await conditions?.before(em);
        await refuseExternal(em, key.organizationId, wish);
        refuseDynamicSecret(parameter, wish);
        const text = await this.contents.textOf(cell);
        const wanted = { text, interpolated: found.interpolated, ...definedContent(wish) };
        if (wanted.text === text && wanted.interpolated === found.interpolated) return () => cell;
        const content = await this.contents.stored(parameter, id, wanted, async () => cell.type);
        const stored = context.send<StoredValue>(update(cell, content));
        // its references say of other cells whether they are mentioned
        const isDynamic = wanted.interpolated || found.interpolated;
        if (isDynamic) {
          await this.keepReferences(em, caller, parameter, id, wanted, early);
        }
        if (cell.isMentioned) {
          await this.validator.validateDependents(em, caller, effectOf(cell), INTERNAL_VALUE);
        }
        await conditions?.after(em, id);
        context.record(changeOf('update', id, cell));
        let changed = cell;
        context.afterwards(async () => {
          const [row] = await stored;
          changed = { ...cell, revision: context.revision, value: { ...cell.value, ...row } };
          if (!isDynamic) this.recent.keep(...all, changed);
        });
        return () => changed;
      },
    );
    return { revision, result: result ? { ...result(), revision } : null };
  }

  /** The environment falls back to what it inherits. */
  remove(caller: Caller, key: ParameterKey, id: ValueId, precondition: Precondition): Promise<Written<void>> {
    const question = measuredCellsQuery(key, id);
    return this.work.writeFrom<MeasuredRow, void>(caller, question, async (context, rows) => {
      const { em } = context;
      const { cell } = demandWritableCell(caller, rows, key, id);
      await precondition(em);
      await em.delete(ValueEntity, { organizationId: key.organizationId, id });
      await this.validator.validateDependents(em, caller, { ...effectOf(cell), uncovers: true }, 'conflict');
      context.record(changeOf('delete', id, cell));
    });
  }

  /** What a text that comes with the flag mentions, found out before anybody has to wait for it. */
  private async mentionsIn({ organizationId }: Caller, { interpolated, internal_value: text }: ValuePatch) {
    return interpolated && typeof text === 'string'
      ? this.references.mentionsIn(organizationId, text, Failure.list)
      : null;
  }

  private async keepReferences(
    em: EntityManager,
    caller: Caller,
    parameter: CellParameter,
    id: ValueId,
    { text, interpolated }: Content,
    early: readonly Mention[] | null,
  ): Promise<void> {
    const { organizationId, projectId } = parameter;
    const source = { organizationId, projectId, id, kind: 'value' } as const;
    if (!interpolated || text === null) return this.references.store(em, caller, source, []);
    const mentions = early ?? (await this.references.mentionsIn(organizationId, text, Failure.list));
    await this.references.store(em, caller, source, mentions);
    await this.validator.validateDynamicValue(em, caller, parameter, id);
  }
}

/** Other texts may say what is set here, seen from here and below. */
function effectOf({ parameter, project, environment }: Place): NamesChange {
  return { kind: 'names', projectId: project.id, names: [parameter.name], environmentId: environment.id };
}

/** E44. */
function refuseDynamicSecret({ secret, name }: CellParameter, { interpolated }: ValuePatch): void {
  if (!secret || !interpolated) return;
  throw Failure.field(
    'secret_is_literal',
    'interpolated',
    `${name} is secret, and the text of a secret cannot refer to others. Refer to it from a parameter that is not secret.`,
  );
}

async function environmentLinked(em: EntityManager, caller: Caller, link: string): Promise<Named> {
  const id = idFromLink('environment', 'environments', link);
  const found = await findEnvironment(em, caller.organizationId, id);
  if (!found) throw unknownLink('environment', 'environments');
  demandIfControlled(caller, 'write', id);
  return found;
}

async function findEnvironment(em: EntityManager, organizationId: string, id: string): Promise<Named | undefined> {
  const [row] = await em.query<Named[]>('select id, name from environment where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
  return row;
}
