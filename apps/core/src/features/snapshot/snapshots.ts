import { Injectable } from '@nestjs/common';
import { type EnvironmentId, indexById, isUuid, listLineage, TYPES_BESIDE_VALUES } from '@strata/domain';
import { cacheBytes } from '../../platform/cache-size.ts';
import { Heads } from '../../platform/ledger/heads.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type ConfigurationChange, ConfigurationChanges } from './configuration-changes.ts';
import { LedgerFollower } from './ledger-follower.ts';
import { byIdOrName } from './lookup.ts';
import type { ConfigurationSnapshot, ParameterRecord, TextRecord, ValueRecord, ViewedParameter } from './snapshot.ts';
import { type LoadedValue, type ParametersAs, SnapshotLoader, type SnapshotQuery } from './snapshot-loader.ts';

const BYTES_MAX = cacheBytes(32);
/** The size of objects and map entries without texts. */
const SNAPSHOT_BYTES = 2_048;
const NODE_BYTES = 160;
const PARAMETER_BYTES = 640;
const VALUE_BYTES = 480;
const RULE_BYTES = 480;

type AnySnapshot = ConfigurationSnapshot<ViewedParameter, TextRecord>;

/**
 * A snapshot with a number that changes whenever its content does. The number is null unless the snapshot comes from
 * the cache.
 */
export type VersionedSnapshot<
  P extends ViewedParameter = ParameterRecord,
  V extends TextRecord = ValueRecord,
> = ConfigurationSnapshot<P, V> & { readonly contentVersion: number | null };

/**
 * Returns snapshots. Current ones are cached and follow the ledger. Inside a write, everything is read in its
 * transaction, so that the write sees its own changes.
 */
@Injectable()
export class Snapshots {
  private readonly currentSnapshots: LedgerFollower<SnapshotQuery, AnySnapshot>;

  constructor(
    private readonly loader: SnapshotLoader,
    private readonly heads: Heads,
    changes: ConfigurationChanges,
  ) {
    this.currentSnapshots = new LedgerFollower(changes, {
      bytesMax: BYTES_MAX,
      cacheKey: (query) => JSON.stringify(query),
      load: async (query) => {
        const content = await loader.load(query);
        return { head: content.head, content };
      },
      follow: followed,
      estimateBytes,
    });
  }

  /** Returns a snapshot. Objects that do not exist are not contained in it. `reader` is the transaction of a write. */
  async of<const Query extends SnapshotQuery>(
    query: Query,
    reader?: SnapshotReader,
  ): Promise<VersionedSnapshot<ParametersAs<Query>, LoadedValue<Query>>> {
    if (query.at !== 'now' || reader !== undefined) {
      return { ...(await this.loader.load(query, reader)), contentVersion: null };
    }
    const {
      content,
      head,
      contentVersion,
      isKept: isCached,
    } = await this.currentSnapshots.now(query, await this.heads.required(query.organizationId));
    const snapshot = content as ConfigurationSnapshot<ParametersAs<Query>, LoadedValue<Query>>;
    return { ...snapshot, head, contentVersion: isCached ? contentVersion : null };
  }
}

/** Returns the snapshot after the changes, or null if rows must be read again. */
function followed(
  cachedSnapshot: AnySnapshot,
  changes: readonly ConfigurationChange[],
  query: SnapshotQuery,
): AnySnapshot | null {
  const ownedIds = new Set(cachedSnapshot.parameters.map(({ id }) => id));
  const isRead = environmentsRead(cachedSnapshot, query);
  const values = new Map(cachedSnapshot.values.map((value) => [addContext(value), value]));
  let isSame = true;
  for (const change of changes) {
    if (change.type !== 'Value') {
      if (isElsewhere(cachedSnapshot, change, query)) continue;
      return null;
    }
    if (query.referrers && mayRefer(cachedSnapshot, change)) return null;
    const { parameterId, environmentId, value } = change;
    if (parameterId === null || environmentId === null) return null;
    if (query.values === 'none' || !ownedIds.has(parameterId) || !isRead(environmentId)) continue;
    isSame = false;
    if (value === null) values.delete(addContext({ parameterId, environmentId }));
    else values.set(addContext(value), value);
  }
  return isSame ? cachedSnapshot : { ...cachedSnapshot, values: [...values.values()] };
}

const addContext = ({ parameterId, environmentId }: Pick<TextRecord, 'parameterId' | 'environmentId'>) =>
  `${parameterId} ${environmentId}`;

/** Returns a function that returns whether the values of an environment were read. */
function environmentsRead(
  { environments }: AnySnapshot,
  query: SnapshotQuery,
): (environmentId: EnvironmentId) => boolean {
  if (query.environments === undefined) return () => true;
  const nodes = indexById(environments);
  const starts = query.environments.flatMap((nameOrId) => byIdOrName(environments, nameOrId) ?? []);
  const read = new Set(starts.flatMap(({ id }) => listLineage(nodes, id)));
  return (environmentId) => read.has(environmentId);
}

/** Returns whether a change of an object other than a value leaves the snapshot unaffected. */
function isElsewhere({ projects }: AnySnapshot, { type, projectId }: ConfigurationChange, query: SnapshotQuery) {
  // A text that refers to the parameters may be in any project, and a new parameter with the same name may become its
  // target.
  if (query.referrers) return false;
  if (TYPES_BESIDE_VALUES.includes(type)) return query.parameters === 'effective' && !query.rules;
  if (type !== 'Parameter' && type !== 'Project') return false;
  // A name that did not exist may exist now.
  const areKnown = (query.projectNames ?? []).every((name) => isUuid(name) && byIdOrName(projects, name));
  return areKnown && projectId !== null && projects.every(({ id }) => id !== projectId);
}

/** Returns whether a changed value refers to a parameter of the snapshot, or did before the change. */
function mayRefer({ referrers }: AnySnapshot, { objectId, value }: ConfigurationChange): boolean {
  return value?.interpolated === true || referrers.some(({ sourceId }) => sourceId === objectId);
}

/**
 * Returns the size of a snapshot. Returns null if it cannot be cached: objects are missing, or its content changes with
 * time.
 */
function estimateBytes(snapshot: AnySnapshot, query: SnapshotQuery): number | null {
  const { environments, projects, parameters, rules, values, referrers } = snapshot;
  if (projects.length === 0) return null;
  if (query.environments?.some((nameOrId) => !byIdOrName(environments, nameOrId))) return null;
  let bytes = SNAPSHOT_BYTES + (environments.length + projects.length + referrers.length) * NODE_BYTES;
  for (const parameter of parameters) {
    // The state of an expiration changes without a write.
    if ('expired_status' in parameter && parameter.expires !== null) return null;
    bytes += PARAMETER_BYTES + (parameter.name.length + parameter.description.length) * 2;
  }
  for (const { constraint } of rules) bytes += RULE_BYTES + constraint.length * 2;
  for (const { text, sealed } of values) bytes += VALUE_BYTES + ((text?.length ?? 0) + (sealed?.length ?? 0)) * 2;
  return bytes;
}
