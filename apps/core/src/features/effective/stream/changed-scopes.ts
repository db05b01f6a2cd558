import { Injectable } from '@nestjs/common';
import { MISSED_REVISIONS_MAX } from '@strata/contract';
import {
  type EnvironmentId,
  type OrganizationId,
  type ProjectId,
  type Revision,
  TYPES_BESIDE_EVALUATED_VALUES,
} from '@strata/domain';
import type { CurrentHead, Head } from '../../../platform/ledger/heads.ts';
import { lastPeopleChange } from '../../../platform/ledger/ledger-statements.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';

/**
 * The project and the environment of a change. Without an environment, the change may affect all of them; without a
 * project, all projects too.
 */
type ChangedScope = readonly [projectId: ProjectId | null, environmentId: EnvironmentId | null];

/** The scopes in which one revision changed something that effective values depend on. */
export interface ChangedScopes {
  readonly revision: Revision;
  readonly scopes: readonly ChangedScope[];
}

/** The scopes whose changes can affect one configuration. */
export interface DependencyScopes {
  readonly projects: ReadonlySet<ProjectId>;
  /** The environment and those above it. */
  readonly environments: ReadonlySet<EnvironmentId>;
}

export interface ChangesSinceHead {
  readonly head: CurrentHead;
  /** Oldest first. Null if the history was replaced, or if there are too many revisions to follow. */
  readonly changed: readonly ChangedScopes[] | null;
}

/** $1 is the organization, $2 the last known epoch, $3 the last known revision. */
const READ = `
select h.epoch, h.revision, ${lastPeopleChange('h.organization_id')} as people,
       case when h.epoch = $2 and h.revision between $3::bigint and $3::bigint + ${MISSED_REVISIONS_MAX} then (
         select coalesce(json_agg(r order by r.revision), '[]') from (
           select c.revision,
                  json_agg(distinct jsonb_build_array(
                    c.project_id, case when c.object_type = 'Value' then c.environment_id end)) as scopes
             from change c
            where c.organization_id = $1 and c.revision > $3::bigint
              and c.object_type <> all('{${TYPES_BESIDE_EVALUATED_VALUES.join()}}'::text[])
            group by c.revision) r) end as changed
  from organization_head h where h.organization_id = $1`;

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

/** Returns whether changes may affect a configuration. Null means that its dependencies are unknown. */
export function mayAffect({ scopes }: ChangedScopes, dependencies: DependencyScopes | null): boolean {
  if (dependencies === null) return true;
  const { projects, environments } = dependencies;
  return scopes.some(
    ([projectId, environmentId]) =>
      (projectId === null || projects.has(projectId)) && (environmentId === null || environments.has(environmentId)),
  );
}
