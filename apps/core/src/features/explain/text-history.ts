import { Injectable } from '@nestjs/common';
import {
  type ComparableText,
  type EnvironmentId,
  Failure,
  type OrganizationId,
  type ProjectId,
  type Revision,
  type ScopeId,
  SYSTEM_PERMISSIONS,
  type TextInEnvironment,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { ConfigurationHistory, type ConfigurationVersions, type TextSpan } from '../snapshot/configuration-history.ts';
import { selectStates, versionsSql } from '../snapshot/version-sql.ts';
import { listBoundaries, type Version, VersionSweep } from '../snapshot/versions.ts';
import { planSteps, TextEvaluator } from '../templating/evaluation.ts';
import type { ReferenceRecord } from '../templating/evaluation-inputs.ts';
import { type ComparableSource, inputDigests } from '../templating/input-digests.ts';
import { createPastTexts, isHidden, type PastInputs, type TemplateVersion, versionKey } from './past-inputs.ts';

type ReferenceVersion = Omit<ReferenceRecord, 'targetProjectId'> & Version;

interface TextVersions {
  readonly references: readonly ReferenceVersion[];
  readonly templates: readonly TemplateVersion[];
}

const REFERENCES = selectStates('reference', {
  sourceId: 'coalesce(value_id, template_id)',
  value_id: 'value_id',
  template_id: 'template_id',
  kind: 'kind',
  projectId: 'project_id',
  named: 'named',
  name: 'name',
  targetId: 'coalesce(target_parameter_id, target_template_id)',
});
/** Parameter $4 contains the ids of the texts: dynamic values and templates. */
const TEXTS: { readonly [Name in keyof TextVersions]: string } = {
  references: `
    select * from ${REFERENCES} reference where reference.value_id = any($4::uuid[])
    union all
    select * from ${REFERENCES} reference where reference.template_id = any($4::uuid[])`,
  templates: `
    select * from ${versionsSql('template', 'id, project_id as "projectId", name, body')} template where template.id = any($4::uuid[])`,
};

/**
 * The maximum number of nested levels of texts. It exceeds the depth that evaluation allows, because references change
 * over time.
 */
const ROUNDS_MAX = 24;

export interface TextHistoryQuery {
  readonly organizationId: OrganizationId;
  readonly to: Revision;
  /** The history of the requested names. */
  readonly history: ConfigurationHistory;
  /** Ids of the dynamic values that the names had at any time. */
  readonly sourceIds: readonly string[];
  /** Limits of the value history, including what was already read. */
  readonly values: TextSpan;
}

/** The data to evaluate dynamic values of the past. */
export interface PastTexts {
  readonly organizationId: OrganizationId;
  readonly history: TextHistory;
  readonly hiddenScopes: readonly ScopeId[];
  /** The evaluated texts so far, by input digest; null for texts that cannot be evaluated. */
  readonly texts: Map<string, string | null>;
  /** The stored texts that were compared so far, by version. */
  readonly stored: Map<string, ComparableSource>;
}

/** The history of everything that some dynamic values depend on, directly or through other texts. */
export interface TextHistory {
  /** The first revision of the available history. */
  readonly knownFrom: Revision;
  readonly versions: ConfigurationVersions;
  readonly templates: readonly TemplateVersion[];
  readonly references: readonly ReferenceVersion[];
  /** Returns the inputs of evaluations at one revision. Calls with descending revisions are the cheapest. */
  readonly inputsAt: (revision: Revision) => PastInputs;
}

/** Reads the history of dynamic values, and evaluates them at past revisions. */
@Injectable()
export class TextHistoryReader {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly evaluations: TextEvaluator,
  ) {}

  /** Runs two statements for each nested level of texts, however many rows there are. */
  async of({ organizationId, to, history, sourceIds, values }: TextHistoryQuery): Promise<TextHistory> {
    const collectedTexts = new Collected(history);
    let texts = [...sourceIds];
    for (let round = 0; texts.length > 0; round += 1) {
      if (round === ROUNDS_MAX) return { ...collectedTexts.all(), knownFrom: to };
      const moreVersions = await this.reader.sets<TextVersions>({ organizationId, at: to }, TEXTS, [0, texts]);
      const lookups = collectedTexts.addTexts(texts, moreVersions);
      if (lookups.projectIds.length > 0) {
        const restVersions = { ...values, bytesMax: Math.max(0, values.bytesMax - collectedTexts.bytes) };
        const span = { organizationId, ...lookups, from: 0, to, values: restVersions };
        collectedTexts.addHistory(await ConfigurationHistory.of(this.reader, span));
      }
      texts = collectedTexts.unread();
    }
    return collectedTexts.all();
  }

  /**
   * Returns the text of a dynamic value in an environment for comparison. It ignores permissions, so a response must
   * never contain it.
   */
  async comparableAt(
    { organizationId, history, hiddenScopes, texts, stored }: PastTexts,
    revision: Revision,
    text: TextInEnvironment,
  ): Promise<ComparableText> {
    const inputs = history.inputsAt(revision);
    try {
      const steps = await planSteps(inputs, [text]);
      const scopes = new Set(hiddenScopes);
      const digests = inputDigests(inputs, steps, createPastTexts(inputs, scopes, stored))(text);
      if (isHidden(inputs, steps, scopes, text)) return { kind: 'hidden', madeOf: digests };
      const read = texts.get(digests);
      if (read !== undefined) return { kind: 'open', text: read };
      texts.set(digests, null);
      const request = { organizationId, permissions: SYSTEM_PERMISSIONS, evaluate: true };
      const evaluationResults = await this.evaluations.within(inputs, [text], request);
      const evaluatedText = evaluationResults.evaluatedText(text)?.text ?? null;
      texts.set(digests, evaluatedText);
      return { kind: 'open', text: evaluatedText };
    } catch (error) {
      if (error instanceof Failure && error.kind === 'unprocessable') return { kind: 'open', text: null };
      throw error;
    }
  }
}

