export interface SampleParameter {
  /** A built-in type, or a type of the organization. */
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  /** The values by environment; null hides an inherited value. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whether the text references other parameters. */
  readonly interpolated?: boolean;
  /** The environments in which a secret gets a random text. */
  readonly randomIn?: readonly string[];
  /** The time after which its values expire. */
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
  /** Listed with parents before children. */
  readonly environments: readonly {
    readonly name: string;
    readonly parent: string | null;
    readonly description?: string;
  }[];
  /** Listed with parents before children. */
  readonly types: readonly SampleType[];
  /** Listed with parents before the projects that depend on them. */
  readonly projects: readonly SampleProject[];
  /** Projects that show a feature instead of a program, loaded after the others. */
  readonly examples?: readonly SampleProject[];
  readonly webhook?: {
    readonly name: string;
    readonly channel: string;
    readonly username: string;
    readonly eventTypes: readonly string[];
  };
}

// Helpers for the data files. `elsewhere` maps the name of an environment to its value;
// every other environment inherits, and null hides an inherited value.

type Given = string | number | boolean | null;

const parameter =
  (type: string) =>
  (value: Given, description: string, elsewhere: Readonly<Record<string, Given>> = {}): SampleParameter => ({
    type,
    secret: false,
    description,
    values: Object.fromEntries(
      Object.entries({ default: value, ...elsewhere }).map(([environment, given]) => [
        environment,
        given === null ? null : String(given),
      ]),
    ),
  });

export const text = parameter('string');
export const integer = parameter('integer');
export const boolean = parameter('boolean');

/** A parameter of one of the organization's own types (see platform.ts). */
export const typed = parameter;

/** A dynamic text that references other parameters. */
export const dynamic = (made: string, description: string): SampleParameter => ({
  ...parameter('string')(made, description),
  interpolated: true,
});

/** A secret, which has no text in this repository: loading creates a random one for each of these environments. */
export const secret = (
  description: string,
  environments: readonly string[] = ['default', 'staging', 'production'],
): SampleParameter => ({ type: 'string', secret: true, description, randomIn: environments, values: {} });
