export interface SeedParameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly secret: boolean;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
  readonly randomIn?: readonly string[];
}

export interface SeedProject {
  readonly name: string;
  readonly description: string;
  readonly dependsOn: string | null;
  readonly parameters: Readonly<Record<string, SeedParameter>>;
}

export interface SeedOrganization {
  /** Parents before children. */
  readonly environments: readonly { readonly name: string; readonly parent: string | null }[];
  /** What a project depends on comes before it. */
  readonly projects: readonly SeedProject[];
  readonly webhook: {
    readonly name: string;
    readonly channel: string;
    readonly username: string;
    readonly eventTypes: readonly string[];
  };
}

export const environments: SeedOrganization['environments'];
export const projects: SeedOrganization['projects'];
export const webhook: SeedOrganization['webhook'];
