export interface SampleParameter {
  /** The name of a built-in type or of a type of the organization. */
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  /** The values by environment; null hides an inherited value. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whether the values reference other parameters. */
  readonly interpolated?: boolean;
  /** The environments in which a secret gets a random value. */
  readonly randomIn?: readonly string[];
  /** The duration after which its values expire. */
  readonly expires?: string;
}

export interface SampleProject {
  readonly name: string;
  readonly description: string;
  readonly dependsOn: string | null;
  readonly parameters: Readonly<Record<string, SampleParameter>>;
  readonly templates?: Readonly<Record<string, { readonly description: string; readonly body: string }>>;
}

export interface SampleType {
  readonly name: string;
  readonly parent: string;
  readonly description: string;
  /** The constraints by kind of rule. */
  readonly rules: Readonly<Partial<Record<'min' | 'max' | 'min_len' | 'max_len' | 'regex', string>>>;
}

export interface SamplePlatform {
  /** The environments, parents before children. */
  readonly environments: readonly {
    readonly name: string;
    readonly parent: string | null;
    readonly description?: string;
  }[];
  /** The types, parents before children. */
  readonly types: readonly SampleType[];
  /** The projects. Each one comes after the project that it depends on. */
  readonly projects: readonly SampleProject[];
  /** Additional projects that demonstrate a feature instead of a program. They are loaded last. */
  readonly examples?: readonly SampleProject[];
  readonly webhook?: {
    readonly name: string;
    readonly channel: string;
    readonly username: string;
    readonly eventTypes: readonly string[];
  };
}

// Helpers for the data files. `elsewhere` maps names of environments to values. All other environments inherit the value; null hides an
// inherited value.

type Given = string | number | boolean | null;

const parameter =
  (type: string) =>
  (value: Given, description: string, overrides: Readonly<Record<string, Given>> = {}): SampleParameter => ({
    type,
    secret: false,
    description,
    values: Object.fromEntries(
      Object.entries({ default: value, ...overrides }).map(([environment, environmentValue]) => [
        environment,
        environmentValue === null ? null : String(environmentValue),
      ]),
    ),
  });

export const stringParameter = parameter('string');
export const integer = parameter('integer');
export const boolean = parameter('boolean');

/** Returns a parameter with one of the organization's own types (see platform.ts). */
export const typedParameter = parameter;

/** Returns a parameter whose value references other parameters. */
export const dynamicParameter = (template: string, description: string): SampleParameter => ({
  ...parameter('string')(template, description),
  interpolated: true,
});

/** Returns a secret parameter. This repository contains no secret values: loading generates a random one for each of the environments. */
export const secretParameter = (
  description: string,
  environments: readonly string[] = ['default', 'staging', 'production'],
): SampleParameter => ({ type: 'string', secret: true, description, randomIn: environments, values: {} });
