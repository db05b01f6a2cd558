import { type EnvironmentId, effectiveValue, indexValues, type ProjectId, type Revision } from '@strata/domain';
import type { ConfigurationHistory, ParameterVersion, ValueVersion } from '../snapshot/configuration-history.ts';
import { listBoundaries, sortLatestFirst } from '../snapshot/versions.ts';

/** The effective value of a name in one environment at one revision. */
export interface PastCell {
  /** `absent` means that the project, the environment or the name did not exist. */
  readonly state: 'absent' | 'unset' | 'null' | 'set';
  readonly value: ValueVersion | null;
}

const ABSENT: PastCell = { state: 'absent', value: null };

/** Resolves the names of one project in one environment at every revision of the history. */
export class CellHistory {
  /**
   * The revisions at which an environment or project that the cell can inherit from was moved, created or deleted,
   * latest first.
   */
  readonly moves: readonly Revision[];
  private readonly environmentsEver: ReadonlySet<EnvironmentId>;

  constructor(
    readonly history: ConfigurationHistory,
    private readonly projectId: ProjectId,
    private readonly environmentId: EnvironmentId,
  ) {
    this.environmentsEver = history.everAbove(environmentId);
    this.moves = sortLatestFirst(
      new Set([...history.environmentMoves(this.environmentsEver), ...history.projectMoves()]),
    );
  }

  /** Returns whether the cell could ever have inherited values of this environment. */
  isAbove(environmentId: EnvironmentId): boolean {
    return this.environmentsEver.has(environmentId);
  }

  lineageAt(revision: Revision): readonly EnvironmentId[] {
    return this.history.lineageAt(revision, this.environmentId) ?? [];
  }

  chainAt(revision: Revision): readonly ProjectId[] {
    return this.history.chainAt(revision, this.projectId);
  }

  /** Returns the parameters with this name in the project chain, nearest first. */
  ownersAt(revision: Revision, name: string): readonly ParameterVersion[] {
    return this.history.ownersAt(revision, this.projectId, name);
  }

  at(revision: Revision, name: string): PastCell {
    const environments = this.history.lineageAt(revision, this.environmentId);
    const owners = this.ownersAt(revision, name);
    if (environments === null || owners.length === 0) return ABSENT;
    const values = indexValues(this.history.valuesAt(revision, owners, environments));
    const value = effectiveValue(owners, environments, values);
    if (value === null) return { state: 'unset', value };
    return { state: value.isNull ? 'null' : 'set', value };
  }

  /** Returns all values, of any time, that the name could have resolved to. */
  listValues(name: string): readonly ValueVersion[] {
    const owners = new Set(this.history.named(name).map(({ id }) => id));
    return [...owners].flatMap((id) =>
      this.history.valuesOfParameter(id).filter(({ environmentId }) => this.isAbove(environmentId)),
    );
  }

  /** Returns the revisions at which a parameter or value of the name changed, latest first. */
  listChanges(name: string): readonly Revision[] {
    return sortLatestFirst(listBoundaries([...this.history.named(name), ...this.listValues(name)]));
  }
}
