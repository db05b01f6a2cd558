import {
  EFFECTIVE_BATCH_LIMITS,
  type EffectiveBatch,
  type EffectiveBatchResult,
  type EffectiveBatchValue,
  type Value,
} from '@strata/contract';
import { Failure } from '@strata/domain';
import type { CoreClient, Query } from '../core.ts';

/** Identifies an effective value: a parameter as a project shows it, in one environment. */
export interface EffectiveValueKey {
  readonly projectId: string;
  readonly parameterId: string;
  readonly name: string;
  /** A name or an id. */
  readonly environment: string;
  readonly reveal: boolean;
  readonly pointInTime: Query;
  /** Whether all parameters of the project are requested, so that the request need not list their names. */
  readonly isCompleteList: boolean;
  /** The selected GraphQL fields of the value. */
  readonly selected: ReadonlySet<string>;
}

/** The members of a value that the batch read returns. The others are read when a field selects them. */
export type EffectiveValueRow = { readonly [Key in keyof Value]?: Value[Key] | undefined };

type BatchField = keyof EffectiveBatchValue;

/** The members that identify a value, from which its links are built. */
const IDENTITY = ['value_id', 'source_parameter_id', 'source_project_id', 'source_environment_id'] as const;

/** The batch fields that each selected field needs. A field that is not listed needs all members. */
const FIELDS_FOR: Readonly<Record<string, readonly BatchField[]>> = {
  __typename: [],
  ledgerId: ['ledger_id'],
  value: ['value'],
  secret: ['secret'],
  interpolated: ['interpolated'],
  evaluated: ['evaluated'],
  inherited: ['source_environment_id'],
  environmentId: ['source_environment_id'],
  environmentName: ['source_environment_name'],
  activeEnvironmentId: [],
  activeEnvironmentName: [],
  id: IDENTITY,
  nodeId: IDENTITY,
  parameterId: ['source_parameter_id'],
  project: IDENTITY,
  projectId: IDENTITY,
  parameter: IDENTITY,
  environment: IDENTITY,
  activeEnvironment: [],
  internalValue: ['internal_value'],
  external: ['external_fqn'],
  externalError: ['external_error'],
  externalFilter: ['external_filter'],
  externalFqn: ['external_fqn'],
  expiresAt: ['expires_at'],
  referencedParameterIds: ['referenced_parameters'],
  referencedProjectIds: ['referenced_projects'],
  referencedTemplateIds: ['referenced_templates'],
  referencedParameters: ['referenced_parameters'],
  referencedProjects: ['referenced_projects'],
  referencedTemplates: ['referenced_templates'],
  createdAt: ['created_at'],
  modifiedAt: ['modified_at'],
};

/** The maximum length of names in a URL, because intermediaries reject longer ones. */
const NAMES_LENGTH_MAX = 4_000;

interface Batch {
  readonly environments: Map<string, Set<string>>;
  readonly names: Set<string>;
  readonly selections: Set<ReadonlySet<string>>;
  readonly answer: Promise<EffectiveValues>;
  isCompleteList: boolean;
}

/** By project and environment: the values, or the error of the fields that need them. */
type EffectiveValuesFound = ReadonlyMap<string, EffectiveBatchResult | Error>;

/** The values of one batch. */
export class EffectiveValues {
  constructor(
    private readonly results: EffectiveValuesFound,
    /** Reads one value with all its members. */
    private readonly readFull: (key: EffectiveValueKey) => Promise<Value | null>,
  ) {}

  /**
   * Returns the effective value, or null if there is none; a promise if it must be read separately. Throws if the
   * environment of the project cannot be read.
   */
  row(key: EffectiveValueKey): EffectiveValueRow | null | Promise<EffectiveValueRow | null> {
    const result = this.results.get(batchKey(key.projectId, key.environment));
    if (!result) return null;
    if (result instanceof Error) throw result;
    if (result.error) {
      if (result.error.code === 'forbidden') throw Failure.forbidden(result.error.detail);
      return this.readFull(key);
    }
    if (!result.values || !Object.hasOwn(result.values, key.name)) return null;
    const presented = result.values[key.name];
    if (!presented) return null;
    return presented.parameter_id === key.parameterId ? toValueRow(presented, result) : this.readFull(key);
  }
}

/**
 * Loads effective values: as many of one level of a document as possible with one request to the core, for several
 * projects and environments. Created for one request; caches nothing.
 */
export class EffectiveBatchLoader {
  private readonly open = new Map<string, Batch>();

  constructor(
    private readonly core: CoreClient,
    /** Reads one value with all its members. */
    private readonly readFull: (key: EffectiveValueKey) => Promise<Value | null>,
  ) {}

  /** Resolves with the values of the batch that contains this one. */
  load(key: EffectiveValueKey): Promise<EffectiveValues> {
    const batch = this.batchFor(key);
    batch.names.add(key.name);
    batch.isCompleteList &&= key.isCompleteList;
    batch.selections.add(key.selected);
    const environments = batch.environments.get(key.projectId);
    if (environments) environments.add(key.environment);
    else batch.environments.set(key.projectId, new Set([key.environment]));
    return batch.answer;
  }

  private batchFor({ reveal, pointInTime }: EffectiveValueKey): Batch {
    const kind = `${reveal} ${JSON.stringify(pointInTime)}`;
    const openBatch = this.open.get(kind);
    if (openBatch) return openBatch;
    const { promise, resolve } = Promise.withResolvers<EffectiveValues>();
    const batch: Batch = {
      ...{ environments: new Map(), names: new Set(), selections: new Set() },
      ...{ answer: promise, isCompleteList: true },
    };
    this.open.set(kind, batch);
    // When the next turn of the event loop begins, all resolvers of one level have made their requests.
    setImmediate(() => {
      this.open.delete(kind);
      resolve(this.read(batch, { ...pointInTime, mask_secrets: !reveal, ...selectFields(batch) }));
    });
    return batch;
  }

