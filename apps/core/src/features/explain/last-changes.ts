import { Injectable } from '@nestjs/common';
import type { ExplainedChange } from '@strata/contract';
import {
  type ChangeAction,
  type ComparableText,
  canOnScope,
  type EnvironmentId,
  findCause,
  type Instant,
  isSameText,
  type Permissions,
  type Revision,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';
import { ConfigurationHistory, type ValueVersion } from '../snapshot/configuration-history.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import { mergeRevisions, STEPS_MAX, sortLatestFirst } from '../snapshot/versions.ts';
import type { ComparableSource } from '../templating/input-digests.ts';
import { CellHistory, type PastCell } from './cell-history.ts';
import { type TextHistory, TextHistoryReader, textBoundaries } from './text-history.ts';

/** The maximum size of the value history that one request may read. */
const BYTES_MAX = 16 * 1_048_576;
/** The maximum number of texts that one request may evaluate, and of lookups that it may do to find their inputs. */
const EVALUATIONS_MAX = 300;
const LOOKUPS_MAX = 2_000;
/** The maximum number of possible causes that one request may read. */
const CHANGES_MAX = 5_000;

/** The latest revision at which a cell changed. */
interface LastChange {
  readonly name: string;
  readonly revision: Revision;
  readonly isExact: boolean;
}

interface ChangeRow {
  readonly revision: Revision;
  readonly ordinal: number;
  readonly action: ChangeAction;
  readonly objectType: string;
  readonly objectId: string;
  readonly objectName: string;
  readonly projectId: string | null;
  readonly projectName: string | null;
  readonly environmentId: string | null;
  readonly environmentName: string | null;
  readonly parameterId: string | null;
}

interface ChangesetRow {
  readonly revision: Revision;
  readonly at: Instant;
  readonly actorId: string;
  readonly actorName: string;
  readonly actorType: string;
}

interface CauseRows {
  readonly changesets: readonly ChangesetRow[];
  readonly changes: readonly ChangeRow[];
}

/** $1 is the organization, $3 the revisions, $4 ids of objects, and $5 ids of parameters. */
const CHANGES: { readonly [Name in keyof CauseRows]: string } = {
  changesets: `
    select changeset.revision, ${wireTimeSql('changeset.at')} as at, changeset.actor_id as "actorId", changeset.actor_name as "actorName", changeset.actor_type as "actorType"
      from changeset where changeset.organization_id = $1 and changeset.revision = any($3::bigint[])`,
  changes: `
    select change.revision, change.ordinal, change.action, change.object_type as "objectType", change.object_id as "objectId",
           change.object_name as "objectName", change.project_id as "projectId", change.project_name as "projectName",
           change.environment_id as "environmentId", change.environment_name as "environmentName", change.parameter_id as "parameterId"
      from change
     where change.organization_id = $1 and change.revision = any($3::bigint[])
       and change.object_type in ('Environment', 'Project', 'Parameter', 'Template', 'Value')
       and (change.object_id = any($4::text[]) or (change.object_type = 'Value' and change.parameter_id = any($5::uuid[])))
     order by change.revision, change.ordinal limit ${CHANGES_MAX}`,
};

/**
 * Finds the latest change of each effective value and its cause. It reads the history of all inputs of the names once,
 * goes through the revisions in memory, newest first, and resolves the value before and after each revision with the
 * shared resolver. The result is the same for every caller; only its presentation depends on permissions. Secrets and
 * texts in controlled scopes are compared by version, because a comparison of their contents would allow callers to
 * guess them (ADR 0036).
 */
@Injectable()
export class LastChangeReader {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly texts: TextHistoryReader,
  ) {}

  /** Returns the latest change of each name. A name that has not changed in the available history has no entry. */
  async of(
    snapshot: ProjectSnapshot,
    environmentId: EnvironmentId,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, ExplainedChange>> {
    if (names.length === 0) return new Map();
    const { organizationId, revision: to, projectChain, permissions } = snapshot;
    const projectId = projectChain[0]?.id ?? '';
    // Treats all controlled scopes as hidden, so that the result is the same for every caller.
    const hiddenScopes = [...permissions.scopes.keys()];
    const values = { bytesMax: BYTES_MAX, hiddenScopes };
    const span = { organizationId, projectIds: [projectId], names, from: 0, to, values };
    const history = await ConfigurationHistory.of(this.reader, span);
    const cells = new CellHistory(history, projectId, environmentId);
    const dynamic = names.flatMap((name) => cells.listValues(name)).filter(isDynamic);
    const sourceIds = [...new Set(dynamic.map(({ id }) => id))];
    const texts = sourceIds.length > 0 ? await this.texts.of({ organizationId, to, history, sourceIds, values }) : null;
    const textHashes = new Map<string, string | null>();
    const storedSources = new Map<string, ComparableSource>();
    const evaluate: Evaluate = async ({ id: sourceId }, revision) => {
      if (texts === null) return null;
      const pastTextOptions = {
        organizationId,
        history: texts,
        hiddenScopes,
        texts: textHashes,
        stored: storedSources,
      };
      return this.texts.comparableAt(pastTextOptions, revision, { sourceId, environmentId });
    };
    const walk = new Walk(cells, texts, to, evaluate, textHashes);
    const lastChanges: LastChange[] = [];
    for (const name of names) {
      const lastChange = await walk.findLastChange(name);
      if (lastChange) lastChanges.push({ name, ...lastChange });
    }
    return this.explained(snapshot, cells, texts, lastChanges);
  }

  private async explained(
    { organizationId, revision: at, permissions }: ProjectSnapshot,
    cells: CellHistory,
    texts: TextHistory | null,
    lastChanges: readonly LastChange[],
  ): Promise<ReadonlyMap<string, ExplainedChange>> {
    if (lastChanges.length === 0) return new Map();
    const { environments, projects, parameters } = texts?.versions ?? cells.history.versions;
    const parameterIds = [...new Set(parameters.map(({ id }) => id))];
    const objectIds = [environments, projects, texts?.templates ?? []].flatMap((versions) =>
      versions.map(({ id }) => id),
    );
    const { changesets, changes } = await this.reader.sets<CauseRows>({ organizationId, at }, CHANGES, [
      [...new Set(lastChanges.map(({ revision }) => revision))],
      [...new Set([...objectIds, ...parameterIds])],
      parameterIds,
    ]);
    const changesetOf = new Map(changesets.map((changeset) => [changeset.revision, changeset]));
    const changesOf = Map.groupBy(changes, ({ revision }) => revision);
    const explainedChanges = new Map<string, ExplainedChange>();
    const yielder = new EventLoopYielder();
    for (const lastChange of lastChanges) {
      const cause = lastChange.isExact
        ? findCellCause(lastChange, cells, changesOf.get(lastChange.revision) ?? [])
        : null;
      explainedChanges.set(
        lastChange.name,
        presentChange(lastChange, permissions, changesetOf.get(lastChange.revision), cause),
      );
      if (yielder.isDue) await yielder.yield();
    }
    return explainedChanges;
  }
}

/** Evaluates a dynamic value at a revision to a text that can be compared. */
type Evaluate = (value: ValueVersion, revision: Revision) => Promise<ComparableText>;

/** Goes through the revisions to find the ones at which cells last changed. */
class Walk {
  private steps = 0;
  private lookups = 0;
  private readonly textRevisions: readonly Revision[];
  private readonly knownFrom: Revision;
  private readonly yielder = new EventLoopYielder();

  constructor(
    private readonly cells: CellHistory,
    texts: TextHistory | null,
    private readonly to: Revision,
    private readonly evaluate: Evaluate,
    /** The texts evaluated so far. Visited texts with equal inputs are evaluated only once. */
    private readonly evaluatedTexts: ReadonlyMap<string, unknown>,
  ) {
    this.textRevisions = texts ? sortLatestFirst(textBoundaries(texts, (id) => cells.isAbove(id))) : [];
    this.knownFrom = Math.max(cells.history.knownFrom, texts?.knownFrom ?? 0);
  }

  async findLastChange(name: string): Promise<Omit<LastChange, 'name'> | null> {
    // The value can only change at these revisions, so the value before one of them equals the value after the next
    // older one.
    let now: PastCell | undefined;
    let after: ComparableText | undefined;
    for (const revision of this.boundaries(name)) {
      if (revision > this.to) continue;
      if (revision <= this.knownFrom || this.isSpent) return { revision, isExact: false };
      if (this.yielder.isDue) await this.yielder.yield();
      this.steps += 1;
      now ??= this.cells.at(revision, name);
      const before = this.cells.at(revision - 1, name);
      if (now.state !== before.state) return { revision, isExact: true };
      const mayDiffer = now.state === 'set' && (now.value !== before.value || isDynamic(now.value));
      if (mayDiffer) {
        after ??= await this.comparableAt(now, revision);
        const previousSource = await this.comparableAt(before, revision - 1);
        if (!isSameText(after, previousSource)) return { revision, isExact: true };
        after = previousSource;
      }
      now = before;
    }
    return null;
  }

  private get isSpent(): boolean {
    return this.steps >= STEPS_MAX || this.lookups > LOOKUPS_MAX || this.evaluatedTexts.size > EVALUATIONS_MAX;
  }

  /** Returns the revisions at which an input of the name changed, latest first. */
  private boundaries(name: string): Iterable<Revision> {
    const { cells } = this;
    const isDynamicAtTimes = cells.listValues(name).some(isDynamic);
    return mergeRevisions(cells.moves, cells.listChanges(name), isDynamicAtTimes ? this.textRevisions : []);
  }

  private async comparableAt({ value }: PastCell, revision: Revision): Promise<ComparableText> {
    if (value === null) return null;
    if (isDynamic(value)) {
      this.lookups += 1;
      return this.evaluate(value, revision);
    }
    if (value.isHidden) return { kind: 'hidden', madeOf: `${value.id} ${value.revision}` };
    return { kind: 'open', text: value.text };
  }
}

function isDynamic(value: ValueVersion | null): boolean {
  return value?.interpolated === true && !value.isNull;
}

/** Returns the change of the revision that changed the effective value. */
function findCellCause(
  { name, revision }: LastChange,
  cells: CellHistory,
  changes: readonly ChangeRow[],
): ChangeRow | null {
  const pointsInTime = [revision, revision - 1];
  const inputIds = pointsInTime.flatMap((at) => [
    ...cells.lineageAt(at),
    ...cells.chainAt(at),
    ...cells.ownersAt(at, name).map(({ id }) => id),
  ]);
  const winners = pointsInTime.flatMap((at) => cells.at(at, name).value?.id ?? []);
  return findCause(changes, { winners: new Set(winners), inputIds: new Set(inputIds) });
}

/** Presents a change. If its scope is forbidden, the response shows only that it happened. */
function presentChange(
  { revision, isExact }: LastChange,
  permissions: Permissions,
  changeset: ChangesetRow | undefined,
  cause: ChangeRow | null,
): ExplainedChange {
  const scopes = [cause?.projectId, cause?.environmentId].filter((id) => id != null);
  const isShown = isExact && cause !== null && scopes.every((id) => canOnScope(permissions, 'read', id));
  return {
    revision,
    at: changeset?.at ?? null,
    exact: isExact,
    actor_id: isShown ? (changeset?.actorId ?? null) : null,
    actor_name: isShown ? (changeset?.actorName ?? null) : null,
    actor_type: isShown ? (changeset?.actorType ?? null) : null,
    action: isShown ? cause.action : null,
    object_type: isShown ? cause.objectType : null,
    object_id: isShown ? cause.objectId : null,
    object_name: isShown ? cause.objectName : null,
    project_id: isShown ? cause.projectId : null,
    project_name: isShown ? cause.projectName : null,
    environment_id: isShown ? cause.environmentId : null,
    environment_name: isShown ? cause.environmentName : null,
  };
}
