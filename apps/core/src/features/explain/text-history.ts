import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  Failure,
  type OrganizationId,
  type ProjectId,
  type Revision,
  SYSTEM_PERMISSIONS,
} from '@strata/domain';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import {
  boundariesOf,
  ConfigurationHistory,
  type ConfigurationVersions,
  type Version,
  validAt,
  versionsOf,
} from '../snapshot/configuration-history.ts';
import { Evaluations } from '../templating/evaluation.ts';
import type { EvaluationInputs, InputTemplate, ReferenceRecord } from '../templating/evaluation-inputs.ts';

type ReferenceVersion = Omit<ReferenceRecord, 'targetProjectId'> & Version;
type TemplateVersion = InputTemplate & Version;

interface TextVersions {
  readonly references: readonly ReferenceVersion[];
  readonly templates: readonly TemplateVersion[];
}

const REFERENCES = versionsOf(
  'reference',
  `coalesce(value_id, template_id) as "sourceId", value_id, template_id, kind, project_id as "projectId", named, name,
   coalesce(target_parameter_id, target_template_id) as "targetId"`,
);
/** $4 texts, dynamic values and templates. */
const TEXTS: { readonly [Name in keyof TextVersions]: string } = {
  references: `
    select * from ${REFERENCES} r where r.value_id = any($4::uuid[])
    union all
    select * from ${REFERENCES} r where r.template_id = any($4::uuid[])`,
  templates: `
    select * from ${versionsOf('template', 'id, project_id as "projectId", name, body')} t where t.id = any($4::uuid[])`,
};

/** Texts behind texts behind texts: as deep as they may be, and then some for what has changed in between. */
const ROUNDS_MAX = 24;

export interface TextHistoryQuery {
  readonly organizationId: OrganizationId;
  readonly to: Revision;
  /** Where the names are asked about. */
  readonly history: ConfigurationHistory;
  /** Dynamic values, of any time. */
  readonly sourceIds: readonly string[];
  /** What may be read of the history of values, with what was read already. */
  readonly bytesMax: number;
}

/** Everything that some dynamic values ever needed, directly or through others. */
export interface TextHistory {
  /** Nothing is known of what was before this revision. */
  readonly knownFrom: Revision;
  readonly versions: ConfigurationVersions;
  readonly templates: readonly TemplateVersion[];
  readonly references: readonly ReferenceVersion[];
}

/** What dynamic values said in the past. */
@Injectable()
export class TextHistories {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly evaluations: Evaluations,
  ) {}

  /** Two statements for each text that stands behind another; their number does not depend on that of rows. */
  async of({ organizationId, to, history, sourceIds, bytesMax }: TextHistoryQuery): Promise<TextHistory> {
    const found = new Collected(history);
    let texts = [...sourceIds];
    for (let round = 0; texts.length > 0; round += 1) {
      if (round === ROUNDS_MAX) return { ...found.all(), knownFrom: to };
      const more = await this.reader.sets<TextVersions>({ organizationId, at: to }, TEXTS, [0, texts]);
      const places = found.addTexts(texts, more);
      if (places.projectIds.length > 0) {
        const span = { organizationId, ...places, from: 0, to, textBytesMax: Math.max(0, bytesMax - found.bytes) };
        found.addHistory(await ConfigurationHistory.of(this.reader, span));
      }
      texts = found.unread();
    }
    return found.all();
  }

  /** What a dynamic value said in an environment; null when it could not be evaluated. To be asked of what nobody is shown. */
  async textAt(
    organizationId: OrganizationId,
    history: TextHistory,
    revision: Revision,
    { sourceId, environmentId }: { readonly sourceId: string; readonly environmentId: EnvironmentId },
  ): Promise<string | null> {
    const inputs = inputsAt(history, revision);
    try {
      const wanted = [{ sourceId, environmentId }];
      const question = { organizationId, permissions: SYSTEM_PERMISSIONS, evaluate: true };
      const evaluated = await this.evaluations.within(inputs, wanted, question);
      return evaluated.seen({ sourceId, environmentId })?.text ?? null;
    } catch (error) {
      if (error instanceof Failure && error.kind === 'unprocessable') return null;
      throw error;
    }
  }
}

