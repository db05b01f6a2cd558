import { Injectable } from '@nestjs/common';
import { assertAbilityOnScope, type EnvironmentId, Failure, type ProjectId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** The project and the environment whose configuration instances run. */
export interface RolloutScope {
  readonly project_id: ProjectId;
  readonly project_name: string;
  readonly environment_id: EnvironmentId;
  readonly environment_name: string;
}

type FoundScope = { readonly [Name in keyof RolloutScope]: RolloutScope[Name] | null };

const named = (table: string, parameter: string) => `
  (select id, name from ${table}
    where organization_id = $1 and (id::text = lower(${parameter}) or name = ${parameter})
    order by (id::text = lower(${parameter})) desc limit 1)`;

const FIND = `
select project.id as project_id, project.name as project_name, environment.id as environment_id, environment.name as environment_name
  from (select) one left join lateral ${named('project', '$2')} project on true left join lateral ${named('environment', '$3')} environment on true`;

/** Finds the project and the environment that a report or a rollout names. */
@Injectable()
export class RolloutScopes {
  constructor(private readonly reader: SnapshotReader) {}

  /** Throws 404 if one does not exist, and 403 if the caller may not read it. */
  async of(
    caller: Caller,
    { project, environment }: { readonly project: string; readonly environment: string },
  ): Promise<RolloutScope> {
    const [scope] = await this.reader.query<FoundScope>(FIND, [caller.organizationId, project, environment]);
    if (!scope?.project_id) throw Failure.notFound('Project');
    assertAbilityOnScope(caller, 'read', scope.project_id, '/project');
    if (!scope.environment_id) throw Failure.notFound('Environment');
    assertAbilityOnScope(caller, 'read', scope.environment_id, '/environment');
    return scope as RolloutScope;
  }
}
