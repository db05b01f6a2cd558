import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId, type Problem } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { ManyTexts } from '../parameters/many-texts.ts';
import { DependentValues, onField } from '../types/dependent-values.ts';
import { afterImport, type ImportDecision, writingSteps } from './import-decision.ts';

/** Holds the texts of an import against types and rules. */
@Injectable()
export class ImportCheck {
  constructor(
    private readonly texts: ManyTexts,
    private readonly dependents: DependentValues,
  ) {}

  /** What depends on them must still fit, too: once they are stored, or of a preview, as if they were. */
  demandDependentsFit(em: EntityManager, caller: Caller, decision: ImportDecision, isStored: boolean): Promise<void> {
    const { project, environment } = decision.place;
    const names = writingSteps(decision.plan).map(({ name }) => name);
    const after = isStored ? undefined : afterImport(decision);
    const effect = { projectId: project.id, names, environmentId: environment.id, after };
    return this.dependents.demandFit(em, caller, effect, onField('internal_value'));
  }

  /** Throws 400 on `internal_value` with everything that is wrong, by name. A new parameter takes any text. */
  async demandFit(em: EntityManager, organizationId: OrganizationId, { plan, state }: ImportDecision): Promise<void> {
    const judged = writingSteps(plan).flatMap(({ name, text, addsParameter }) => {
      const shown = state.get(name)?.shown;
      return shown ? [{ name, text, type: shown.type, parameterId: addsParameter ? null : shown.id }] : [];
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
