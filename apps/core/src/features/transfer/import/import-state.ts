import { Injectable } from '@nestjs/common';
import { canOnScope, type ImportTarget, resolver } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { ProjectSnapshots } from '../../snapshot/project-snapshot.ts';
import type { ParameterRecord, ValueRecord } from '../../snapshot/snapshot.ts';
import { Evaluations } from '../../templating/evaluation.ts';
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
    private readonly evaluations: Evaluations,
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
    const resolved = resolver(snapshot);
    const values = resolved.inEnvironment(from);
    const requested = () => values.map((value) => [value, from] as const);
    const evaluated = await this.evaluations.ofSnapshot(
      snapshot,
      requested,
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
      resolved.visible.map(({ parameter }, index) => {
        const isOwn = parameter.projectId === project.id;
        const explicit = isOwn ? valuesByName.get(parameter.id) : undefined;
        const value = values[index] ?? null;
        // A value that the caller may not read is treated as missing, so that the import does not reveal whether a
        // guess is right.
        const owner = value && owners.get(value.parameterId);
        const effective = owner && canOnScope(caller, 'read', owner.projectId) ? value : null;
        const seen = effective && evaluated.evaluatedText({ sourceId: effective.id, environmentId: from });
        const before: Before = {
          parameter: isOwn ? 'own' : 'inherited',
          explicit: explicit && snapshot.textOf(explicit),
          effective: effective ? (seen ? seen.text : snapshot.textOf(effective)) : undefined,
          secret: parameter.secret,
          comparesSecret: explicit ? parameter.secret : (owner?.secret ?? false) || (seen?.secret ?? false),
          shown: parameter,
          value: explicit ?? effective,
        };
        return [parameter.name, before] as const;
      }),
    );
  }
}
