import { Injectable } from '@nestjs/common';
import { EXPLANATION_LIMITS, type ExplainedAbsence } from '@strata/contract';
import { canOnScope, closedScopes, type Instant, nearestNames, type ProjectId, type Revision } from '@strata/domain';
import { matchesPattern } from '../../platform/patterns/patterns.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { rowsAt, wireTime } from '../../platform/postgres/versioned-table.ts';
import { boundariesOf, ConfigurationHistory, versionsOf } from '../snapshot/configuration-history.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';

/** A parameter of the name that a project of the chain had once. */
interface Former {
  readonly revision: Revision;
  readonly at: Instant | null;
  readonly actor: string | null;
  /** What it was called from then on; null when it was gone. */
  readonly nameThen: string | null;
  /** What it is called now; null when it is gone. */
  readonly nameNow: string | null;
}

/** The revision at which a change of `depends_on` took a name out of sight. */
interface Departure {
  readonly revision: Revision;
  /** The project that has, or had, the name. */
  readonly owner: ProjectId;
  /** The project whose `depends_on` was changed; null when it was another change. */
  readonly moved: ProjectId | null;
}

interface AbsenceSets {
  readonly patterns: readonly { readonly pattern: string; readonly project: string }[];
  readonly owners: readonly { readonly id: ProjectId; readonly name: string }[];
  readonly former: readonly Former[];
  readonly departures: readonly { readonly at: Instant; readonly actor: string; readonly owner: string }[];
}

/**
 * $1 organization, $2 revision, $3 the first revision, $4 the name, $5 the projects of the chain, nearest first, $6 closed scopes,
 * $7 the revision of a departure, $8 the project that the name is of.
 */
function queriesAt(at: Revision): { readonly [Name in keyof AbsenceSets]: string } {
  return {
    patterns: `select p.parameter_name_pattern as pattern, p.name as project
                 from ${rowsAt('project', at)} p where p.id = ($5::uuid[])[1]`,
    owners: `select p.id, p.name
               from ${rowsAt('parameter', at)} x join ${rowsAt('project', at)} p on p.id = x.project_id
              where x.name = $4 and p.id <> all($6::uuid[])
              order by p.name collate human, p.id limit ${EXPLANATION_LIMITS.otherProjects}`,
    former: `
      select h.revision_to as revision, ${wireTime('s.at')} as at, s.actor_name as actor,
             (select x.name from ${versionsOf('parameter', 'id, name')} x
               where x.id = h.id and x.revision = h.revision_to) as "nameThen",
             (select x.name from ${rowsAt('parameter', at)} x where x.id = h.id) as "nameNow"
        from parameter_history h
        left join changeset s on s.organization_id = h.organization_id and s.revision = h.revision_to
       where h.organization_id = $1 and h.project_id = any($5::uuid[]) and h.project_id <> all($6::uuid[])
         and h.name = $4 and h.revision_to > $3 and h.revision_to <= $2
       order by h.revision_to desc limit 1`,
    departures: `
      select ${wireTime('s.at')} as at, s.actor_name as actor,
             (select p.name from ${versionsOf('project', 'id, name')} p
               where p.id = $8::uuid and p.revision <= $7::bigint order by p.revision desc limit 1) as owner
        from changeset s where s.organization_id = $1 and s.revision = $7::bigint`,
  };
}

/** Why a name that a project does not show is not there. */
@Injectable()
export class Absences {
  constructor(private readonly reader: SnapshotReader) {}

  /** Two statements. What lies in closed projects is not told of: to who asks it is as if it were not there. */
  async of(snapshot: ProjectSnapshot, name: string, visibleNames: readonly string[]): Promise<ExplainedAbsence> {
    const { organizationId, at, revision, permissions, projectChain } = snapshot;
    const chain = projectChain.map(({ id }) => id);
    // a write may come in between, so the question is asked of the very revision
    const moment = at === 'now' ? revision : at;
    const closed = closedScopes(permissions);
    const departure = await this.departureOf(snapshot, name, new Set(closed));
    const sets = await this.reader.sets<AbsenceSets>({ organizationId, at: moment }, queriesAt(moment), [
      0,
      name,
      chain,
      closed,
      departure?.revision ?? null,
      departure?.owner ?? null,
    ]);
    const [former] = sets.former;
    const [pattern] = sets.patterns;
    const [left] = sets.departures;
    const departed = departure &&
      left && {
        ...departure,
        ...left,
        actor: departure.moved !== null && canOnScope(permissions, 'read', departure.moved) ? left.actor : null,
      };
    return {
      ...NOTHING_KNOWN,
      nearest_names: [...nearestNames(name, visibleNames, EXPLANATION_LIMITS.nearestNames)],
      other_projects: sets.owners.map((project) => ({ project_id: project.id, project_name: project.name })),
      ...reasonOf({ name, former, departed, owners: sets.owners, pattern }),
    };
  }

  /** Null when the name was never in sight, or went out of it by itself. */
  private async departureOf(
    { organizationId, revision: to, projectChain }: ProjectSnapshot,
    name: string,
    closed: ReadonlySet<string>,
  ): Promise<Departure | null> {
    const projectId = projectChain[0]?.id ?? '';
    const span = { organizationId, projectIds: [projectId], names: [name], from: 0, to };
    const history = await ConfigurationHistory.of(this.reader, span);
    const ownerAt = (revision: Revision) => {
      const owners = new Set(history.parametersAt(revision, name).map((parameter) => parameter.projectId));
      return history.chainAt(revision, projectId).find((id) => owners.has(id) && !closed.has(id));
    };
    const { projects } = history.versions;
    const boundaries = boundariesOf([...projects, ...history.named(name)]);
    for (const revision of [...boundaries].filter((each) => each <= to).sort((left, right) => right - left)) {
      const owner = ownerAt(revision - 1);
      if (owner === undefined || ownerAt(revision) !== undefined) continue;
      if (history.chainAt(revision, projectId).includes(owner)) return null;
      const before = history.chainAt(revision - 1, projectId);
      const moved = before.find((id) => history.chainAt(revision, id)[1] !== history.chainAt(revision - 1, id)[1]);
      return { revision, owner, moved: moved ?? null };
    }
    return null;
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
  readonly departed:
    | (Departure & { readonly at: Instant; readonly actor: string | null; readonly owner: string })
    | null
    | undefined;
  readonly owners: AbsenceSets['owners'];
  readonly pattern: AbsenceSets['patterns'][number] | undefined;
}

function reasonOf({ name, former, departed, owners, pattern }: Findings) {
  if (departed && departed.revision > (former?.revision ?? 0)) {
    const { revision, at, actor, owner } = departed;
    const by = actor === null ? '' : ` by ${actor}`;
    const detail = `${name} is a parameter of ${owner}. It went out of sight when \`depends_on\` was changed${by}.`;
    return { revision, at, actor_name: actor, code: 'no_longer_inherited' as const, detail };
  }
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
    const names = owners.map((owner) => owner.name);
    const detail = `Only projects that this one does not depend on have ${name}: ${names.join(', ')}.`;
    return { code: 'other_project' as const, detail };
  }
  if (pattern && !matchesPattern(pattern.pattern, name)) {
    const detail = `There is no ${name}, and it could not be made: names of parameters in ${pattern.project} must begin with ${pattern.pattern}.`;
    return { code: 'name_pattern' as const, detail };
  }
  return { code: 'never_made' as const, detail: `No project that you may see has a parameter called ${name}.` };
}
