import type {
  Integration,
  IntegrationTask,
  Page,
  Parameter,
  Project,
  Push,
  PushKey,
  PushRunPlan,
  Tag,
  TaskStep,
} from '@strata/contract';
import { findProvider, NO_INSTALLATION, type Store } from '@strata/providers';
import {
  AWS_CREDENTIALS,
  startTestAws,
  startTestAzure,
  startTestGitHub,
  startTestGoogle,
  type TestAws,
  type TestAzure,
  type TestGitHub,
  type TestGitHubInstallation,
  type TestGoogle,
  type TestGoogleProject,
  type TestOrganization,
} from '@strata/testkit';
import type { RunSettings } from '../features/integrations/runs/run-settings.ts';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from './core-in-process.ts';
import { integration, tag } from './integrations.ts';
import { awsTarget, azureTarget, githubTarget, googleTarget, type PushTarget } from './push-targets.ts';
import { waitUntil } from './until.ts';

async function openCore(settings: Readonly<Record<string, string>>): Promise<CoreInProcess> {
  const core = await startCoreInProcess(settings);
  await configureRuns(core, { retryScale: 0.001 });
  return core;
}

async function configureRuns({ core }: CoreInProcess, intervals: Partial<RunSettings>): Promise<void> {
  const built = await moduleOfCore<typeof import('../features/integrations/runs/run-settings.ts')>(
    './features/integrations/runs/run-settings.js',
  );
  Object.assign(core.app.get(built.RunSettings), intervals);
}

/** A core that pushes to a stand-in for AWS. */
export class PushFixture {
  private constructor(
    readonly core: CoreInProcess,
    readonly aws: TestAws,
  ) {}

  static async on(aws: TestAws, settings: Readonly<Record<string, string>> = {}): Promise<PushFixture> {
    return new PushFixture(await openCore({ ...awsSettings(aws), ...settings }), aws);
  }

  /** Changes intervals of the core. */
  async configure(intervals: Partial<RunSettings>): Promise<void> {
    await configureRuns(this.core, intervals);
  }

  async close(): Promise<void> {
    await this.core.close();
    await this.aws.close();
  }

  /** Creates an integration with an account of its own, and a project with values in production. */
  async shop(values: Readonly<Record<string, string>>, service = 'secretsmanager'): Promise<PushedShop> {
    return PushedShop.create(this.aws, await this.core.organization(), values, service);
  }
}

interface AwsSuite {
  /** Not defined without the stand-in, because then no test runs. */
  readonly at: PushFixture;
  /** `describe` or `describe.skip`. */
  readonly suite: typeof describe;
  /** The name of the stand-in, or why there is none. */
  readonly standIn: string;
}

/**
 * Starts a stand-in for AWS and a core for the tests of a spec, and closes both at its end. Each test begins with a
 * stand-in that answers all requests. The tests are skipped where the stand-in cannot be installed.
 */
export async function setUpAws(settings?: Readonly<Record<string, string>>): Promise<AwsSuite> {
  const aws = await startTestAws();
  if (aws.missing !== null) {
    await aws.close();
    return { at: undefined as unknown as PushFixture, suite: describe.skip as typeof describe, standIn: aws.missing };
  }
  const at = await PushFixture.on(aws, settings);
  afterAll(() => at.close());
  afterEach(() => aws.interfere(() => null));
  return { at, suite: describe, standIn: 'moto' };
}

/** A core that pushes to a stand-in for Azure. */
export class AzurePushFixture {
  private constructor(
    readonly core: CoreInProcess,
    readonly azure: TestAzure,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<AzurePushFixture> {
    const azure = await startTestAzure();
    return new AzurePushFixture(await openCore({ ...azure.settings, ...settings }), azure);
  }

  async close(): Promise<void> {
    await this.core.close();
    await this.azure.close();
  }

  /** Creates an integration with a vault of its own, and a project with values in production. */
  async shop(values: Readonly<Record<string, string>>): Promise<PushedShop> {
    const organization = await this.core.organization();
    return PushedShop.createAt(azureTarget(this.azure, organization.id), organization, values);
  }
}

/** A core that pushes to a stand-in for Google. */
export class GooglePushFixture {
  private constructor(
    readonly core: CoreInProcess,
    readonly google: TestGoogle,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<GooglePushFixture> {
    const google = await startTestGoogle();
    return new GooglePushFixture(await openCore({ ...google.settings, ...settings }), google);
  }

  async close(): Promise<void> {
    await this.core.close();
    await this.google.close();
  }

  /** Creates an integration with a project of its own at Google, and a project with values in production. */
  async shop(values: Readonly<Record<string, string>>): Promise<PushedShop & Pick<TestGoogleProject, 'secrets'>> {
    const organization = await this.core.organization();
    const { google_project_id, secrets } = this.google.newProject(organization.id);
    const shop = await PushedShop.createAt(googleTarget(this.google, google_project_id), organization, values);
    return Object.assign(shop, { secrets });
  }
}

/** A core that pushes to a stand-in for GitHub. */
export class GitHubPushFixture {
  private constructor(
    readonly core: CoreInProcess,
    readonly github: TestGitHub,
  ) {}

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<GitHubPushFixture> {
    const github = await startTestGitHub();
    return new GitHubPushFixture(await openCore({ ...github.settings, ...settings }), github);
  }

