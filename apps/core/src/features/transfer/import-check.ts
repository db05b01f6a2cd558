import { Injectable } from '@nestjs/common';
import { Failure, type ImportStep, type OrganizationId, type Problem } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { ManyTexts } from '../parameters/many-texts.ts';
import { DependentValues, onField } from '../types/dependent-values.ts';
import type { ImportPlace } from './import-place.ts';
import type { State } from './import-state.ts';

/** Holds the texts of an import against types and rules. */
@Injectable()
export class ImportCheck {
  constructor(
    private readonly texts: ManyTexts,
    private readonly dependents: DependentValues,
  ) {}

  /** Once they are stored: what depends on them must still fit, too. */
  demandDependentsFit(
    em: EntityManager,
    caller: Caller,
    { project, environment }: ImportPlace,
    names: readonly string[],
  ) {
    const effect = { projectId: project.id, names, environmentId: environment.id };
    return this.dependents.demandFit(em, caller, effect, onField('internal_value'));
  }

  /** Throws 400 on `internal_value` with everything that is wrong, by name. A new parameter takes any text. */
  async demandFit(
    em: EntityManager,
    organizationId: OrganizationId,
    steps: readonly ImportStep[],
    state: State,
  ): Promise<void> {
    const judged = steps.flatMap(({ name, text, action, addsParameter }) => {
      const shown = state.get(name)?.shown;
      const writes = action !== 'unchanged' && action !== 'inherited';
      return writes && shown ? [{ name, text, type: shown.type, parameterId: addsParameter ? null : shown.id }] : [];
    });
    const violations = await this.texts.violations(em, organizationId, judged);
    const found = violations.flatMap((of, index) => of.map((violation) => ({ ...violation, of: judged[index] })));
    const [first] = found;
    if (!first) return;
    throw Failure.fields(
      first.code,
      found.map(({ of, message }): Problem => ({ field: 'internal_value', message: `${of?.name ?? ''}: ${message}` })),
    );
  }
}