  private async read(batch: Batch, query: Query): Promise<EffectiveValues> {
    const results = new Map<string, EffectiveBatchResult | Error>();
    const questions = groupRequests(batch).flatMap(([projects, environments]) => {
      return this.ask(projects, environments, listNames(batch), query, results);
    });
    await Promise.all(questions);
    return new EffectiveValues(results, this.readFull);
  }

  /** One missing object fails the whole request; separate requests fail only for the fields that need it. */
  private async ask(
    projects: readonly string[],
    environments: readonly string[],
    names: readonly string[],
    query: Query,
    results: Map<string, EffectiveBatchResult | Error>,
  ): Promise<void> {
    const address = new URLSearchParams([
      ...projects.map((id) => ['project', id]),
      ...environments.map((id) => ['environment', id]),
      ...names.map((name) => ['name', name]),
      ...Object.entries(query).map(([key, value]) => [key, String(value)]),
    ]);
    const askEach = (parts: readonly (readonly [projects: readonly string[], environments: readonly string[]])[]) =>
      Promise.all(parts.map(([projectIds, scope]) => this.ask(projectIds, scope, names, query, results)));
    try {
      const { body } = await this.core.get<EffectiveBatch>(`effective/?${address}`);
      // Results are identified by their position only.
      if (body.results.length !== projects.length * environments.length)
        throw new Error('The core answered another number of combinations than it was asked for.');
      for (const [index, result] of body.results.entries()) {
        const project = projects[Math.floor(index / environments.length)] ?? '';
        results.set(batchKey(project, environments[index % environments.length] ?? ''), result);
      }
    } catch (error) {
      const isNotFound = error instanceof Failure && error.kind === 'not_found';
      if (isNotFound && environments.length > 1)
        return void (await askEach(environments.map((environment) => [projects, [environment]])));
      if (isNotFound && projects.length > 1)
        return void (await askEach(projects.map((project) => [[project], environments])));
      for (const project of projects)
        for (const environment of environments) results.set(batchKey(project, environment), error as Error);
    }
  }
}

const batchKey = (project: string, environment: string) => `${project} ${environment}`;

function listNames({ names, isCompleteList }: Batch): readonly string[] {
  const all = [...names];
  const length = all.reduce((sum, name) => sum + name.length + 6, 0);
  return isCompleteList || all.length > EFFECTIVE_BATCH_LIMITS.names || length > NAMES_LENGTH_MAX ? [] : all;
}

/** Requests only the members that the document needs. `parameter_id` is needed to detect overrides. */
function selectFields({ selections }: Batch): Query {
  const fields = new Set<BatchField>(['parameter_id']);
  for (const selectedNames of selections) {
    for (const name of selectedNames) {
      const neededFields = FIELDS_FOR[name];
      if (!neededFields) return {};
      for (const field of neededFields) fields.add(field);
    }
  }
  return { include: [...fields].sort().join() };
}

/** Groups projects with the same environments, within the limits of one request. */
function groupRequests({ environments }: Batch): (readonly [projects: string[], environments: string[]])[] {
  const groups = new Map<string, { projects: string[]; environments: string[] }>();
  for (const [project, requestedEnvironments] of environments) {
    const key = JSON.stringify([...requestedEnvironments]);
    const group = groups.get(key);
    if (group) group.projects.push(project);
    else groups.set(key, { projects: [project], environments: [...requestedEnvironments] });
  }
  const { projects: projectsMax, environments: environmentsMax, combinations } = EFFECTIVE_BATCH_LIMITS;
  return [...groups.values()].flatMap(({ projects, environments: all }) =>
    inParts(all, environmentsMax).flatMap((environmentsPart) =>
      inParts(projects, Math.min(projectsMax, Math.floor(combinations / environmentsPart.length))).map(
        (part) => [part, environmentsPart] as const,
      ),
    ),
  );
}

function inParts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Members that the response does not contain are undefined, because no field needs them. */
function toValueRow(
  value: EffectiveBatchValue,
  { environment_id, environment_name }: EffectiveBatchResult,
): EffectiveValueRow {
  return {
    ledger_id: value.ledger_id,
    value: value.value,
    secret: value.secret,
    interpolated: value.interpolated,
    evaluated: value.evaluated,
    environment_id: value.source_environment_id,
    environment_name: value.source_environment_name,
    active_environment: `/environments/${environment_id}/`,
    active_environment_id: environment_id,
    active_environment_name: environment_name,
    parameter_id: value.source_parameter_id,
    created_at: value.created_at,
    modified_at: value.modified_at,
    internal_value: value.internal_value,
    expires_at: value.expires_at,
    referenced_projects: value.referenced_projects,
    referenced_parameters: value.referenced_parameters,
    referenced_templates: value.referenced_templates,
    external: (value.external_fqn ?? '') !== '',
    external_fqn: value.external_fqn,
    external_filter: value.external_filter,
    external_error: value.external_error,
    external_status: null,
    ...(value.value_id !== undefined && buildLinks(value)),
  };
}

function buildLinks(value: EffectiveBatchValue) {
  const parameter = `/projects/${value.source_project_id}/parameters/${value.source_parameter_id}/`;
  const environment = `/environments/${value.source_environment_id}/`;
  return { id: value.value_id, url: `${parameter}values/${value.value_id}/`, parameter, environment };
}
