export interface SeedParameter {
  /** Built in, or one of the organization's own. */
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  readonly values: Readonly<Record<string, string>>;
  readonly randomIn?: readonly string[];
  /** After which its values are too old. */
  readonly expires?: string;
}

export interface SeedType {
  readonly name: string;
  readonly parent: string;
  readonly description: string;
  /** Constraints by kind of rule. */
  readonly rules: Readonly<Partial<Record<'min' | 'max' | 'min_len' | 'max_len' | 'regex', string>>>;
}

export interface SeedProject {
  readonly name: string;
  readonly description: string;
  readonly dependsOn: string | null;
  readonly parameters: Readonly<Record<string, SeedParameter>>;
  readonly templates?: Readonly<Record<string, { readonly description: string; readonly body: string }>>;
}

export interface SeedOrganization {
  /** Parents before children. */
  readonly environments: readonly { readonly name: string; readonly parent: string | null }[];
  /** Parents before children. */
  readonly types: readonly SeedType[];
  /** What a project depends on comes before it. */
  readonly projects: readonly SeedProject[];
  /** Loaded like projects, after them. */
  readonly examples?: readonly SeedProject[];
  readonly webhook: {
    readonly name: string;
    readonly channel: string;
    readonly username: string;
    readonly eventTypes: readonly string[];
  };
}

export const environments: SeedOrganization['environments'];
export const types: SeedOrganization['types'];
export const projects: SeedOrganization['projects'];
export const examples: NonNullable<SeedOrganization['examples']>;
export const webhook: SeedOrganization['webhook'];
