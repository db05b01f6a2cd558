import { Injectable } from '@nestjs/common';
import { EXPLANATION_LIMITS, type ExplainedAbsence } from '@strata/contract';
import { canOnScope, type Instant, nearestNames, type ProjectId, type Revision } from '@strata/domain';
import { matchesPattern } from '../../platform/patterns/patterns.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { rowsAt, wireTime } from '../../platform/postgres/versioned-table.ts';
import { versionsOf } from '../snapshot/configuration-history.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';

/** A parameter of the name that a project of the chain had once. */
interface Former {
  readonly projectId: ProjectId;
  readonly revision: Revision;
  readonly at: Instant | null;
  readonly actor: string | null;
  /** What it was called from then on; null when it was gone. */
  readonly nameThen: string | null;
  /** What it is called now; null when it is gone. */
  readonly nameNow: string | null;
}

interface AbsenceSets {
  readonly patterns: readonly { readonly pattern: string; readonly project: string }[];
  readonly owners: readonly { readonly id: ProjectId; readonly name: string }[];
  readonly former: readonly Former[];
}

/** How many are looked at; those that are closed to who asks are left out of them. */
const ROWS_MAX = 500;

/** $1 organization, $2 revision, $3 the first revision, $4 the name, $5 the projects of the chain, nearest first. */
function queriesAt(at: Revision): { readonly [Name in keyof AbsenceSets]: string } {
  return {
    patterns: `select p.parameter_name_pattern as pattern, p.name as project
                 from ${rowsAt('project', at)} p where p.id = ($5::uuid[])[1]`,
    owners: `select p.id, p.name
               from ${rowsAt('parameter', at)} x join ${rowsAt('project', at)} p on p.id = x.project_id
              where x.name = $4 order by p.name collate human, p.id limit ${ROWS_MAX}`,
    former: `
      select h.project_id as "projectId", h.revision_to as revision, ${wireTime('s.at')} as at, s.actor_name as actor,
             (select x.name from ${versionsOf('parameter', 'id, name')} x
               where x.id = h.id and x.revision = h.revision_to) as "nameThen",
             (select x.name from ${rowsAt('parameter', at)} x where x.id = h.id) as "nameNow"
        from parameter_history h
        left join changeset s on s.organization_id = h.organization_id and s.revision = h.revision_to
       where h.organization_id = $1 and h.project_id = any($5::uuid[]) and h.name = $4
         and h.revision_to > $3 and h.revision_to <= $2
       order by h.revision_to desc limit ${ROWS_MAX}`,
  };
}

/** Why a name that a project does not show is not there. */
@Injectable()
export class Absences {
  constructor(private readonly reader: SnapshotReader) {}

  /** One statement. What lies in closed projects is not told of: to who asks it is as if it were not there. */
  async of(snapshot: ProjectSnapshot, name: string, visibleNames: readonly string[]): Promise<ExplainedAbsence> {
    const { organizationId, at, revision, permissions, projectChain } = snapshot;
    const chain = projectChain.map(({ id }) => id);
    // a write may come in between, so the question is asked of the very revision
    const moment = at === 'now' ? revision : at;
    const sets = await this.reader.sets<AbsenceSets>({ organizationId, at: moment }, queriesAt(moment), [
      0,
      name,
      chain,
    ]);
    const isOpen = (projectId: ProjectId) => canOnScope(permissions, 'read', projectId);
    const owners = sets.owners.filter(({ id }) => isOpen(id));
    const former = sets.former.find(({ projectId }) => isOpen(projectId));
    const [pattern] = sets.patterns;
    return {
      ...NOTHING_KNOWN,
      nearest_names: [...nearestNames(name, visibleNames, EXPLANATION_LIMITS.nearestNames)],
      other_projects: owners
        .slice(0, EXPLANATION_LIMITS.otherProjects)
        .map((project) => ({ project_id: project.id, project_name: project.name })),
      ...reasonOf({ name, former, owners, pattern }),
    };
  }
}

/** A visible name that nothing is set for. */
export function unsetAbsence(name: string, environment: string): ExplainedAbsence {
  const detail = `Nothing is set for ${name} in ${environment} or above it.`;
  return { ...NOTHING_KNOWN, code: 'unset', detail, nearest_names: [], other_projects: [] };
}

const NOTHING_KNOWN = { revision: null, at: null, actor_name: null, renamed_to: null } as const;

interface Findings {
  readonly name: string;
  readonly former: Former | undefined;
  readonly owners: AbsenceSets['owners'];
  readonly pattern: AbsenceSets['patterns'][number] | undefined;
}

function reasonOf({ name, former, owners, pattern }: Findings) {
  if (former) {
    const { revision, at, actor, nameThen, nameNow } = former;
    const occasion = { revision, at, actor_name: actor };
    const by = actor === null ? '' : ` by ${actor}`;
    if (nameThen === null) return { ...occasion, code: 'deleted' as const, detail: `${name} was deleted${by}.` };
    const now = nameNow === null ? `${nameThen}, which is gone` : nameNow;
    const detail = `${name} was renamed${by}: to ${now}.`;
    return { ...occasion, code: 'renamed' as const, detail, renamed_to: nameNow ?? nameThen };
  }
  if (owners.length > 0) {
    const names = owners.slice(0, EXPLANATION_LIMITS.otherProjects).map((owner) => owner.name);
    const detail = `Only projects that this one does not depend on have ${name}: ${names.join(', ')}.`;
    return { code: 'other_project' as const, detail };
  }
  if (pattern && !matchesPattern(pattern.pattern, name)) {
    const detail = `There is no ${name}, and it could not be made: names of parameters in ${pattern.project} must begin with ${pattern.pattern}.`;
    return { code: 'name_pattern' as const, detail };
  }
  return { code: 'never_made' as const, detail: `No project that you may see has a parameter called ${name}.` };
}
