import { Injectable } from '@nestjs/common';
import { Failure, type Mention, type OrganizationId, type ValueId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { ActiveTexts } from '../resolution/active-texts.ts';
import { References } from '../resolution/references.ts';
import type { CellParameter } from './value-cell.ts';
import { ValueCheck } from './value-check.ts';

/** Values whose text refers to other parameters (behaviour.md §6.2 rules 5 to 7). */
@Injectable()
export class DynamicValues {
  constructor(
    private readonly references: References,
    private readonly activeTexts: ActiveTexts,
    private readonly check: ValueCheck,
  ) {}

  /** What a text mentions; a list of messages when it is none of this language. To be asked before the write begins. */
  mentionsIn(organizationId: OrganizationId, text: string): Promise<readonly Mention[]> {
    return this.references.mentionsIn(organizationId, text, Failure.list);
  }

  /**
   * Once the row is written: keeps what the text refers to, and evaluates it in every environment where it is the
   * effective value, where each result must be one that could be stored. Otherwise refuses, and the row is undone.
   */
  async keep(
    em: EntityManager,
    caller: Caller,
    parameter: CellParameter,
    id: ValueId,
    mentions: readonly Mention[],
  ): Promise<void> {
    const { organizationId, projectId } = parameter;
    await this.references.store(em, caller, { organizationId, projectId, id, kind: 'value' }, mentions);
    const active = await this.activeTexts.of(em, caller, [id]);
    const texts = [...new Set(active.map(({ text }) => text))];
    const violations = await this.check.violations(await this.check.typeOf(em, parameter), texts);
    const problems = active.flatMap(({ environment, text }) =>
      (violations[texts.indexOf(text)] ?? []).map(({ code, message }) => ({
        code,
        message: `In ${environment}: ${message}`,
      })),
    );
    const [first] = problems;
    if (!first) return;
    throw Failure.fields(
      first.code,
      problems.map(({ message }) => ({ field: 'internal_value', message })),
    );
  }

  /** The text is a literal one from now on. */
  forget(em: EntityManager, caller: Caller, { organizationId, projectId }: CellParameter, id: ValueId): Promise<void> {
    return this.references.store(em, caller, { organizationId, projectId, id, kind: 'value' }, []);
  }
}
