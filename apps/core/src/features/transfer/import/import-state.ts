import { Injectable } from '@nestjs/common';
import { canOnScope, createResolver, type ImportTarget } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { ProjectSnapshots } from '../../snapshot/project-snapshot.ts';
import type { ParameterRecord, ValueRecord } from '../../snapshot/snapshot.ts';
import { TextEvaluator } from '../../templating/evaluation.ts';
import type { ImportScope } from './import-scope.ts';

/** The state of a name before the import. */
export interface Before extends ImportTarget {
  /** The parameter that is visible under the name. It may belong to another project. */
  readonly shown: ParameterRecord;
  /** The project's own value in this environment, or else the effective value. Null if there is neither. */
  readonly value: ValueRecord | null;
}

export type State = ReadonlyMap<string, Before>;

/** Reads the state before an import. The number of statements does not depend on the number of names. */
@Injectable()
export class ImportStates {
  constructor(
    private readonly snapshots: ProjectSnapshots,
    private readonly evaluations: TextEvaluator,
  ) {}

  async of(em: EntityManager, caller: Caller, { project, environment, rootId }: ImportScope): Promise<State> {
    if (project.isNew) return new Map();
    const reader = SnapshotReader.within(em);
    // A new environment becomes a child of the root and inherits its values.
    const from = environment.isNew ? rootId : environment.id;
    const { organizationId } = caller;
    const request = {
      organizationId,
      projectId: project.id,
      at: 'now',
      environment: from,
      permissions: caller,
    } as const;
    const snapshot = await this.snapshots.of(request, reader);
    const parameterResolver = createResolver(snapshot);
    const values = parameterResolver.inEnvironment(from);
    const requestedTexts = () => values.map((value) => [value, from] as const);
    const evaluationResults = await this.evaluations.ofSnapshot(
      snapshot,
      requestedTexts,
      { evaluate: true, environment: from },
      reader,
    );
    const valuesByName = new Map(
      snapshot.values
        .filter(({ environmentId }) => !environment.isNew && environmentId === environment.id)
        .map((value) => [value.parameterId, value]),
    );
    const owners = new Map(snapshot.parameters.map((parameter) => [parameter.id, parameter]));
    return new Map(
      parameterResolver.visible.map(({ parameter }, index) => {
        const isOwn = parameter.projectId === project.id;
        const explicitValues = isOwn ? valuesByName.get(parameter.id) : undefined;
        const value = values[index] ?? null;
        // A value that the caller may not read is treated as missing, so that the import does not reveal whether a
        // guess is right.
        const owner = value && owners.get(value.parameterId);
        const effectiveValue = owner && canOnScope(caller, 'read', owner.projectId) ? value : null;
        const evaluatedText =
          effectiveValue && evaluationResults.evaluatedText({ sourceId: effectiveValue.id, environmentId: from });
        const before: Before = {
          parameter: isOwn ? 'own' : 'inherited',
          explicit: explicitValues && snapshot.textOf(explicitValues),
          effective: effectiveValue
            ? evaluatedText
              ? evaluatedText.text
              : snapshot.textOf(effectiveValue)
            : undefined,
          secret: parameter.secret,
          comparesSecret: explicitValues
            ? parameter.secret
            : (owner?.secret ?? false) || (evaluatedText?.secret ?? false),
          shown: parameter,
          value: explicitValues ?? effectiveValue,
        };
        return [parameter.name, before] as const;
      }),
    );
  }
}