function createInputsLookup({
  versions,
  templates,
  references,
}: Omit<TextHistory, 'inputsAt'>): TextHistory['inputsAt'] {
  const sweeps = {
    environments: new VersionSweep(versions.environments),
    projects: new VersionSweep(versions.projects),
    parameters: new VersionSweep(versions.parameters),
    values: new VersionSweep(
      versions.values.map((value) => ({
        ...value,
        sealed: null,
        ledger_id: versionKey(value),
        interpolated: value.interpolated && !value.isNull,
      })),
    ),
    templates: new VersionSweep(templates),
    references: new VersionSweep(references.map((reference) => ({ ...reference, targetProjectId: null }))),
  };
  return (revision) => ({
    environments: sweeps.environments.at(revision),
    projects: sweeps.projects.at(revision),
    projectsNow: null,
    parameters: sweeps.parameters.at(revision),
    values: sweeps.values.at(revision),
    templates: sweeps.templates.at(revision),
    references: sweeps.references.at(revision),
  });
}

/** Returns the revisions at which an input of the texts changed. */
export function textBoundaries(
  { versions, templates, references }: TextHistory,
  isAbove: (environmentId: EnvironmentId) => boolean,
): Set<Revision> {
  const { environments, projects, parameters, values } = versions;
  const movedEnvironments = environments.filter(({ id }) => isAbove(id));
  const inheritedValues = values.filter(({ environmentId }) => isAbove(environmentId));
  return listBoundaries([
    ...movedEnvironments,
    ...projects,
    ...parameters,
    ...inheritedValues,
    ...templates,
    ...references,
  ]);
}

/** The rows read so far. Each version is stored once. */
class Collected {
  private readonly environments: ConfigurationVersions['environments'];
  private readonly projects = new Map<string, ConfigurationVersions['projects'][number]>();
  private readonly parameters = new Map<string, ConfigurationVersions['parameters'][number]>();
  private readonly values = new Map<string, ConfigurationVersions['values'][number]>();
  private readonly templates = new Map<string, TemplateVersion>();
  private readonly references: ReferenceVersion[] = [];
  private readonly read = new Set<string>();
  private readonly lookedUp = new Set<string>();
  private knownFrom: Revision;
  bytes = 0;

  constructor(history: ConfigurationHistory) {
    this.environments = history.versions.environments;
    this.knownFrom = history.knownFrom;
    this.addHistory(history);
  }

  addHistory({ versions, knownFrom, bytes }: ConfigurationHistory): void {
    this.bytes += bytes;
    for (const version of versions.projects) this.projects.set(versionKey(version), version);
    for (const version of versions.parameters) this.parameters.set(versionKey(version), version);
    for (const version of versions.values) this.values.set(versionKey(version), version);
    this.knownFrom = Math.max(this.knownFrom, knownFrom);
  }

  /** Adds texts. Returns the names that they look up and that were not read before; null stands for all names. */
  addTexts(
    texts: readonly string[],
    { references, templates }: TextVersions,
  ): { readonly projectIds: readonly ProjectId[]; readonly names: readonly string[] | null } {
    for (const id of texts) this.read.add(id);
    for (const version of templates) this.templates.set(versionKey(version), version);
    this.references.push(...references);
    const newReferences = references.filter(({ kind, projectId, name }) => {
      const key = `${projectId} ${name}`;
      if (kind === 'template' || this.lookedUp.has(key)) return false;
      this.lookedUp.add(key);
      return true;
    });
    const names = newReferences.some(({ kind }) => kind === 'parameters')
      ? null
      : newReferences.map(({ name }) => name);
    return { projectIds: [...new Set(newReferences.map(({ projectId }) => projectId))], names };
  }

  /** Returns the ids of texts that were found but not read. */
  unread(): string[] {
    const dynamic = [...this.values.values()].filter(({ interpolated, isNull }) => interpolated && !isNull);
    const templates = this.references.flatMap(({ kind, targetId }) =>
      kind === 'template' && targetId !== null ? [targetId] : [],
    );
    return [...new Set([...dynamic.map(({ id }) => id), ...templates])].filter((id) => !this.read.has(id));
  }

  all(): TextHistory {
    const all = {
      knownFrom: this.knownFrom,
      versions: {
        environments: this.environments,
        projects: [...this.projects.values()],
        parameters: [...this.parameters.values()],
        values: [...this.values.values()],
      },
      templates: [...this.templates.values()],
      references: this.references,
    };
    return { ...all, inputsAt: createInputsLookup(all) };
  }
}
