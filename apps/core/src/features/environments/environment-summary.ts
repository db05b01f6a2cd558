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
  select e.id as environment_id, e.name as environment_name,
         coalesce(v.value_count, 0)::int as value_count, coalesce(v.project_count, 0)::int as project_count,
         coalesce(i.instance_count, 0)::int as instance_count, coalesce(t.tag_count, 0)::int as tag_count, t.latest_tag
    from environment e
    left join (
      select v.environment_id, count(*) as value_count, count(distinct p.project_id) as project_count
        from value v
        join parameter p on p.organization_id = v.organization_id and p.id = v.parameter_id
       where v.organization_id = $1 and p.project_id <> all($3::uuid[]) group by 1
    ) v on v.environment_id = e.id
    left join (
      select i.environment_id, count(*) as instance_count from instance i
       where i.organization_id = $1 and i.project_id <> all($3::uuid[]) and ${isAlive('i')} group by 1
    ) i on i.environment_id = e.id
    left join (
      select environment_id, count(*) as tag_count, (array_agg(name order by "timestamp" desc, name))[1] as latest_tag
        from tag where organization_id = $1 group by 1
    ) t on t.environment_id = e.id
   where e.organization_id = $1 and e.id <> all($3::uuid[])
   order by e.name collate human, e.name limit ${SUMMARIZED_ENVIRONMENTS_MAX}`;

interface Summaries extends EnvironmentSummary {
  readonly revision: Revision;
}

@Injectable()
export class EnvironmentSummaries {
  constructor(private readonly committed: SnapshotReader) {}

  of(caller: Caller): Promise<Summaries> {
    const reading = { organizationId: caller.organizationId, at: 'now' } as const;
    return this.committed.sets<EnvironmentSummary>(reading, { environments: SUMMARY }, [forbiddenScopes(caller)]);
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
