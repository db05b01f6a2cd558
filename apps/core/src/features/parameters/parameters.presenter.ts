import { Parameter, ParameterRule, presentExternalSource, type Value } from '@strata/contract';
import {
  type EnvironmentNode,
  expiryTime,
  externalSource,
  indexById,
  type NamedObject,
  type VisibleParameter,
} from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import { shownText } from '../../platform/limits/request-limits.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ParameterRecord, ReferrerRecord, RuleRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { type EvaluationResults, NOTHING_EVALUATED } from '../templating/evaluation.ts';
import { referenceLinks } from '../templating/reference-links.ts';

export interface Presentation {
  readonly links: Links;
  readonly maskSecrets: boolean;
  /** The dynamic values, evaluated in the environments that are shown. If undefined, they are shown as stored. */
  readonly evaluated?: EvaluationResults;
}

/** A rule with its parameter. */
export interface ParameterRuleRow {
  readonly parameter: Pick<ParameterRecord, 'id' | 'projectId'>;
  readonly rule: Omit<RuleRecord, 'parameterId'>;
}

export function presentRule({ parameter, rule }: ParameterRuleRow, links: Links): ParameterRule {
  const url = links.parameterRule(parameter.projectId, parameter.id, rule.id);
  return shapeRow(ParameterRule, rule, { url, parameter: links.parameter(parameter.projectId, parameter.id) });
}

/** A value, and the environment that it is shown for. */
export interface ShownValue {
  readonly value: ValueRecord;
  readonly parameter: Pick<ParameterRecord, 'id' | 'projectId' | 'secret' | 'expires'>;
  readonly environment: NamedObject;
  readonly active: NamedObject;
  /** Returns the stored text, decrypted if necessary. */
  readonly text: () => string | null;
}

const NO_REFERENCES = { referenced_projects: [], referenced_parameters: [], referenced_templates: [] };

export function presentValue(
  { value, parameter, environment, active, text }: ShownValue,
  evaluationResults: EvaluationResults,
  { links, maskSecrets }: Pick<Presentation, 'links' | 'maskSecrets'>,
): Value {
  const evaluatedText = value.interpolated
    ? evaluationResults.evaluatedText({ sourceId: value.id, environmentId: active.id })
    : null;
  const isSecret = parameter.secret || (evaluatedText?.secret ?? false);
  const storedText = parameter.secret ? null : value.text;
  const external = presentExternalSource(externalSource(value));
  const valueText = shownText({
    isSecret,
    isMasked: maskSecrets,
    isNull: (value.sealed ?? value.text) === null,
    clear: () => evaluatedText?.text ?? text(),
  });
  return {
    url: links.value(parameter.projectId, parameter.id, value.id),
    id: value.id,
    ledger_id: value.ledger_id,
    active_environment: links.environment(active.id),
    active_environment_id: active.id,
    active_environment_name: active.name,
    environment: links.environment(environment.id),
    environment_id: environment.id,
    environment_name: environment.name,
    parameter: links.parameter(parameter.projectId, parameter.id),
    parameter_id: parameter.id,
    ...external,
    internal_value: storedText,
    interpolated: value.interpolated,
    value: valueText,
    evaluated: typeof evaluatedText?.text === 'string',
    secret: isSecret,
    ...(value.interpolated
      ? referenceLinks(evaluationResults.referencesOf(value.id), parameter.projectId, links)
      : NO_REFERENCES),
    created_at: value.created_at,
    modified_at: value.modified_at,
    dynamic: external.external,
    dynamic_error: external.external_error,
    dynamic_filter: external.external_filter,
    dynamic_fqn: external.external_fqn,
    static_value: storedText,
    expires_at: expiryTime(parameter.expires, value.modified_at),
  };
}

/** Presents rows with the parameters and environments that their ids refer to. */
export class Presenter {
  private readonly environments: ReadonlyMap<string, EnvironmentNode>;
  private readonly parameters: ReadonlyMap<string, ParameterRecord>;
  private readonly rules: ReadonlyMap<string, readonly RuleRecord[]>;
  private readonly projectNames: ReadonlyMap<string, string>;
  private readonly referrers: ReadonlyMap<string, readonly ReferrerRecord[]>;
  private readonly evaluated: EvaluationResults;

  constructor(
    private readonly snapshot: ProjectSnapshot,
    private readonly presentation: Presentation,
  ) {
    this.environments = indexById(snapshot.environments);
    this.parameters = new Map(snapshot.parameters.map((parameter) => [parameter.id, parameter]));
    this.rules = Map.groupBy(snapshot.rules, ({ parameterId }) => parameterId);
    this.projectNames = new Map(snapshot.projectChain.map(({ id, name }) => [id, name]));
    this.referrers = Map.groupBy(snapshot.referrers, ({ parameterId }) => parameterId);
    this.evaluated = presentation.evaluated ?? NOTHING_EVALUATED;
  }

  /** Presents a parameter. `valueIn` returns its effective value in an environment. */
  parameter(
    { parameter, overridden }: VisibleParameter<ParameterRecord>,
    shownEnvironments: readonly EnvironmentNode[],
    valueIn: (environmentId: string) => ValueRecord | null,
  ): Parameter {
    const { links } = this.presentation;
    const referrers = this.presentReferrers(parameter.id);
    const values = shownEnvironments.map((environment) => {
      const value = valueIn(environment.id);
      return [links.environment(environment.id), value && this.value(value, environment)] as const;
    });
    return shapeRow(Parameter, parameter, {
      url: links.parameter(parameter.projectId, parameter.id),
      rules: (this.rules.get(parameter.id) ?? []).map((rule) => presentRule({ parameter, rule }, links)),
      project: links.project(parameter.projectId),
      project_name: this.projectNames.get(parameter.projectId) ?? '',
      referencing_templates: referrers.templates,
      referencing_values: referrers.values,
      values: Object.fromEntries(values),
      overrides: overridden && links.parameter(overridden.projectId, overridden.id),
      templates: referrers.templates,
      values_flat: values.flatMap(([, value]) => value ?? []),
    });
  }

  /**
   * Presents a value. `active` is the environment that the value is shown for; by default, the environment where it is
   * set.
   */
  value(value: ValueRecord, active: EnvironmentNode | undefined = this.environments.get(value.environmentId)): Value {
    const parameter = this.parameters.get(value.parameterId);
    const environment = this.environments.get(value.environmentId);
    if (!parameter || !environment || !active) throw new Error(`Value ${value.id} hangs in the air.`);
    const text = () => this.snapshot.textOf(value);
    return presentValue({ value, parameter, environment, active, text }, this.evaluated, this.presentation);
  }

  private presentReferrers(parameterId: string) {
    const { links } = this.presentation;
    const templates: string[] = [];
    const values: string[] = [];
    for (const { sourceId, projectId, ofParameterId } of this.referrers.get(parameterId) ?? []) {
      if (ofParameterId === null) templates.push(links.template(projectId, sourceId));
      else values.push(links.value(projectId, ofParameterId, sourceId));
    }
    return { templates, values };
  }
}
