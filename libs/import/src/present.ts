import type { ImportOperation } from './import-item.ts';
import type { Platform } from './platform.ts';

/** The state of an organization as far as an import needs it, by name. */
export interface Present {
  readonly environments: ReadonlyMap<string, PresentScope>;
  readonly types: ReadonlyMap<string, PresentType>;
  readonly projects: ReadonlyMap<string, PresentScope>;
  /** The contents of the projects that the platform contains too. */
  readonly contents: ReadonlyMap<string, PresentContents>;
  readonly webhooks: ReadonlySet<string>;
  /** The tags by name of the environment, for the environments whose tags are imported. */
  readonly tags: ReadonlyMap<string, TagTimes>;
  readonly groups: ReadonlyMap<string, PresentGroup>;
  readonly people: readonly PresentPerson[];
  readonly grants: readonly PresentGrant[];
  /** The id of the caller, who becomes OWNER of each scope that the import restricts. Null if the platform has no grants. */
  readonly callerId: string | null;
}

/** An environment or a project. */
export interface PresentScope {
  readonly id: string;
  readonly parent: string | null;
  readonly description: string;
  readonly isControlled: boolean;
}

/** The times of tags by name. */
export type TagTimes = ReadonlyMap<string, string>;

export interface PresentRule {
  readonly id: string;
  readonly constraint: string;
}

export interface PresentType {
  readonly id: string;
  readonly parent: string | null;
  readonly description: string;
  readonly rules: ReadonlyMap<string, PresentRule>;
}

export interface PresentContents {
  readonly parameters: ReadonlyMap<string, PresentParameter>;
  readonly templates: ReadonlyMap<string, { readonly id: string; readonly description: string; readonly body: string }>;
}

export interface PresentParameter {
  readonly id: string;
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  /** The duration after which its values expire. */
  readonly expires: string | null;
  readonly rules: ReadonlyMap<string, PresentRule>;
  /** The values that are set, by name of the environment. The text of a secret is null. */
  readonly values: ReadonlyMap<
    string,
    { readonly id: string; readonly text: string | null; readonly isDynamic: boolean }
  >;
}

export interface PresentGroup {
  readonly id: string;
  readonly members: ReadonlySet<string>;
}

export interface PresentPerson {
  readonly id: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly isService: boolean;
}

export interface PresentGrant {
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
  environments(): Promise<Present['environments']>;
  types(): Promise<Present['types']>;
  projects(): Promise<Present['projects']>;
  fetchContents(projectId: string): Promise<PresentContents>;
  webhooks(): Promise<Present['webhooks']>;
  fetchTags(environmentId: string): Promise<TagTimes>;
  groups(): Promise<Present['groups']>;
  people(): Promise<Present['people']>;
  grants(): Promise<Present['grants']>;
  callerId(): Promise<string>;
  /** Applies a changeset. Throws if it was rejected as a whole. */
  apply(message: string, operations: readonly ImportOperation[]): Promise<ChangesetOutcome>;
}

/** Reads what the plan of a platform compares. */
export async function readPresent(client: ImportClient, platform: Platform): Promise<Present> {
  const hasPeople = Boolean(platform.groups?.length || platform.grants?.length);
  const [environments, types, projects, webhooks, groups, people, grants, callerId] = await Promise.all([
    client.environments(),
    client.types(),
    client.projects(),
    platform.webhook ? client.webhooks() : new Set<string>(),
    hasPeople ? client.groups() : new Map<string, PresentGroup>(),
    hasPeople ? client.people() : [],
    platform.grants?.length ? client.grants() : [],
    platform.grants?.length ? client.callerId() : null,
  ]);
  const contents = new Map<string, PresentContents>();
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
