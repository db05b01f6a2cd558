import type { Environment, Page, Project, Value } from '@strata/contract';
import type { RawClient, Reply } from '../client.ts';
import type { TestOrganization } from '../organization.ts';
import { type ConfigurationModel, EMPTY_MODEL, type ModelAccess } from './configuration-model.ts';
import { applyToModel, createdKey, type ModelStep } from './model-steps.ts';

interface Made {
  readonly id: string;
  readonly url: string;
}

/** The revision and time of an applied step. */
interface AppliedStep {
  /** The revision of the organization after the step. */
  readonly revision: number;
  /** The time of that revision; null if the step deleted the object or changed nothing. */
  readonly modifiedAt: string | null;
}

/**
 * Builds an organization in the service that matches a model. Every step uses the public API, and no step may be
 * rejected.
 */
export class ModelInService {
  private model: ConfigurationModel = EMPTY_MODEL;
  private revision = 0;
  private readonly createdByKey = new Map<string, Made>();

  private constructor(
    readonly organization: TestOrganization,
    /** A VIEWER without grants, except on scopes whose access is `granted`. */
    readonly reader: RawClient,
    private readonly readerUrl: string,
  ) {}

  /** Creates an organization that contains only the environment `default`. */
  static async begin(organization: TestOrganization): Promise<ModelInService> {
    const { owner } = organization;
    const reader = organization.as('VIEWER');
    const { url } = (await reader.get<Made>('users/current/')).body;
    const service = new ModelInService(organization, reader, url);
    const [environments, projects] = [
      await owner.get<Page<Environment>>('environments/'),
      await owner.get<Page<Project>>('projects/'),
    ];
    for (const { name, id, url: environment } of environments.body.results) {
      if (name === 'default') service.createdByKey.set('root', { id, url: environment });
      else expectStatus(await owner.delete(environment), 204);
    }
    for (const project of projects.body.results) expectStatus(await owner.delete(project.url), 204);
    return service;
  }

  /** The model after the applied steps. */
  get state(): ConfigurationModel {
    return this.model;
  }

  /** Returns the id of an object by its key, even after the object was deleted. */
  id(key: string): string {
    return this.of(key).id;
  }

  url(key: string): string {
    return this.of(key).url;
  }

  /** Returns the link of an explicit value. */
  valueUrl(parameter: string, environment: string): string {
    return this.url(valueKey({ parameter, environment }));
  }

  /** Applies a step. */
  async apply(step: ModelStep): Promise<AppliedStep> {
    const { headers, body } = await this.send(step);
    this.model = applyToModel(this.model, step);
    const revision = Number(headers['x-revision']);
    const modifiedAt = (body as { readonly modified_at?: string } | null)?.modified_at ?? null;
    const isChange = revision > this.revision;
    this.revision = revision;
    return { revision, modifiedAt: isChange ? modifiedAt : null };
  }

  /** Applies the steps one after the other. */
  async applyAll(steps: readonly ModelStep[]): Promise<readonly AppliedStep[]> {
    const appliedSteps: AppliedStep[] = [];
    for (const step of steps) appliedSteps.push(await this.apply(step));
    return appliedSteps;
  }

  private send(step: ModelStep): Promise<Reply> {
    const { owner } = this.organization;
    const change = async (key: string, body: object) => expectStatus(await owner.patch(this.url(key), body), 200);
    const remove = async (key: string) => expectStatus(await owner.delete(this.url(key)), 204);
    switch (step.kind) {
      case 'create environment':
        return this.create(step, 'environments/', { name: step.name, parent: this.url(step.parent) });
      case 'move environment':
        return change(step.environment, { parent: this.url(step.parent) });
      case 'rename environment':
        return change(step.environment, { name: step.name });
      case 'delete environment':
        return remove(step.environment);
      case 'create project':
        return this.create(step, 'projects/', { name: step.name, depends_on: this.link(step.dependsOn) });
      case 'move project':
        return change(step.project, { depends_on: this.link(step.dependsOn) });
      case 'rename project':
        return change(step.project, { name: step.name });
      case 'delete project':
        return remove(step.project);
      case 'create parameter': {
        const { name, secret, description } = step;
        return this.create(step, `${this.url(step.project)}parameters/`, { name, secret, description });
      }
      case 'rename parameter':
        return change(step.parameter, { name: step.name });
      case 'delete parameter':
        return remove(step.parameter);
      case 'set value':
        return this.setValue(step);
      case 'delete value':
        return remove(valueKey(step));
      case 'create template':
        return this.create(step, `${this.url(step.project)}templates/`, { name: step.name, body: step.body });
      case 'delete template':
        return remove(step.template);
      case 'control environment':
        return this.control(step.environment, step.access);
      case 'control project':
        return this.control(step.project, step.access);
    }
  }

  private async create({ kind }: ModelStep, path: string, body: object): Promise<Reply> {
    const response = expectStatus(await this.organization.owner.post<Made>(path, body), 201);
    this.createdByKey.set(createdKey(this.model, kind), response.body);
    return response;
  }

  private async setValue(step: ModelStep & { readonly kind: 'set value' }): Promise<Reply> {
    const { owner } = this.organization;
    const { parameter, environment, text, dynamic } = step;
    const texts = { internal_value: text, interpolated: dynamic };
    const isSet = this.model.values.some((value) => value.parameter === parameter && value.environment === environment);
    if (isSet) return expectStatus(await owner.patch(this.url(valueKey(step)), texts), 200);
    const body = { environment: this.url(environment), ...texts };
    const response = expectStatus(await owner.post<Value>(`${this.url(parameter)}values/`, body), 201);
    this.createdByKey.set(valueKey(step), response.body);
    return response;
  }

  /** The owner's grant comes first, because it makes the scope controlled. */
  private async control(key: string, access: ModelAccess): Promise<Reply> {
    const { owner } = this.organization;
    const openedScope = expectStatus(await owner.patch(this.url(key), { access_controlled: false }), 200);
    if (access === 'open') return openedScope;
    const closedScope = expectStatus(await owner.patch(this.url(key), { access_controlled: true }), 200);
    if (access === 'closed') return closedScope;
    const input = { principal: this.readerUrl, scope: this.url(key), role: 'VIEWER' };
    return expectStatus(await owner.post('grants/', input), 201);
  }

  private link(key: string | null): string | null {
    return key === null ? null : this.url(key);
  }

  private of(key: string): Made {
    const createdObject = this.createdByKey.get(key);
    if (!createdObject) throw new Error(`Nothing was made for ${key}.`);
    return createdObject;
  }
}

function valueKey({ parameter, environment }: { readonly parameter: string; readonly environment: string }): string {
  return `${parameter} in ${environment}`;
}

/** The service must not reject a step that the model permits. */
function expectStatus<T>(response: Reply<T>, status: number): Reply<T> {
  if (response.status !== status) throw new Error(`Expected ${status}, got ${response.status}: ${response.text}`);
  return response;
}
