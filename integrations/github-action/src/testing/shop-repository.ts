import fs from 'node:fs';
import type { Project } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { FakeGitHub } from './fake-github.ts';
import { Job, releasedAction } from './job.ts';

export const FILE = 'release.yaml';

/** Returns a changeset that sets values. */
export const set = (values: object): string => JSON.stringify({ operations: [{ set: { values } }] });

/** A repository whose jobs use the project `shop` of an organization of their own. */
export class ShopRepository {
  private static action: string | null = null;
  private readonly jobs: Job[] = [];

  private constructor(
    readonly organization: TestOrganization,
    readonly project: Project,
    readonly github: FakeGitHub,
    /** The inputs that every step needs, with the API key of a service account. */
    readonly inputs: Readonly<Record<string, string>>,
  ) {}

  static async create(core: RunningCore): Promise<ShopRepository> {
    ShopRepository.action ??= await releasedAction();
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    const key = (await organization.authorization('CONTRIB')).replace(/^Api-Key /, '');
    const inputs = { url: core.origin, 'api-key': key, project: 'shop', environment: 'default' };
    return new ShopRepository(organization, project, await FakeGitHub.start(), inputs);
  }

  /** Deletes the action that all shops of a file use. */
  static removeAction(): void {
    if (ShopRepository.action !== null) fs.rmSync(ShopRepository.action, { recursive: true });
    ShopRepository.action = null;
  }

  /** Returns a job whose folder contains a changeset. */
  job(changeset: string, ...[event, permissions]: EventAndPermissions): Job {
    const job = new Job(ShopRepository.action ?? '', this.github, event, permissions);
    this.jobs.push(job);
    job.write(FILE, changeset);
    return job;
  }

  /** Applies a changeset with the key of the inputs. */
  async write(values: object, more: object = {}): Promise<void> {
    const step = { set: { project: 'shop', environment: 'default', values, create_missing: true } };
    const caller = this.organization.as('CONTRIB');
    const { status, text } = await caller.post('changesets/', { operations: [step], ...more });
    if (status !== 201) throw new Error(text);
  }

  async value(name: string, environment = 'default'): Promise<string | null | undefined> {
    const query = `effective/?project=shop&environment=${environment}&name=${name}`;
    const { body } = await this.organization.owner.get<{
      readonly results: readonly { readonly values: Readonly<Record<string, { readonly value: string | null }>> }[];
    }>(query);
    return body.results[0]?.values[name]?.value;
  }

  async close(): Promise<void> {
    for (const job of this.jobs) job.remove();
    await this.github.close();
  }
}

type EventAndPermissions = [
  event: ConstructorParameters<typeof Job>[2],
  permissions?: ConstructorParameters<typeof Job>[3],
];