function inputsAt({ versions, templates, references }: TextHistory, revision: Revision): EvaluationInputs {
  const isValid = validAt(revision);
  return {
    environments: versions.environments.filter(isValid),
    projects: versions.projects.filter(isValid),
    projectsNow: null,
    parameters: versions.parameters.filter(isValid),
    values: versions.values.filter(isValid).map((value) => ({
      ...value,
      interpolated: value.interpolated && value.text !== null,
    })),
    templates: templates.filter(isValid),
    references: references.filter(isValid).map((reference) => ({ ...reference, targetProjectId: null })),
  };
}

/** The revisions at which something changed that texts need. */
export function textBoundaries(
  { versions, templates, references }: TextHistory,
  isAbove: (environmentId: EnvironmentId) => boolean,
): Set<Revision> {
  const { environments, projects, parameters, values } = versions;
  const places = environments.filter(({ id }) => isAbove(id));
  const above = values.filter(({ environmentId }) => isAbove(environmentId));
  return boundariesOf([...places, ...projects, ...parameters, ...above, ...templates, ...references]);
}

/** What has been read so far, each version once. */
class Collected {
  private readonly environments: ConfigurationVersions['environments'];
  private readonly projects = new Map<string, ConfigurationVersions['projects'][number]>();
  private readonly parameters = new Map<string, ConfigurationVersions['parameters'][number]>();
  private readonly values = new Map<string, ConfigurationVersions['values'][number]>();
  private readonly templates = new Map<string, TemplateVersion>();
  private readonly references: ReferenceVersion[] = [];
  private readonly read = new Set<string>();
  private readonly places = new Set<string>();
  private knownFrom: Revision;
  bytes = 0;

  constructor(history: ConfigurationHistory) {
    this.environments = history.versions.environments;
    this.knownFrom = history.knownFrom;
    this.addHistory(history);
  }

  addHistory({ versions, knownFrom, bytes }: ConfigurationHistory): void {
    this.bytes += bytes;
    for (const each of versions.projects) this.projects.set(versionKey(each), each);
    for (const each of versions.parameters) this.parameters.set(versionKey(each), each);
    for (const each of versions.values) this.values.set(versionKey(each), each);
    this.knownFrom = Math.max(this.knownFrom, knownFrom);
  }

  /** The places where these texts look names up and that were not known; null for names: all of them. */
  addTexts(
    texts: readonly string[],
    { references, templates }: TextVersions,
  ): { readonly projectIds: readonly ProjectId[]; readonly names: readonly string[] | null } {
    for (const id of texts) this.read.add(id);
    for (const each of templates) this.templates.set(versionKey(each), each);
    this.references.push(...references);
    const fresh = references.filter(({ kind, projectId, name }) => {
      const place = `${projectId} ${name}`;
      if (kind === 'template' || this.places.has(place)) return false;
      this.places.add(place);
      return true;
    });
    const names = fresh.some(({ kind }) => kind === 'parameters') ? null : fresh.map(({ name }) => name);
    return { projectIds: [...new Set(fresh.map(({ projectId }) => projectId))], names };
  }

  /** Texts that were met and not read yet. */
  unread(): string[] {
    const dynamic = [...this.values.values()].filter(({ interpolated, text }) => interpolated && text !== null);
    const templates = this.references.flatMap(({ kind, targetId }) =>
      kind === 'template' && targetId !== null ? [targetId] : [],
    );
    return [...new Set([...dynamic.map(({ id }) => id), ...templates])].filter((id) => !this.read.has(id));
  }

  all(): TextHistory {
    return {
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
  }
}

function versionKey({ id, revision }: { readonly id: string; readonly revision: Revision }): string {
  return `${id} ${revision}`;
}
