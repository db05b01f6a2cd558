import type { Platform, PlatformParameter, PlatformProject, PlatformValue } from '@strata/import';
import type { SampleParameter, SamplePlatform, SampleProject } from './shape.ts';

/** Describes the sample platform for the import, with random secrets. The import keeps secrets that exist. */
export function toPlatform({ environments, types, projects, examples = [], webhook }: SamplePlatform): Platform {
  return {
    environments: environments.map(({ description = '', ...environment }) => ({ ...environment, description })),
    types,
    projects: [...projects, ...examples].map(describedProject),
    ...(webhook && { webhook: { ...webhook, token: pretendToken } }),
  };
}

const describedProject = ({ parameters, templates = {}, ...project }: SampleProject): PlatformProject => ({
  ...project,
  parameters: Object.entries(parameters).map(([name, parameter]) => describedParameter(name, parameter)),
  templates: Object.entries(templates).map(([name, template]) => ({ name, ...template })),
});

const describedParameter = (
  name: string,
  { type, secret, description, expires, values, interpolated: isDynamic = false, randomIn = [] }: SampleParameter,
): PlatformParameter => ({
  name,
  type,
  secret,
  description,
  expires,
  rules: {},
  values: [
    ...Object.entries(values).map(([environment, text]): PlatformValue => ({ environment, text, isDynamic })),
    ...randomIn.map((environment): PlatformValue => ({ environment, text: randomText(), isDynamic: false })),
  ],
});

const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));

/** Returns a random secret without characters that need quoting in a shell or a settings file. */
const randomText = (): string =>
  btoa(String.fromCharCode(...randomBytes(24)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');

const randomDigits = (length: number) => [...randomBytes(length)].map((byte) => byte % 10).join('');

/** Returns a token in the format of a bot token. The chat service rejects it until the user sets a real one. */
const pretendToken = (): string =>
  [
    'xoxb',
    `1${randomDigits(11)}`,
    `1${randomDigits(11)}`,
    btoa(String.fromCharCode(...randomBytes(18))).replace(/\W/g, 'x'),
  ].join('-');
