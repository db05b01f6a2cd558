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
  readonly source: ExternalSource | null;
  readonly ledger_id: string;
}

const STATE = `
select environment.id as "environmentId", project.id as "projectId", parameter.id as "parameterId",
       value.id is not null as "hasValue", value.source, value.ledger_id
  from unnest($2::text[], $3::text[], $4::text[]) with ordinality as names(environment, project, parameter, n)
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
  ]);
  return rows.map((row, index) => {
    const { environmentId, projectId, parameterId } = row;
    const value = row.hasValue ? describeSource(task, row, keys[index]?.fqn ?? '') : null;
    const ids = { environmentId, projectId, parameterId };
    return { ...ids, hasEnvironment: environmentId !== null, hasProject: projectId !== null, value };
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
