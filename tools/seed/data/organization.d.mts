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

export const environments: readonly { readonly name: string; readonly parent: string | null }[];
export const projects: readonly SeedProject[];
export const webhook: { readonly name: string; readonly channel: string; readonly eventTypes: readonly string[] };
