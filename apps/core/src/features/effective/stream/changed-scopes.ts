import { Injectable } from '@nestjs/common';
import { MISSED_REVISIONS_MAX } from '@strata/contract';
import { type ChangedScopes, type OrganizationId, TYPES_BESIDE_EVALUATION } from '@strata/domain';
import type { CurrentHead, Head } from '../../../platform/ledger/heads.ts';
import { lastPeopleChange } from '../../../platform/ledger/ledger-statements.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';

export interface ChangesSinceHead {
  readonly head: CurrentHead;
  /** Oldest first. Null if the history was replaced, or if there are too many revisions to follow. */
  readonly changed: readonly ChangedScopes[] | null;
}

/** $1 is the organization, $2 the last known epoch, $3 the last known revision. */
const READ = `
select head.epoch, head.revision, ${lastPeopleChange('head.organization_id')} as people,
       case when head.epoch = $2 and head.revision between $3::bigint and $3::bigint + ${MISSED_REVISIONS_MAX} then (
         select coalesce(json_agg(change order by change.revision), '[]') from (
           select change.revision,
                  json_agg(distinct jsonb_build_array(
                    change.project_id, case when change.object_type = 'Value' then change.environment_id end)) as scopes
             from change
            where change.organization_id = $1 and change.revision > $3::bigint
              and change.object_type <> all('{${TYPES_BESIDE_EVALUATION.join()}}'::text[])
            group by change.revision) change) end as changed
  from organization_head head where head.organization_id = $1`;

/** Reads from the ledger where the configuration has changed. */
@Injectable()
export class ConfigurationLedger {
  private readonly reader: SnapshotReader;

  constructor(reader: SnapshotReader) {
    this.reader = reader.unlimited;
  }

  async since(organizationId: OrganizationId, { epoch, revision }: Head): Promise<ChangesSinceHead> {
    const [row] = await this.reader.query<CurrentHead & Pick<ChangesSinceHead, 'changed'>>(READ, [
      organizationId,
      epoch,
      revision,
    ]);
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    const { changed, ...head } = row;
    return { head, changed };
  }
}
