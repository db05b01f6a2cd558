import type { ExplainedReference, ExplainedSource } from '@strata/contract';
import { canOnScope, type EnvironmentNode, effectiveView, indexById, listLineage, projectChain } from '@strata/domain';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { EvaluationInputs, InputValue, ReferenceRecord } from '../templating/evaluation-inputs.ts';
import type { ExplanationPresenter } from './explanation-presenter.ts';
import type { EvaluatedValues } from './texts.ts';

export interface VisibleReferences {
  readonly shown: ExplainedReference[];
  /** The number of references to forbidden scopes. */
  readonly hidden: number;
}

/** Returns the decrypted text of an input. */
export type InputDecrypter = (value: InputValue) => string | null;

/** Lists the references of a dynamic value. Each has its effective value. */
export class VisibleReferencesReader {
  private readonly environments: ReadonlyMap<string, EnvironmentNode>;
  private readonly projectNames: ReadonlyMap<string, string>;

  constructor(
    private readonly snapshot: ProjectSnapshot,
    private readonly inputs: EvaluationInputs,
    private readonly texts: EvaluatedValues,
    private readonly writer: ExplanationPresenter,
    private readonly open: InputDecrypter,
  ) {
    this.environments = indexById(inputs.environments);
    this.projectNames = new Map(inputs.projects.map(({ id, name }) => [id, name]));
  }

  of(valueId: string, environmentId: string): VisibleReferences {
    const visibleReferences = this.texts.evaluated.referencesOf(valueId);
    const all = this.inputs.references.filter(({ sourceId }) => sourceId === valueId);
    return {
      shown: visibleReferences.map((reference) => this.reference(reference, environmentId)),
      hidden: all.length - visibleReferences.length,
    };
  }

  private reference(reference: ReferenceRecord, environmentId: string): ExplainedReference {
    const { kind, name, projectId, named, targetId } = reference;
    return {
      kind,
      name,
      project_id: projectId,
      project_name: this.projectNames.get(projectId) ?? '',
      named,
      target_id: targetId,
      ...(kind === 'parameter' ? this.winner(reference, environmentId) : { state: null, winner: null }),
    };
  }

  private winner(
    { projectId, name }: ReferenceRecord,
    environmentId: string,
  ): Pick<ExplainedReference, 'state' | 'winner'> {
    const { projects, parameters, values } = this.inputs;
    const sameNamed = parameters.filter((parameter) => parameter.name === name);
    const ownedIds = new Set(sameNamed.map(({ id }) => id));
    const { effective } = effectiveView({
      lineage: listLineage(this.environments, environmentId),
      projectChain: projectChain(projects, projectId).map((id) => ({ id })),
      parameters: sameNamed,
      values: values.filter(({ parameterId }) => ownedIds.has(parameterId)),
    });
    const value = effective[0] ?? null;
    if (value === null) return { state: 'unset', winner: null };
    const source = this.source(value, environmentId);
    if (source === null) return { state: 'closed', winner: null };
    return { state: value.text === null && value.sealed === null ? 'null' : 'set', winner: source };
  }

  /**
   * Returns null if the caller has no access to the parameter. It can belong to a project that was depended on earlier,
   * or its text can depend on a forbidden project.
   */
  private source(value: InputValue, environmentId: string): ExplainedSource | null {
    const owner = this.inputs.parameters.find(({ id }) => id === value.parameterId);
    const { permissions } = this.snapshot;
    if (!owner || (this.inputs.projectsNow !== null && !canOnScope(permissions, 'read', owner.projectId))) return null;
    const evaluatedText = value.interpolated
      ? this.texts.evaluated.evaluatedText({ sourceId: value.id, environmentId })
      : null;
    if (evaluatedText?.forbidden) return null;
    const secret = owner.secret || (evaluatedText?.secret ?? false);
    return {
      value_id: value.id,
      value: this.writer.shown(value, secret, () =>
        value.interpolated ? (evaluatedText?.text ?? null) : this.open(value),
      ),
      secret,
      parameter_id: owner.id,
      project_id: owner.projectId,
      project_name: this.projectNames.get(owner.projectId) ?? '',
      environment_id: value.environmentId,
      environment_name: this.environments.get(value.environmentId)?.name ?? '',
    };
  }
}
