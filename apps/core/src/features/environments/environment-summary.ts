import { Injectable } from '@nestjs/common';
import { type EnvironmentSummary, SUMMARIZE_ENVIRONMENTS, SUMMARIZED_ENVIRONMENTS_MAX } from '@strata/contract';
import { forbiddenScopes, type Revision } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { actionController } from '../../platform/http/action-controller.ts';
import { LIST_ITEM_DEPTH, sendLongJson } from '../../platform/http/send-json.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { isAlive } from '../instances/instance-statements.ts';

/**
 * $1 is the organization, and $3 the forbidden scopes. Only values whose project and environment are both readable are
 * counted.
 */
const SUMMARY = `
  select environment.id as environment_id, environment.name as environment_name,
         coalesce(counted_values.value_count, 0)::int as value_count, coalesce(counted_values.project_count, 0)::int as project_count,
         coalesce(instances.instance_count, 0)::int as instance_count, coalesce(tag.tag_count, 0)::int as tag_count, tag.latest_tag
    from environment
    left join (
      select value.environment_id, count(*) as value_count, count(distinct parameter.project_id) as project_count
        from value
        join parameter on parameter.organization_id = value.organization_id and parameter.id = value.parameter_id
       where value.organization_id = $1 and parameter.project_id <> all($3::uuid[]) group by 1
    ) counted_values on counted_values.environment_id = environment.id
    left join (
      select instance.environment_id, count(*) as instance_count from instance
       where instance.organization_id = $1 and instance.project_id <> all($3::uuid[]) and ${isAlive('instance')} group by 1
    ) instances on instances.environment_id = environment.id
    left join (
      select environment_id, count(*) as tag_count, (array_agg(name order by "timestamp" desc, name))[1] as latest_tag
        from tag where organization_id = $1 group by 1
    ) tag on tag.environment_id = environment.id
   where environment.organization_id = $1 and environment.id <> all($3::uuid[])
   order by environment.name collate human, environment.name limit ${SUMMARIZED_ENVIRONMENTS_MAX}`;

interface Summaries extends EnvironmentSummary {
  readonly revision: Revision;
}

@Injectable()
export class EnvironmentSummaries {
  constructor(private readonly snapshotReader: SnapshotReader) {}

  of(caller: Caller): Promise<Summaries> {
    const readOptions = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.snapshotReader.sets<EnvironmentSummary>(readOptions, { environments: SUMMARY }, [
      forbiddenScopes(caller),
    ]);
  }
}

export const EnvironmentSummaryController = actionController(
  'environment summary controller',
  { summarize: SUMMARIZE_ENVIRONMENTS },
  { summaries: EnvironmentSummaries },
  ({ summaries }) => ({
    summarize: async ({ call, caller }) => {
      const { revision, environments } = await summaries.of(caller);
      return sendLongJson(call, revision, { environments }, LIST_ITEM_DEPTH);
    },
  }),
);
