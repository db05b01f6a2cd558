import { Injectable } from '@nestjs/common';
import { EXPLANATION_LIMITS, type ExplainedAbsence } from '@strata/contract';
import {
  canOnScope,
  forbiddenScopes,
  type Instant,
  nearestNames,
  type ParameterId,
  type Permissions,
  type ProjectId,
  type Revision,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { matchesPattern } from '../../platform/patterns/patterns.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { rowsAt, wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ConfigurationHistory } from '../snapshot/configuration-history.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import { versionsSql } from '../snapshot/version-sql.ts';
import { listBoundaries, mergeRevisions, STEPS_MAX, sortLatestFirst } from '../snapshot/versions.ts';

/** A parameter that a project of the chain once had under this name. */
interface FormerParameter {
  readonly revision: Revision;
  readonly at: Instant | null;
  readonly actor: string | null;
  /** Its name after the change; null if the change deleted it. */
  readonly nameThen: string | null;
  /** Its current name; null if it does not exist. */
  readonly nameNow: string | null;
}

/** A change of `depends_on` that made a project stop inheriting a name. */
interface LostInheritance {
  readonly revision: Revision;
  /** The parameter that was inherited, and the project that owned it. */
  readonly parameter: ParameterId;
  readonly owner: ProjectId;
  /** The project whose `depends_on` changed. */
  readonly moved: ProjectId;
  /** The last revision at which the name could have been visible. */
  readonly until: Revision;
  /** Whether the parameter itself was deleted or renamed before its project left the chain. */
  readonly isFormer: boolean;
}

/** The row that describes a lost inheritance. */
interface LostInheritanceRow {
  readonly at: Instant;
  readonly actor: string;
  /** The name of the owning project at that time. */
  readonly owner: string;
  /** The later deletion or renaming of the parameter and of its project; null if there was none. */
  readonly parameterLater: LaterChange | null;
  readonly ownerLater: LaterChange | null;
}

/** The change that deleted or renamed an object. */
interface LaterChange {
  /** Its current name; null if it was deleted. */
  readonly nameNow: string | null;
  readonly at: Instant | null;
  readonly actor: string | null;
}

interface AbsenceSets {
  readonly patterns: readonly { readonly pattern: string; readonly project: string }[];
  readonly owners: readonly { readonly id: ProjectId; readonly name: string }[];
  readonly former: readonly FormerParameter[];
  readonly lostInheritances: readonly LostInheritanceRow[];
}

/**
 * The statements that find the reasons for an absence. $1 is the organization, $2 the revision, $3 the first revision,
 * $4 the name, $5 the projects of the chain, nearest first, $6 the forbidden scopes, $7 the revision at which the name
 * was removed, $8 the parameter that was inherited until then, and $9 its project.
 */
function queriesAt(at: Revision): { readonly [Name in keyof AbsenceSets]: string } {
  return {
    patterns: `select project.parameter_name_pattern as pattern, project.name as project
                 from ${rowsAt('project', at)} project where project.id = ($5::uuid[])[1]`,
    owners: `select project.id, project.name
               from ${rowsAt('parameter', at)} parameter join ${rowsAt('project', at)} project on project.id = parameter.project_id
              where parameter.name = $4 and project.id <> all($6::uuid[])
              order by project.name collate human, project.id limit ${EXPLANATION_LIMITS.otherProjects}`,
    former: `
      select parameter_history.revision_to as revision, ${wireTimeSql('changeset.at')} as at, changeset.actor_name as actor,
             (select parameter.name from ${versionsSql('parameter', 'id, name')} parameter
               where parameter.id = parameter_history.id and parameter.revision = parameter_history.revision_to) as "nameThen",
             (select parameter.name from ${rowsAt('parameter', at)} parameter where parameter.id = parameter_history.id) as "nameNow"
        from parameter_history
        left join changeset on changeset.organization_id = parameter_history.organization_id and changeset.revision = parameter_history.revision_to
       where parameter_history.organization_id = $1 and parameter_history.project_id = any($5::uuid[]) and parameter_history.project_id <> all($6::uuid[])
         and parameter_history.name = $4 and parameter_history.revision_to > $3 and parameter_history.revision_to <= $2
       order by parameter_history.revision_to desc limit 1`,
    lostInheritances: `
      select ${wireTimeSql('changeset.at')} as at, changeset.actor_name as actor, owner.name as owner,
             ${laterChange('parameter', at, '$8::uuid', '$4')} as "parameterLater",
             ${laterChange('project', at, '$9::uuid', 'owner.name')} as "ownerLater"
        from changeset,
             lateral (select project.name from ${versionsSql('project', 'id, name')} project
                       where project.id = $9::uuid and project.revision < $7::bigint order by project.revision desc limit 1) owner
       where changeset.organization_id = $1 and changeset.revision = $7::bigint`,
  };
}

/** Returns SQL that selects the change which ended a name of an object, and the current name of the object. */
function laterChange(table: 'parameter' | 'project', at: Revision, id: string, name: string): string {
  const nameNow = `(select named.name from ${rowsAt(table, at)} named where named.id = ${id})`;
  return `(
    select json_build_object('nameNow', ${nameNow}, 'at', ${wireTimeSql('changeset.at')}, 'actor', changeset.actor_name)
      from ${table}_history version
      left join changeset on changeset.organization_id = version.organization_id and changeset.revision = version.revision_to
     where version.organization_id = $1 and version.id = ${id} and version.name = ${name} and version.revision_to <= $2
       and ${nameNow} is distinct from ${name}
     order by version.revision_to desc limit 1)`;
}

/** Explains why a project does not show a name. */
@Injectable()
export class Absences {
  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Returns the reason for an absence, with two statements. Leaves out forbidden projects, as if they did not exist.
   */
  async of(snapshot: ProjectSnapshot, name: string, visibleNames: readonly string[]): Promise<ExplainedAbsence> {
    const { organizationId, at, revision, permissions, projectChain } = snapshot;
    const chain = projectChain.map(({ id }) => id);
    // The exact revision of the snapshot, because a write may have happened in between.
    const pointInTime = at === 'now' ? revision : at;
    const forbiddenScopeIds = forbiddenScopes(permissions);
    const lostInheritance = await this.findLostInheritance(snapshot, name, new Set(forbiddenScopeIds));
    const sets = await this.reader.sets<AbsenceSets>({ organizationId, at: pointInTime }, queriesAt(pointInTime), [
      0,
      name,
      chain,
      forbiddenScopeIds,
      lostInheritance?.revision ?? null,
      lostInheritance?.parameter ?? null,
      lostInheritance?.owner ?? null,
    ]);
    const [formerParameter] = sets.former;
    const [pattern] = sets.patterns;
    const [lostRow] = sets.lostInheritances;
    return {
      ...NOTHING_KNOWN,
      nearest_names: [...nearestNames(name, visibleNames, EXPLANATION_LIMITS.nearestNames)],
      other_projects: sets.owners.map((project) => ({ project_id: project.id, project_name: project.name })),
      ...(inheritanceLost(name, lostInheritance, lostRow, formerParameter, permissions) ??
        describeReason({ name, former: formerParameter, owners: sets.owners, pattern })),
    };
  }

  /** Returns null if the name was never inherited, or if the project that removed it owned it. */
  private async findLostInheritance(
    { organizationId, revision: to, projectChain }: ProjectSnapshot,
    name: string,
    forbiddenScopeIds: ReadonlySet<string>,
  ): Promise<LostInheritance | null> {
    const projectId = projectChain[0]?.id ?? '';
    const span = { organizationId, projectIds: [projectId], names: [name], from: 0, to, values: 'none' } as const;
    const history = await ConfigurationHistory.of(this.reader, span);
    const versionsOfName = history.named(name);
    if (versionsOfName.length === 0) return null;
    const seenAt = (revision: Revision) => {
      const chain = history.chainAt(revision, projectId);
      const open = chain.filter((id) => !forbiddenScopeIds.has(id));
      return { chain, open, parameter: open.flatMap((id) => history.parameterAt(revision, id, name) ?? [])[0] };
    };
    const yielder = new EventLoopYielder();
    let steps = 0;
    // Finds the projects that have left the chain.
    let formerInheritance: LostInheritance | null = null;
    const formerSince = (revision: Revision) =>
      formerInheritance !== null && formerInheritance.until >= revision ? formerInheritance : null;
    for (const revision of mergeRevisions(
      sortLatestFirst(history.projectMoves()),
      sortLatestFirst(listBoundaries(versionsOfName)),
    )) {
      if (revision > to) continue;
      if (++steps > STEPS_MAX) return null;
      if (yielder.isDue) await yielder.yield();
      const [before, after] = [seenAt(revision - 1), seenAt(revision)];
      if (after.parameter !== undefined) continue;
      // Both chains start with the requested project. The project before the first difference is the one whose
      // `depends_on` changed.
      const firstDifference = before.chain.findIndex((id, index) => after.chain[index] !== id);
      const movedProjectId = before.chain[firstDifference - 1] ?? projectId;
      if (before.parameter !== undefined) {
        const { id: parameter, projectId: owner } = before.parameter;
        if (after.chain.includes(owner)) return formerSince(revision);
        const lostParameter = { revision, parameter, owner, moved: movedProjectId, until: revision, isFormer: false };
        return formerSince(revision) ?? lostParameter;
      }
      const isGone = (id: ProjectId) => !after.chain.includes(id) && !history.parameterAt(to, id, name);
      const left = new Set(before.open.filter(isGone));
      for (const { id: parameter, projectId: owner, revisionTo } of versionsOfName) {
        if (!left.has(owner) || revisionTo === null || revisionTo > to) continue;
        const until = Math.min(revision, revisionTo);
        formerInheritance = formerSince(until) ?? {
          revision,
          parameter,
          owner,
          moved: movedProjectId,
          until,
          isFormer: true,
        };
      }
    }
    return formerInheritance;
  }
}

/** Returns the explanation of a visible name that has no value. */
export function explainUnset(name: string, environment: string): ExplainedAbsence {
  const detail = `Nothing is set for ${name} in ${environment} or above it.`;
  return { ...NOTHING_KNOWN, code: 'unset', detail, nearest_names: [], other_projects: [] };
}

const NOTHING_KNOWN = { revision: null, at: null, actor_name: null, renamed_to: null } as const;

interface AbsenceFacts {
  readonly name: string;
  readonly former: FormerParameter | undefined;
  readonly owners: AbsenceSets['owners'];
  readonly pattern: AbsenceSets['patterns'][number] | undefined;
}

/** Returns null if no change of `depends_on` removed the name, or if the name was changed again after that. */
function inheritanceLost(
  name: string,
  lostInheritance: LostInheritance | null,
  row: LostInheritanceRow | undefined,
  formerParameter: FormerParameter | undefined,
  permissions: Permissions,
) {
  if (lostInheritance === null || row === undefined || lostInheritance.until <= (formerParameter?.revision ?? 0))
    return null;
  const actor = canOnScope(permissions, 'read', lostInheritance.moved) ? row.actor : null;
  const change = `went out of sight when \`depends_on\` was changed${by(actor)}.`;
  const sentences = lostInheritance.isFormer
    ? [`${name} was once a parameter of ${row.owner}.`, ...describeEnd(name, row), `${row.owner} ${change}`]
    : [`${name} was then a parameter of ${row.owner}.`, `It ${change}`, ...laterIn(name, row)];
  const detail = sentences.join(' ');
  return {
    revision: lostInheritance.revision,
    at: row.at,
    actor_name: actor,
    code: 'no_longer_inherited' as const,
    detail,
  };
}

/**
 * Describes the later changes of a parameter and its project. It names their authors, because the caller may read both.
 */
function laterIn(name: string, { owner, ownerLater, parameterLater }: LostInheritanceRow): readonly string[] {
  // Deleting a project deletes its parameters, so the deletion of the parameter needs no sentence.
  const isProjectGone = ownerLater !== null && ownerLater.nameNow === null;
  return [
    ...(ownerLater ? [laterSentence(owner, ownerLater)] : []),
    ...(parameterLater && !isProjectGone ? [laterSentence(name, parameterLater)] : []),
  ];
}

function laterSentence(name: string, change: LaterChange): string {
  return `Later ${name} ${describeLaterChange(change)}`;
}

/** Describes how the parameter was deleted or renamed, if it was. */
function describeEnd(name: string, { parameterLater }: LostInheritanceRow): readonly string[] {
  return parameterLater ? [`${name} ${describeLaterChange(parameterLater)}`] : [];
}

function describeLaterChange({ nameNow, actor, at }: LaterChange): string {
  const when = at === null ? '' : ` at ${at}`;
  return nameNow === null
    ? `was deleted${by(actor)}${when}.`
    : `was renamed${by(actor)}${when}: it is called ${nameNow} now.`;
}

function by(actor: string | null): string {
  return actor === null ? '' : ` by ${actor}`;
}

function describeReason({ name, former, owners, pattern }: AbsenceFacts) {
  if (former) {
    const { revision, at, actor, nameThen, nameNow } = former;
    const occasion = { revision, at, actor_name: actor };
    if (nameThen === null) return { ...occasion, code: 'deleted' as const, detail: `${name} was deleted${by(actor)}.` };
    const now = nameNow === null ? `${nameThen}, which is gone` : nameNow;
    const detail = `${name} was renamed${by(actor)}: to ${now}.`;
    return { ...occasion, code: 'renamed' as const, detail, renamed_to: nameNow ?? nameThen };
  }
  if (owners.length > 0) {
    const names = owners.map((owner) => owner.name);
    const detail = `Only projects that this one does not depend on have ${name}: ${names.join(', ')}.`;
    return { code: 'other_project' as const, detail };
  }
  if (pattern && !matchesPattern(pattern.pattern, name)) {
    const detail = `There is no ${name}, and it cannot be created: names of parameters in ${pattern.project} must begin with ${pattern.pattern}.`;
    return { code: 'name_pattern' as const, detail };
  }
  return { code: 'never_made' as const, detail: `No project that you can access has a parameter called ${name}.` };
}
