import { Injectable } from '@nestjs/common';
import {
  type AffectingChange,
  affectedScopes,
  type EffectiveCellChange,
  effectiveDifference,
  Failure,
  type ObjectType,
  type OrganizationId,
  type Revision,
  sentence,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { findAffectedAreas } from './affected-areas.ts';
import { EffectiveStates } from './effective-states.ts';

interface LedgerRow {
  readonly objectType: ObjectType;
  readonly objectId: string;
  readonly environmentId: string | null;
  readonly parameterId: string | null;
}

/** Compares the effective configuration before and after a changeset, including inherited values. */
@Injectable()
export class EffectiveChanges {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly states: EffectiveStates,
  ) {}

  /**
   * Returns the changes in the projects and environments that the caller may read. Throws 422 if there are too many.
   */
  async of(caller: Caller, revision: Revision): Promise<readonly EffectiveCellChange[]> {
    const { organizationId } = caller;
    const pointsInTime = [revision - 1, revision] as const;
    const scopes = affectedScopes(await this.changesAt(organizationId, revision));
    const affectedAreas = await findAffectedAreas(this.reader, organizationId, scopes, pointsInTime);
    if (affectedAreas === null) throw tooLargeError(revision);
    const before = await this.states.cells(
      await this.states.load(organizationId, pointsInTime[0], affectedAreas),
      caller,
    );
    const after = await this.states.cells(
      await this.states.load(organizationId, pointsInTime[1], affectedAreas),
      caller,
    );
    if (before === null || after === null) throw tooLargeError(revision);
    return effectiveDifference(before.cells, after.cells);
  }

  private async changesAt(organizationId: OrganizationId, revision: Revision): Promise<readonly AffectingChange[]> {
    const rows = await this.reader.query<LedgerRow>(
      `select object_type as "objectType", object_id as "objectId", environment_id as "environmentId", parameter_id as "parameterId"
         from change where organization_id = $1 and revision = $2 order by ordinal`,
      [organizationId, revision],
    );
    return rows.map(({ objectType, objectId, environmentId, parameterId }) => ({
      objectType,
      object: { id: objectId },
      environment: environmentId === null ? null : { id: environmentId },
      parameter: parameterId === null ? null : { id: parameterId },
    }));
  }
}

function tooLargeError(revision: Revision): Failure {
  return new Failure({
    kind: 'unprocessable',
    code: 'too_costly',
    message: sentence`There is too much to compare in one response. Read the effective configuration of single projects instead, at revision ${{ from_revision: revision - 1 }} and at revision ${{ to_revision: revision }}.`,
  });
}
