export interface SampleParameter {
  /** Built in, or one of the organization's own. */
  readonly type: string;
  readonly secret: boolean;
  readonly description: string;
  /** By environment; null hides what would be inherited. */
  readonly values: Readonly<Record<string, string | null>>;
  /** The text is made of other parameters. */
  readonly interpolated?: boolean;
  /** Environments in which a secret gets a random text of its own. */
  readonly randomIn?: readonly string[];
  /** After which its values are too old. */
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
  /** Constraints by kind of rule. */
  readonly rules: Readonly<Partial<Record<'min' | 'max' | 'min_len' | 'max_len' | 'regex', string>>>;
}

export interface SamplePlatform {
  /** Parents before children. */
  readonly environments: readonly {
    readonly name: string;
    readonly parent: string | null;
    readonly description?: string;
  }[];
  /** Parents before children. */
  readonly types: readonly SampleType[];
  /** What a project depends on comes before it. */
  readonly projects: readonly SampleProject[];
  /** Loaded like projects, after them: what shows a feature rather than a program. */
  readonly examples?: readonly SampleProject[];
  readonly webhook?: {
    readonly name: string;
    readonly channel: string;
    readonly username: string;
    readonly eventTypes: readonly string[];
  };
}

// The words that the data files are written in. `elsewhere` maps the name of an environment to the value set there;
// every other environment inherits; null there hides what it would inherit.

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

/** A text that is made of other parameters, wherever it is looked at. */
export const dynamic = (made: string, description: string): SampleParameter => ({
  ...parameter('string')(made, description),
  interpolated: true,
});

/** A secret has no text in this repository: loading makes a random one for each of these environments. */
export const secret = (
  description: string,
  environments: readonly string[] = ['default', 'staging', 'production'],
): SampleParameter => ({ type: 'string', secret: true, description, randomIn: environments, values: {} });
