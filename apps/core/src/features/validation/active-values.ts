import { Injectable } from '@nestjs/common';
import { canOnScope, type ValueId, type Violation, valueTypeOf } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { ignoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { TimeBudget } from '../../platform/patterns/pattern-engine.ts';
import { ActiveTexts, type RequestQuery } from '../templating/active-texts.ts';
import { type ConstrainedValue, dependentValues } from './dependent-values.ts';
import type { DependencyChange, TypedParameter } from './inputs.ts';
import { TextValidation } from './text-validation.ts';
import { allTypes, typeOf } from './value-types.ts';

/** How many are evaluated at once: bounds memory. */
const BATCH = 500;

/** What is wrong with what a value says in an environment. */
export interface ActiveViolation extends Violation {
  readonly environment: string;
}

/** What is wrong with a value since a change, as a sentence. */
export interface DependentProblem {
  readonly valueId: ValueId;
  readonly message: string;
}

/**
 * Judges dynamic values by what they say where they are effective. What the caller may not see is not judged: a verdict
 * would tell about it.
 */
@Injectable()
export class ActiveValues {
  constructor(
    private readonly texts: TextValidation,
    private readonly activeTexts: ActiveTexts,
  ) {}

  /** Of one value. */
  async violations(
    em: EntityManager,
    caller: Caller,
    parameter: TypedParameter,
    id: ValueId,
  ): Promise<readonly ActiveViolation[]> {
    const active = await this.activeTexts.of(em, caller, [id]);
    if (active.length === 0) return [];
    const type = await typeOf(em, parameter);
    const texts = [...new Set(active.map(({ text }) => text))];
    const violations = await this.texts.violations(texts.map((text) => ({ type, text })));
    return active.flatMap(({ environment, text }) =>
      (violations[texts.indexOf(text)] ?? []).map((violation) => ({ ...violation, environment })),
    );
  }

  /**
   * Of all that depend on a change: a fixed number of statements for every few hundred values. Where one cannot be evaluated that is
   * reason to refuse all, unless it is `each` that is judged for itself.
   */
  async problemsOfDependents(
    em: EntityManager,
    caller: Caller,
    change: DependencyChange,
    mode: 'all' | 'each' = 'all',
  ): Promise<readonly DependentProblem[]> {
    const found = await dependentValues(em, caller, withoutIgnored(caller, change));
    const values = found.filter(({ projectId }) => canOnScope(caller, 'read', projectId));
    if (values.length === 0) return [];
    const types = await allTypes(em, caller.organizationId);
    const problems: DependentProblem[] = [];
    const budget = new TimeBudget();
    for (let at = 0; at < values.length; at += BATCH) {
      const batch = new Map(values.slice(at, at + BATCH).map((value) => [value.id, value]));
      const onProblem = (valueId: ValueId, problem: string) => {
        const { name, project } = batch.get(valueId) as ConstrainedValue;
        problems.push({ valueId, message: `${name} of ${project} could not be evaluated. ${problem}` });
      };
      const active = await this.activeTexts.of(em, caller, [...batch.keys()], {
        ...whereNoticed(change),
        ...(mode === 'each' && { onProblem }),
      });
      const judged = active.map((one) => ({ ...one, value: batch.get(one.valueId) as ConstrainedValue }));
      const violations = await this.texts.violations(
        judged.map(({ text, value }) => ({ text, type: valueTypeOf(types, value.typeId, value) })),
        budget,
      );
      for (const [index, { value, environment }] of judged.entries()) {
        const title = `${value.name} of ${value.project} in ${environment}`;
        for (const { message } of violations[index] ?? []) {
          problems.push({ valueId: value.id, message: `${title} ${WHY[change.kind]}. ${message}` });
        }
      }
    }
    return problems;
  }
}

/** Leaves out forbidden environments, so that what a move checks does not show what is set there. */
function withoutIgnored(caller: Caller, change: DependencyChange): DependencyChange {
  const ignored = ignoredScopes(caller);
  if (change.kind !== 'environment_moved' || ignored.length === 0) return change;
  const exchanged = change.exchanged.filter((id) => !ignored.includes(id));
  if (exchanged.length < change.exchanged.length) caller.forbiddenValues?.ignoreUnnamed();
  return { ...change, exchanged };
}

const WHY: Readonly<Record<DependencyChange['kind'], string>> = {
  names: 'depends on this and would not fit any more',
  places: 'depends on this and would not fit any more',
  template: 'depends on this and would not fit any more',
  project_moved: 'would not fit any more',
  environment_moved: 'would not fit any more',
  new_values: 'would not fit there',
};

/** In which environments a change can be noticed, and what must be imagined to be stored. */
function whereNoticed(change: DependencyChange): RequestQuery {
  switch (change.kind) {
    case 'names':
      return { environmentId: change.environmentId, after: change.after };
    case 'environment_moved':
      return { environmentId: change.environmentId };
    default:
      return {};
  }
}
