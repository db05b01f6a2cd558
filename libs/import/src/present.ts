import type { ImportOperation } from './import-item.ts';
import type { Platform } from './platform.ts';

/** The state of an organization as far as an import needs it, by name. */
export interface ExistingState {
  readonly environments: ReadonlyMap<string, ExistingScope>;
  readonly types: ReadonlyMap<string, ExistingType>;
  readonly projects: ReadonlyMap<string, ExistingScope>;
  /** The contents of the projects that the platform contains too. */
  readonly contents: ReadonlyMap<string, ExistingContents>;
  readonly webhooks: ReadonlySet<string>;
  /** The tags by name of the environment, for the environments whose tags are imported. */
  readonly tags: ReadonlyMap<string, TagTimes>;
  readonly groups: ReadonlyMap<string, ExistingGroup>;
  readonly people: readonly ExistingPerson[];
  readonly grants: readonly ExistingGrant[];
  /** The id of the caller, who becomes OWNER of each scope that the import restricts. Null if the platform has no grants. */
  readonly callerId: string | null;
}

/** An environment or a project. */
export interface ExistingScope {
  readonly id: string;
  readonly parent: string | null;
  readonly description: string;
  readonly isControlled: boolean;
}

/** The times of tags by name. */
export type TagTimes = ReadonlyMap<string, string>;

export interface ExistingRule {
  readonly id: string;
  readonly constraint: string;
}

export interface ExistingType {
  readonly id: string;
  readonly parent: string | null;
  readonly description: string;
  readonly rules: ReadonlyMap<string, ExistingRule>;
}

export interface ExistingContents {
  readonly parameters: ReadonlyMap<string, ExistingParameter>;
  readonly templates: ReadonlyMap<string, { readonly id: string; readonly description: string; readonly body: string }>;
}

export interface ExistingParameter {
  readonly id: string;
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  /** The duration after which its values expire. */
  readonly expires: string | null;
  readonly rules: ReadonlyMap<string, ExistingRule>;
  /** The values that are set, by name of the environment. The text of a secret is null. */
  readonly values: ReadonlyMap<
    string,
    { readonly id: string; readonly text: string | null; readonly isDynamic: boolean }
  >;
}

export interface ExistingGroup {
  readonly id: string;
  readonly members: ReadonlySet<string>;
}

export interface ExistingPerson {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly isService: boolean;
}

export interface ExistingGrant {
  readonly principalId: string;
  readonly scopeId: string;
  readonly role: string;
}

/** The reason why an operation of a changeset was rejected. */
export interface RejectedOperation {
  readonly index: number;
  readonly message: string;
}

export type ChangesetOutcome =
  | {
      /** The revision of the organization. */
      readonly revision: number;
      /** The ids of the objects, by operation. */
      readonly ids: readonly (string | null)[];
      readonly rejected?: undefined;
    }
  /** Nothing was stored. */
  | { readonly rejected: readonly RejectedOperation[] };

/** The access of an import to an organization. */
export interface ImportClient {
  environments(): Promise<ExistingState['environments']>;
  types(): Promise<ExistingState['types']>;
  projects(): Promise<ExistingState['projects']>;
  fetchContents(projectId: string): Promise<ExistingContents>;
  webhooks(): Promise<ExistingState['webhooks']>;
  fetchTags(environmentId: string): Promise<TagTimes>;
  groups(): Promise<ExistingState['groups']>;
  people(): Promise<ExistingState['people']>;
  grants(): Promise<ExistingState['grants']>;
  callerId(): Promise<string>;
  /** Applies a changeset. Throws if it was rejected as a whole. */
  apply(message: string, operations: readonly ImportOperation[]): Promise<ChangesetOutcome>;
}

/** Reads what the plan of a platform compares. */
export async function readExistingState(client: ImportClient, platform: Platform): Promise<ExistingState> {
  const hasPeople = Boolean(platform.groups?.length || platform.grants?.length);
  const [environments, types, projects, webhooks, groups, people, grants, callerId] = await Promise.all([
    client.environments(),
    client.types(),
    client.projects(),
    platform.webhook ? client.webhooks() : new Set<string>(),
    hasPeople ? client.groups() : new Map<string, ExistingGroup>(),
    hasPeople ? client.people() : [],
    platform.grants?.length ? client.grants() : [],
    platform.grants?.length ? client.callerId() : null,
  ]);
  const contents = new Map<string, ExistingContents>();
  // One after the other, because each one is a whole project.
  for (const { name } of platform.projects) {
    const currentProject = projects.get(name);
    if (currentProject) contents.set(name, await client.fetchContents(currentProject.id));
  }
  const tags = new Map<string, TagTimes>();
  for (const name of new Set(platform.tags?.map(({ environment }) => environment))) {
    const currentEnvironment = environments.get(name);
    if (currentEnvironment) tags.set(name, await client.fetchTags(currentEnvironment.id));
  }
  return { environments, types, projects, contents, webhooks, tags, groups, people, grants, callerId };
}
