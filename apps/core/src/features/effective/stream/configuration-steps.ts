import type { EffectiveValueChange } from '@strata/contract';
import { type ChangedScopes, type DependencyScopes, mayAffect, type Permissions, type Revision } from '@strata/domain';
import type { CurrentHead } from '../../../platform/ledger/heads.ts';
import type {
  ConfigurationProblem,
  ConfigurationState,
  ConfigurationStates,
  StreamSelection,
} from './configuration-states.ts';
import { type DeliveredValues, presentDeliveredChanges } from './delivered-values.ts';

/** The effect of one revision on a configuration. */
export type ConfigurationStep = { readonly revision: Revision } & (
  | {
      readonly kind: 'delta';
      /** The fingerprint of the values that the changes apply to. */
      readonly from: string;
      readonly values: DeliveredValues;
      readonly changes: readonly EffectiveValueChange[];
      /** Whether a change contains a secret in clear. */
      readonly showsSecret: boolean;
    }
  | { readonly kind: 'problem'; readonly problem: ConfigurationProblem }
  /** The configuration can be evaluated again, and its values are the same as before. */
  | { readonly kind: 'recovered'; readonly values: DeliveredValues }
);

/** Follows one configuration through the ledger, one revision after the other. */
export class ConfigurationSteps {
  private problem: ConfigurationProblem | null = null;

  constructor(
    private readonly states: ConfigurationStates,
    private readonly selection: StreamSelection,
    private readonly permissions: Permissions,
    /** The last values that could be evaluated; null if there are none. */
    private deliveredValues: DeliveredValues | null,
    private dependencies: DependencyScopes | null,
    /** Everything up to this revision has been processed. */
    private processedRevision: Revision,
  ) {}

  static from(
    states: ConfigurationStates,
    selection: StreamSelection,
    permissions: Permissions,
    state: ConfigurationState,
  ): ConfigurationSteps {
    const deliveredValues = state.problem ? null : state.delivered;
    const steps = new ConfigurationSteps(
      states,
      selection,
      permissions,
      deliveredValues,
      state.dependencies,
      state.revision,
    );
    steps.problem = state.problem;
    return steps;
  }

  get revision(): Revision {
    return this.processedRevision;
  }

  get values(): DeliveredValues | null {
    return this.deliveredValues;
  }

  get hasProblem(): boolean {
    return this.problem !== null;
  }

  /** Returns whether a revision after `since` may change the configuration. */
  isAffected(changes: readonly ChangedScopes[], afterRevision: Revision): boolean {
    return changes.some((change) => change.revision > afterRevision && mayAffect(change, this.dependencies));
  }

  /** Processes the next revision with changes. Returns null if it changes nothing here. */
  async next(change: ChangedScopes, head: CurrentHead): Promise<ConfigurationStep | null> {
    const { revision } = change;
    if (revision <= this.processedRevision) return null;
    const state = mayAffect(change, this.dependencies)
      ? await this.states.at(this.selection, this.permissions, revision, head)
      : null;
    this.processedRevision = revision;
    return state && this.step(state);
  }

  /** Records that no later revision up to this one has changes. */
  advance(revision: Revision): void {
    this.processedRevision = Math.max(this.processedRevision, revision);
  }

  private step(state: ConfigurationState): ConfigurationStep | null {
    const { revision, problem } = state;
    const previous = this.problem;
    this.problem = problem;
    this.dependencies = state.dependencies;
    if (problem) return isSame(problem, previous) ? null : { kind: 'problem', revision, problem };
    const before = this.deliveredValues;
    const { delivered, values, view } = state;
    this.deliveredValues = delivered;
    if (before?.digest === delivered.digest) return previous && { kind: 'recovered', revision, values: delivered };
    const { reveal } = this.selection;
    const texts = { before: before?.texts ?? new Map(), after: delivered.texts };
    const changes = presentDeliveredChanges({ ...texts, values, view, reveal, revision });
    const secrets = new Set(values.flatMap(({ name, text, isSecret }) => (isSecret && text !== null ? [name] : [])));
    const showsSecret = reveal && changes.some(({ name }) => secrets.has(name));
    return { kind: 'delta', revision, from: before?.fingerprint ?? '', values: delivered, changes, showsSecret };
  }
}

function isSame(problem: ConfigurationProblem, previous: ConfigurationProblem | null): boolean {
  return JSON.stringify(problem) === JSON.stringify(previous);
}