  async close(): Promise<void> {
    await this.core.close();
    await this.github.close();
  }

  /** Creates an integration with an installation of its own, and a project with values in production. */
  async shop(values: Readonly<Record<string, string>>): Promise<PushedShop & { readonly at: TestGitHubInstallation }> {
    const organization = await this.core.organization();
    const at = this.github.newInstallation(organization.id);
    at.repositories.add('shop', 'production');
    const shop = await PushedShop.createAt(githubTarget(this.github, at.gh_installation_id), organization, values);
    return Object.assign(shop, { at });
  }
}

/** The settings of a core that uses the stand-in. */
export const awsSettings = (aws: TestAws): Record<string, string> => ({
  STRATA_PRIVATE_DESTINATIONS: 'true',
  STRATA_AWS_ACCESS_KEY_ID: AWS_CREDENTIALS.accessKeyId,
  STRATA_AWS_SECRET_ACCESS_KEY: AWS_CREDENTIALS.secretAccessKey,
  STRATA_AWS_ENDPOINT_URL: aws.endpoint,
});

/** A project whose values a push writes. */
export class PushedShop {
  private readonly parameters = new Map<string, Parameter>();
  private tags = 0;

  private constructor(
    private readonly target: PushTarget,
    readonly organization: TestOrganization,
    readonly integration: Integration,
    readonly project: Project,
  ) {}

  static create(
    aws: TestAws,
    organization: TestOrganization,
    values: Readonly<Record<string, string>>,
    service: string,
  ): Promise<PushedShop> {
    return PushedShop.createAt(awsTarget(aws, service), organization, values);
  }

  /** The values of an existing project. */
  static of(
    target: PushTarget,
    organization: TestOrganization,
    integration: Integration,
    project: Project,
  ): PushedShop {
    return new PushedShop(target, organization, integration, project);
  }

  static async createAt(
    target: PushTarget,
    organization: TestOrganization,
    values: Readonly<Record<string, string>>,
  ): Promise<PushedShop> {
    const createdIntegration = await integration(organization, target.path, target.integration);
    const project = await organization.project({ name: 'shop' });
    const shop = new PushedShop(target, organization, createdIntegration, project);
    for (const [name, text] of Object.entries(values)) await shop.set(name, text);
    return shop;
  }

  /** Sets a secret in production. */
  async set(name: string, text: string): Promise<void> {
    const parameter =
      this.parameters.get(name) ?? (await this.organization.parameter({ project: this.project, name, secret: true }));
    this.parameters.set(name, parameter);
    const environment = await this.organization.environmentNamed('production');
    const values = await this.organization.owner.get<Page<{ url: string }>>(
      `${parameter.url}values/?environment=${environment.id}`,
    );
    const [value] = values.body.results.filter((row) => 'environment' in row);
    if (value) await this.organization.owner.patch(value.url, { internal_value: text });
    else await this.organization.value({ parameter, environment, internal_value: text });
  }

  async remove(name: string): Promise<void> {
    await this.organization.owner.delete(this.parameters.get(name)?.url ?? '');
    this.parameters.delete(name);
  }

  parameter(name: string): Parameter {
    const parameter = this.parameters.get(name);
    if (!parameter) throw new Error(`The shop has no parameter ${name}.`);
    return parameter;
  }

  /** Creates a push and waits for its first run. */
  async push(input: object = {}, query = ''): Promise<FinishedPush> {
    const push = await this.startPush(input, query);
    await push.ended();
    return push;
  }

  /** Creates a tag of production. */
  async tag(input: object = {}): Promise<Tag> {
    const environment = await this.organization.environmentNamed('production');
    this.tags += 1;
    return tag(this.organization, environment, `tag-${this.tags}`, input);
  }

