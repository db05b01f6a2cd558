import { Injectable } from '@nestjs/common';
import type {
  ParameterTimeline,
  ParameterTimelineEntry,
  ParameterTimelineQuery,
  TimelineEnvironment,
  TimelineVersions,
} from '@strata/contract';
import {
  assertAbilityOnScope,
  canOnScope,
  compareNames,
  listEnvironmentsReached,
  type ParameterId,
  type ProjectId,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { notFoundAtError, PointsInTime } from '../../platform/http/points-in-time.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { ConfigurationHistory } from '../snapshot/configuration-history.ts';
import { formerDependenciesSql, projectChain } from '../snapshot/sql-parts.ts';
import { createTimeline, describeActor, type EntryRow, entryQueries, historyType } from './timeline-entries.ts';
import { indexVersions, NO_VERSIONS, type VersionRow, versionsQuery } from './timeline-versions.ts';

/** A project, and either one of its visible parameters or all parameters that it owns. */
export interface TimelineSubject {
  readonly projectId: ProjectId;
  readonly parameterId: ParameterId | null;
}

interface Sets {
  readonly projects: readonly object[];
  readonly parameters: readonly object[];
  readonly outsideChain: readonly { readonly id: ProjectId }[];
  readonly entries: readonly EntryRow[];
  readonly older: readonly { readonly at: string }[];
  readonly versions: readonly VersionRow[];
}

/** $3 is the project, $4 the parameter, and $5 the page size. */
function queries(
  at: PointInTime,
  { parameterId }: TimelineSubject,
  withVersions: boolean,
): { readonly [Name in keyof Sets]: string } {
  const isOurs = parameterId === null ? 'change.project_id = $3::uuid' : 'change.parameter_id = $4::uuid';
  const { entries, older, page } = entryQueries(
    `change.object_type in ('Parameter', 'ParameterRule', 'Value') and ${isOurs}`,
    '$5',
  );
  return {
    entries,
    older,
    versions: withVersions ? versionsQuery(page) : NO_VERSIONS,
    outsideChain: formerDependenciesSql(at),
    projects: `select 1 as found from ${rowsAt('project', at)} project where project.id = $3::uuid`,
    parameters: `
      with recursive ${projectChain(at, 'project.id = $3::uuid')}
      select 1 as found from ${rowsAt('parameter', at)} parameter
       where parameter.id = $4::uuid and parameter.project_id = any(array(select id from project_chain))`,
  };
}

/** Reads the changes of parameters, rules and values from the ledger (behaviour.md §7.4). */
@Injectable()
export class ParameterTimelines {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly pointsInTime: PointsInTime,
  ) {}

  async of(
    caller: Caller,
    subject: TimelineSubject,
    query: ParameterTimelineQuery,
  ): Promise<{ readonly revision: number; readonly timeline: ParameterTimeline }> {
    const { organizationId } = caller;
    const { projectId, parameterId } = subject;
    const at = await this.pointsInTime.of(caller, query);
    const { projects, parameters, outsideChain, entries, older, versions, revision } = await this.reader.sets<Sets>(
      { organizationId, at },
      queries(at, subject, query.versions),
      [projectId, parameterId, query.page_size],
    );
    if (projects.length === 0) throw notFoundAtError('Project', at);
    for (const { id } of outsideChain) assertAbilityOnScope(caller, 'read', id);
    if (parameterId !== null && parameters.length === 0) throw notFoundAtError('Parameter', at);
    const versionsIn = query.versions ? indexVersions(versions) : null;
    const reach = await this.resolveReach(caller, projectId, entries);
    const entriesShown = entries
      .map((entry) => ({ entry, environments: [...(reach.get(entry) ?? [])] }))
      .filter(({ entry, environments }) => canSee(caller, entry) || environments.length > 0);
    return {
      revision,
      timeline: createTimeline(
        entriesShown.map(({ entry, environments }) => ({
          ...presentEntry(entry, environments),
          ...(versionsIn && { history_versions: shownVersions(caller, entry, versionsIn) }),
        })),
        older,
      ),
    };
  }

  /**
   * Returns the environments in which each value change of the page changed the effective value. Runs one statement.
   */
  private async resolveReach(
    caller: Caller,
    projectId: ProjectId,
    entries: readonly EntryRow[],
  ): Promise<ReadonlyMap<EntryRow, readonly TimelineEnvironment[]>> {
    const changes = entries.filter(({ object_type: type }) => type === 'Value');
    if (changes.length === 0) return new Map();
    const revisions = changes.map(historyRevision);
    const history = await ConfigurationHistory.of(this.reader, {
      organizationId: caller.organizationId,
      projectIds: [projectId],
      names: changes.map(({ parameter_name: name }) => name),
      from: Math.min(...revisions),
      to: Math.max(...revisions),
      values: 'places',
    });
    const reachedEnvironments = new Map<EntryRow, readonly TimelineEnvironment[]>();
    const yielder = new EventLoopYielder();
    for (const change of changes) {
      reachedEnvironments.set(change, reachedBy(change, history, projectId, caller));
      if (yielder.isDue) await yielder.yield();
    }
    return reachedEnvironments;
  }
}

/**
 * Returns the environment of the change, followed by the readable environments that inherit the value, sorted by name.
 */
function reachedBy(
  change: EntryRow,
  history: ConfigurationHistory,
  projectId: ProjectId,
  caller: Caller,
): readonly TimelineEnvironment[] {
  const { parameter_id: parameterId, parameter_name: name, environment_id: environmentId } = change;
  if (environmentId === null) return [];
  const revision = historyRevision(change);
  const owners = history.ownersAt(revision, projectId, name);
  const environments = history.environmentsAt(revision);
  const everywhere = environments.map(({ id }) => id);
  const reachInputs = {
    environments,
    owners: owners.map(({ id }) => id),
    values: history.valuesAt(revision, owners, everywhere),
  };
  const [ownEnvironment, ...otherEnvironments] = listEnvironmentsReached(reachInputs, { parameterId, environmentId });
  const inheritingEnvironments = otherEnvironments.sort((left, right) => compareNames(left.name, right.name));
  return [...(ownEnvironment ? [ownEnvironment] : []), ...inheritingEnvironments]
    .filter(({ id }) => canOnScope(caller, 'read', id))
    .map(({ id, name: shownName }) => ({ environment_id: id, name: shownName, override: id === environmentId }));
}

/** Returns the revision at which to read the object. A deleted object only exists before its deletion. */
function historyRevision({ action, revision }: EntryRow): number {
  return action === 'delete' ? revision - 1 : revision;
}

/**
 * Returns whether the caller may see a change. A change in a forbidden environment is shown only if it takes effect in
 * another environment.
 */
function canSee(caller: Caller, { environment_id: environmentId }: EntryRow): boolean {
  return environmentId === null || canOnScope(caller, 'read', environmentId);
}

/**
 * Hides the versions of a value in a forbidden environment. If it takes effect in another environment, the caller can
 * read the value there.
 */
function shownVersions(
  caller: Caller,
  entry: EntryRow,
  versionsIn: (entry: EntryRow) => TimelineVersions,
): TimelineVersions | null {
  return canSee(caller, entry) ? versionsIn(entry) : null;
}

function presentEntry(entry: EntryRow, environments: TimelineEnvironment[]): ParameterTimelineEntry {
  return {
    history_type: historyType(entry),
    modified_at: entry.at,
    modified_by: describeActor(entry),
    history_environments: environments,
    history_model: entry.object_type as ParameterTimelineEntry['history_model'],
    history_parameter: { parameter_id: entry.parameter_id, name: entry.parameter_name },
  };
}
