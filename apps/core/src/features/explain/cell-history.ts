import {
  type EnvironmentId,
  effectiveValue,
  indexValues,
  type ProjectId,
  type Revision,
  visibleParameters,
} from '@strata/domain';
import {
  boundariesOf,
  type ConfigurationHistory,
  type ParameterVersion,
  type ValueVersion,
} from '../snapshot/configuration-history.ts';

/** What applied to a name in one environment at one revision. */
export interface PastCell {
  /** `absent`: the project, the environment or the name was not there. */
  readonly state: 'absent' | 'unset' | 'null' | 'set';
  readonly value: ValueVersion | null;
}

const ABSENT: PastCell = { state: 'absent', value: null };

/** The names of one project in one environment, through all revisions that are known. */
export class CellHistory {
  private readonly structure: readonly Revision[];
  private readonly environmentsEver: ReadonlySet<EnvironmentId>;

  constructor(
    readonly history: ConfigurationHistory,
    private readonly projectId: ProjectId,
    private readonly environmentId: EnvironmentId,
  ) {
    const { environments, projects } = history.versions;
    this.structure = [...boundariesOf([...environments, ...projects])].filter(
      (at) => at <= history.knownTo && this.shapeAt(at) !== this.shapeAt(at - 1),
    );
    const ever = this.structure.flatMap((at) => [
      ...(history.lineageAt(at, environmentId) ?? []),
      ...(history.lineageAt(at - 1, environmentId) ?? []),
    ]);
    this.environmentsEver = new Set(ever);
  }

  /** Where values could ever have mattered to the environment. */
  isAbove(environmentId: EnvironmentId): boolean {
    return this.environmentsEver.has(environmentId);
  }

  lineageAt(revision: Revision): readonly EnvironmentId[] {
    return this.history.lineageAt(revision, this.environmentId) ?? [];
  }

  chainAt(revision: Revision): readonly ProjectId[] {
    return this.history.chainAt(revision, this.projectId);
  }

  /** The owners of a name, nearest first. */
  ownersAt(revision: Revision, name: string): readonly ParameterVersion[] {
    const chain = this.chainAt(revision).map((id) => ({ id }));
    const [visible] = visibleParameters(chain, this.history.parametersAt(revision, name));
    return visible?.owners ?? [];
  }

  at(revision: Revision, name: string): PastCell {
    const environments = this.history.lineageAt(revision, this.environmentId);
    const owners = this.ownersAt(revision, name);
    if (environments === null || owners.length === 0) return ABSENT;
    const value = effectiveValue(owners, environments, indexValues(this.history.valuesAt(revision, owners)));
    if (value === null) return { state: 'unset', value };
    return { state: value.isNull ? 'null' : 'set', value };
  }

  /** Every value that a name ever had, wherever it could have mattered. */
  valuesOf(name: string): readonly ValueVersion[] {
    const owners = new Set(this.history.named(name).map(({ id }) => id));
    return [...owners].flatMap((id) =>
      this.history.valuesOfParameter(id).filter(({ environmentId }) => this.isAbove(environmentId)),
    );
  }

  /** The revisions at which something of what decides about a name changed, newest first. */
  boundariesOf(name: string): readonly Revision[] {
    const boundaries = boundariesOf([...this.history.named(name), ...this.valuesOf(name)]);
    for (const revision of this.structure) boundaries.add(revision);
    return [...boundaries].sort((left, right) => right - left);
  }

  private shapeAt(revision: Revision): string {
    return `${this.lineageAt(revision).join()} ${this.chainAt(revision).join()}`;
  }
}