  async startPush(input: object = {}, query = ''): Promise<FinishedPush> {
    const stable = await this.tag();
    const { body, status, text } = await this.organization.owner.post<Push>(`${this.integration.url}pushes/${query}`, {
      name: `push ${this.tags}`,
      projects: [this.project.url],
      tags: [stable.url],
      ...this.target.push,
      include_secrets: true,
      ...input,
    });
    if (status !== 201) throw new Error(text);
    return new FinishedPush(this.organization, body, stable);
  }
  /** A connection of another program to the store of the push. */
  store(): Promise<Store> {
    const { provider: name, installation, push } = this.target;
    const guard = { allowPrivate: true, setting: 'STRATA_PRIVATE_DESTINATIONS' };
    const provider = findProvider(name);
    if (!provider) throw new Error(`There is no provider for ${name}.`);
    const tenant = { organizationId: this.organization.id, externalId: 'another program' };
    const { region = null, service = null } = push;
    const environment = { guard, ...NO_INSTALLATION, ...installation, onCall: () => undefined };
    return provider.open(this.integration, environment, { region, service }, tenant);
  }

  /** Returns the texts in the store, by key. */
  async texts(): Promise<Record<string, string | null>> {
    const store = await this.store();
    const keys = (await store.list('', '')).filter(({ isDeleted }) => !isDeleted);
    const texts: Record<string, string | null> = {};
    for (const { key } of keys) texts[key] = (await store.read(key))?.text ?? null;
    store.close();
    return texts;
  }

  /** Writes a text as another program. */
  async writeElsewhere(key: string, text: string): Promise<void> {
    const store = await this.store();
    const write = { key, text, isSecret: true, owner: 'another program' };
    await ((await store.read(key)) === null ? store.create(write) : store.update(write));
    store.close();
  }
}

/** A push that runs on request. */
export class FinishedPush {
  constructor(
    private readonly organization: TestOrganization,
    readonly push: Push,
    readonly tag: Tag,
  ) {}

  async latest(): Promise<IntegrationTask> {
    const { body } = await this.organization.owner.get<Push>(this.push.url);
    if (!body.latest_task) throw new Error('The push has no task.');
    return body.latest_task;
  }

  /** Waits until the latest task has ended. */
  ended(): Promise<IntegrationTask> {
    return this.untilLatest(({ state }) => state !== 'queued' && state !== 'running');
  }

  /** Waits until the latest task satisfies a condition. */
  untilLatest(condition: (task: IntegrationTask) => boolean): Promise<IntegrationTask> {
    return waitUntil(() => this.latest(), condition);
  }

  /** Waits until the keys of the push satisfy a condition. */
  untilKeys(condition: (keys: readonly PushKey[]) => boolean): Promise<readonly PushKey[]> {
    return waitUntil(() => this.keys(), condition);
  }

  async keys(query = ''): Promise<readonly PushKey[]> {
    return (await this.organization.owner.get<Page<PushKey>>(`${this.push.url}keys/${query}`)).body.results;
  }

  /** Returns the key, state, action and reason of each key as one text. */
  async states(): Promise<readonly string[]> {
    return (await this.keys()).map(({ key, state, action, reason }) => `${key} ${state} ${action} ${reason}`);
  }

  async plan(): Promise<PushRunPlan> {
    return (await this.organization.owner.get<PushRunPlan>(`${this.push.url}plan/`)).body;
  }

  /** Runs the push with a body, such as decisions, and waits for its end. */
  async runWith(body: object): Promise<IntegrationTask> {
    const { status, text } = await this.organization.owner.post(`${this.push.url}run/`, body);
    if (status !== 202) throw new Error(text);
    return this.ended();
  }

  /** Runs the push again with the values of its tag. */
  async run(): Promise<IntegrationTask> {
    await this.organization.owner.post(`${this.push.url}sync/`);
    return this.ended();
  }

  /** Moves the tag to the current values, which runs the push. */
  async move(): Promise<IntegrationTask> {
    await this.startMove();
    return this.ended();
  }

  async startMove(): Promise<void> {
    await this.organization.owner.patch(this.tag.url, { timestamp: new Date(Date.now() + 1_000).toISOString() });
  }

  async steps(): Promise<readonly TaskStep[]> {
    const { url } = await this.latest();
    return (await this.organization.owner.get<Page<TaskStep>>(`${url}steps/?page_size=100`)).body.results;
  }
}
