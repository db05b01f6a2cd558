import {
  type EnvironmentId,
  type ExternalSource,
  externalSource,
  isWithin,
  type ParameterId,
  type ProjectId,
  type PullTarget,
  pathBelow,
} from '@strata/domain';
import { findProvider } from '@strata/providers';
import { IS_INTERNAL } from '../../../platform/postgres/versioned-table.ts';
import type { RunStatement } from '../../syncs/find-integration.ts';
import type { MatchingKey } from '../pattern-keys.ts';
import type { ClaimedTask } from './run-store.ts';

/** The existing objects for the names of a key. */
export interface PatternState extends PullTarget {
  readonly environmentId: EnvironmentId | null;
  readonly projectId: ProjectId | null;
  readonly parameterId: ParameterId | null;
}

interface StateRow {
  readonly environmentId: EnvironmentId | null;
  readonly projectId: ProjectId | null;
  readonly parameterId: ParameterId | null;
  readonly hasValue: boolean;
  readonly inheritsValue: boolean;
  readonly source: ExternalSource | null;
  readonly ledger_id: string;
}

/**
 * Checks whether any value could be inherited, because that is enough to leave a key out. Only the resolver decides
 * which of them wins. A new environment is created below the root. A value from a key of the same integration is not protected.
 */
const STATE = `
with recursive names as (
  select * from unnest($2::text[], $3::text[], $4::text[]) with ordinality as names(environment, project, parameter, n)),
lineage (start, id) as (
  select id, id from environment where organization_id = $1 and name in (select environment from names)
  union all select null, id from environment where organization_id = $1 and parent_id is null
  union all select lineage.start, environment.parent_id from lineage
    join environment on environment.organization_id = $1 and environment.id = lineage.id where environment.parent_id is not null),
chain (start, id) as (
  select id, id from project where organization_id = $1 and name in (select project from names)
  union all select chain.start, project.depends_on_id from chain
    join project on project.organization_id = $1 and project.id = chain.id where project.depends_on_id is not null)
select environment.id as "environmentId", project.id as "projectId", parameter.id as "parameterId",
       value.id is not null as "hasValue", value.source, value.ledger_id,
       exists (
         select from chain
           join parameter on parameter.organization_id = $1 and parameter.project_id = chain.id and parameter.name = names.parameter
           join value on value.organization_id = $1 and value.parameter_id = parameter.id
           join lineage on lineage.id = value.environment_id and lineage.start is not distinct from environment.id
          where chain.start = project.id
            and not (value.source is not null and not ${IS_INTERNAL}
                     and starts_with(lower(value.source ->> 'fqn'), lower($5) || '/'))) as "inheritsValue"
  from names
  left join environment on environment.organization_id = $1 and environment.name = names.environment
  left join project on project.organization_id = $1 and project.name = names.project
  left join parameter on parameter.organization_id = $1 and parameter.project_id = project.id and parameter.name = names.parameter
  left join value on value.organization_id = $1 and value.parameter_id = parameter.id and value.environment_id = environment.id
 order by names.n`;

/** Reads what exists for the names of some keys, in their order. The number of statements does not depend on their number. */
export async function readPatternState(
  run: RunStatement,
  task: Pick<ClaimedTask, 'organizationId' | 'provider' | 'fqn'>,
  keys: readonly MatchingKey[],
): Promise<readonly PatternState[]> {
  const names = keys.map((match) => match.names);
  const rows = await run<StateRow>(STATE, [
    task.organizationId,
    names.map(({ environment }) => environment),
    names.map(({ project }) => project),
    names.map(({ parameter }) => parameter),
    task.fqn,
  ]);
  return rows.map((row, index) => {
    const { environmentId, projectId, parameterId, inheritsValue } = row;
    const value = row.hasValue ? describeSource(task, row, keys[index]?.fqn ?? '') : null;
    const ids = { environmentId, projectId, parameterId };
    return { ...ids, hasEnvironment: environmentId !== null, hasProject: projectId !== null, value, inheritsValue };
  });
}

/** A location can be written in several ways, so the keys are compared. */
function describeSource(
  { provider, fqn: root }: Pick<ClaimedTask, 'organizationId' | 'provider' | 'fqn'>,
  row: StateRow,
  fqn: string,
): PullTarget['value'] {
  const source = externalSource(row);
  if (source === null) return 'internal';
  const locate = (location: string) => JSON.stringify(findProvider(provider)?.locate(pathBelow(location, root)));
  const isSameKey = source.filter === '' && isWithin(source.fqn, root) && locate(source.fqn) === locate(fqn);
  return isSameKey ? 'this_key' : 'another_key';
}
