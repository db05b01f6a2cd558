import type { ExplainedCandidate, ExplainedDependent, ExplainedNext, ExplainedValue } from '@strata/contract';
import {
  type Candidate,
  type EnvironmentNode,
  externalSource,
  indexById,
  type NextValue,
  type ProjectLink,
} from '@strata/domain';
import { shownText } from '../../platform/limits/request-limits.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import type { EvaluatedValues } from './texts.ts';

/** Presents the contents of a snapshot in explanations. */
export class ExplanationPresenter {
  private readonly environments: ReadonlyMap<string, EnvironmentNode>;
  private readonly projects: ReadonlyMap<string, ProjectLink>;
  private readonly parameters: ReadonlyMap<string, ParameterRecord>;
  /** Whether the response contains a secret in clear text. */
  hasClearSecret = false;

  constructor(
    private readonly snapshot: ProjectSnapshot,
    private readonly texts: EvaluatedValues,
    private readonly maskSecrets: boolean,
  ) {
    this.environments = indexById(snapshot.environments);
    this.projects = indexById(snapshot.projects);
    this.parameters = new Map(snapshot.parameters.map((parameter) => [parameter.id, parameter]));
  }

  value(value: ValueRecord): ExplainedValue {
    const owner = this.parameters.get(value.parameterId);
    if (!owner) throw new Error(`Value ${value.id} hangs in the air.`);
    const evaluatedText = this.texts.evaluatedText(value.id);
    const problem = this.texts.problem(value.id);
    // A value is also secret if the parameter that it was set on is secret, even if another parameter overrides that
    // one.
    const secret = owner.secret || (evaluatedText?.secret ?? false);
    const source = externalSource(value);
    const text = this.shown(value, secret, () =>
      problem === null ? (evaluatedText?.text ?? this.snapshot.textOf(value)) : null,
    );
    return {
      value_id: value.id,
      ledger_id: value.ledger_id,
      value: text,
      internal_value: owner.secret ? null : value.text,
      secret,
      interpolated: value.interpolated,
      evaluated: typeof evaluatedText?.text === 'string',
      problem,
      external: source && { fqn: source.fqn, filter: source.filter, error: source.error?.detail ?? null },
      parameter_id: owner.id,
      type: owner.type,
      ...this.project(owner.projectId),
      ...this.environment(value.environmentId),
      created_at: value.created_at,
      modified_at: value.modified_at,
    };
  }

  next(next: NextValue<ValueRecord>): ExplainedNext {
    return { state: next.state, value: next.value && this.value(next.value) };
  }

  candidate({ environmentId, projectId, parameterId, value, state, wins, hiddenBy }: Candidate): ExplainedCandidate {
    return {
      ...this.environment(environmentId),
      ...this.project(projectId),
      parameter_id: parameterId,
      value_id: value?.id ?? null,
      state,
      wins,
      hidden_by: hiddenBy,
    };
  }

  /**
   * Returns the texts that depend on the winning value. Leaves out texts that look the name up in a project above the
   * winner, because they depend on the value there. Does not return the number of hidden dependents: it would reveal
   * whether a forbidden project has the name.
   */
  dependents(owners: readonly { readonly id: string }[], winner: ValueRecord | null): ExplainedDependent[] {
    const findOwnerIndex = (id: string | undefined) => owners.findIndex((owner) => owner.id === id);
    const winnerIndex = findOwnerIndex(winner?.parameterId);
    const needing = this.snapshot.referrers.filter(
      ({ parameterId }) => findOwnerIndex(parameterId) <= winnerIndex || winner === null,
    );
    return needing.map(({ sourceId, name, projectId, projectName, environmentId, parameterId }) => ({
      kind: environmentId === null ? 'template' : 'value',
      id: sourceId,
      name,
      project_id: projectId,
      project_name: projectName,
      environment_id: environmentId,
      environment_name: environmentId && (this.environments.get(environmentId)?.name ?? ''),
      parameter_id: parameterId,
    }));
  }

  /** Returns a text as the caller may read it. Does not decrypt a secret if the caller requested masked secrets. */
  shown(value: Pick<ValueRecord, 'text' | 'sealed'>, secret: boolean, clear: () => string | null): string | null {
    const isNull = (value.sealed ?? value.text) === null;
    const text = shownText({ isSecret: secret, isMasked: this.maskSecrets, isNull, clear });
    if (secret && !this.maskSecrets && text !== null) this.hasClearSecret = true;
    return text;
  }

  private project(id: string) {
    return { project_id: id, project_name: this.projects.get(id)?.name ?? '' };
  }

  private environment(id: string) {
    return { environment_id: id, environment_name: this.environments.get(id)?.name ?? '' };
  }
}
