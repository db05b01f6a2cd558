import { isLinkLocalHost, isLoopbackHost, isOrigin, type PublicAddressSettings } from '@strata/domain';
import { readWitnessKey, type WitnessKey } from '@strata/evidence';
import { IdentityProviders, issuerUrlProblem } from '@strata/issuers';
import { metricsPort, TELEMETRY_SETTINGS, telemetryShape } from '@strata/telemetry';
import { z } from 'zod';

export interface EnvSetting {
  readonly name: string;
  readonly about: string;
  readonly default?: string;
}

/**
 * Every variable that the core reads. Tests compare docs/reference/settings.md and docker-compose.yml with this table.
 */
export const SETTINGS: readonly EnvSetting[] = [
  {
    name: 'DATABASE_URL',
    about: 'PostgreSQL 14 or newer, as the core uses it: postgres://user:password@host/db',
  },
  {
    name: 'STRATA_OWNER_DATABASE_URL',
    about:
      'The same database, as the account that owns the schema. Only strata migrate and the commands for operators read it. Default: DATABASE_URL.',
  },
  { name: 'STRATA_PORT', about: 'Port of the REST API.', default: '3000' },
  { name: 'STRATA_HOST', about: 'Address to listen on.', default: '127.0.0.1' },
  { name: 'STRATA_PUBLIC_URL', about: 'Origin of all links in responses. Default: the origin of the request.' },
  {
    name: 'STRATA_CONSOLE_URL',
    about: 'Address of the console, which the command line opens. Default: the address of the REST API.',
  },
  {
    name: 'STRATA_BROWSER_ORIGINS',
    about: 'Origins whose pages may read configuration with a credential of their own (CORS); separated by commas.',
    default: '',
  },
  {
    name: 'STRATA_TRUST_PROXY',
    about: 'Number of trusted proxies in front of this process, whose X-Forwarded-* headers count; true is 1.',
    default: 'false',
  },
  {
    name: 'STRATA_ROOT_KEY',
    about: '32 random bytes in base64. The key encrypts all keys in the database. Keep a copy in a safe place.',
  },
  {
    name: 'STRATA_PREVIOUS_ROOT_KEY',
    about: 'The root key before STRATA_ROOT_KEY, until strata keys rotate has replaced it. Default: none.',
  },
  {
    name: 'STRATA_CHECKPOINT_KEY',
    about: '32 random bytes in base64: the private key that signs checkpoints of the audit. Default: none are signed.',
  },
  {
    name: 'STRATA_CHECKPOINT_MINUTES',
    about: 'Minutes between two published checkpoints of an organization that changes.',
    default: '10',
  },
  {
    name: 'STRATA_WITNESSES',
    about:
      'Witnesses that cosign checkpoints: the public key of each and its address, such as witness.example+c4ab2e6d+BFx... https://witness.example; separated by commas.',
    default: '',
  },
  {
    name: 'STRATA_BOOTSTRAP_API_KEY',
    about: 'API key of the first service account: <8 characters>.<at least 32 characters>',
  },
  { name: 'STRATA_BOOTSTRAP_EMAIL', about: "The first owner's e-mail address.", default: 'owner@strata.local' },
  { name: 'STRATA_BOOTSTRAP_PASSWORD', about: "The first owner's password, at least 12 characters." },
  { name: 'STRATA_SLACK_API_URL', about: 'Web API of the chat service.', default: 'https://slack.com/api/' },
  {
    name: 'STRATA_SMTP_URL',
    about: 'Mail server for e-mail destinations and notices: smtp://user:password@host:587. Default: no e-mail.',
  },
  {
    name: 'STRATA_SMTP_FROM',
    about: 'Sender of e-mail, such as Strata <strata@example.com>; requires STRATA_SMTP_URL.',
  },
  { name: 'STRATA_JWT_ISSUER', about: 'Issuer of accepted tokens. Default: the built-in issuer.' },
  { name: 'STRATA_JWT_AUDIENCE', about: 'Required audience of tokens.', default: 'strata' },
  {
    name: 'STRATA_JWKS_URL',
    about: 'URL of the keys of an external OpenID Connect issuer; requires STRATA_JWT_ISSUER.',
  },
  {
    name: 'STRATA_IDENTITY_PROVIDERS',
    about:
      'OpenID Connect providers that people sign in with in a browser, as a JSON array; see the guide on single sign-on.',
  },
  {
    name: 'STRATA_WORKLOAD_ISSUERS',
    about: 'URLs of the issuers whose tokens trust rules may accept from workloads; separated by commas.',
    default: '',
  },
  {
    name: 'STRATA_PRIVATE_ISSUERS',
    about: 'true: identity providers and workload issuers may have private network addresses.',
    default: 'false',
  },
  {
    name: 'STRATA_PRIVATE_DESTINATIONS',
    about: 'true: integrations and destinations may have private network addresses, and destinations http URLs.',
    default: 'false',
  },
  { name: 'STRATA_AWS_ACCESS_KEY_ID', about: 'Access key that assumes the roles of AWS integrations.' },
  { name: 'STRATA_AWS_SECRET_ACCESS_KEY', about: 'Secret of STRATA_AWS_ACCESS_KEY_ID.' },
  {
    name: 'STRATA_AWS_MACHINE_CREDENTIALS',
    about:
      "true: assume the roles with the machine's own credentials, from its environment, files or metadata service.",
    default: 'false',
  },
  {
    name: 'STRATA_AWS_OWN_ACCOUNT',
    about: 'true: integrations may assume roles of the account that the AWS credentials belong to.',
    default: 'false',
  },
  { name: 'STRATA_AWS_ENDPOINT_URL', about: 'Address that replaces those of all AWS services.' },
  { name: 'STRATA_AZURE_CLIENT_ID', about: 'Application that writes to the vaults of Azure integrations.' },
  { name: 'STRATA_AZURE_CLIENT_SECRET', about: 'Secret of STRATA_AZURE_CLIENT_ID.' },
  {
    name: 'STRATA_AZURE_FEDERATED_TOKEN_FILE',
    about: 'File with a token that Azure accepts instead of STRATA_AZURE_CLIENT_SECRET.',
  },
  {
    name: 'STRATA_AZURE_AUTHORITY_URL',
    about: 'Address that Azure tokens are requested from.',
    default: 'https://login.microsoftonline.com',
  },
  {
    name: 'STRATA_AZURE_VAULT_URL',
    about: 'Address of an Azure key vault, with {vault} in place of its name.',
    default: 'https://{vault}.vault.azure.net',
  },
  {
    name: 'STRATA_GOOGLE_CREDENTIALS_FILE',
    about: 'File with the key of the service account that uses the projects of Google integrations.',
  },
  {
    name: 'STRATA_GOOGLE_SECRET_MANAGER_URL',
    about: 'Address of Google Secret Manager.',
    default: 'https://secretmanager.googleapis.com',
  },
  { name: 'STRATA_GITHUB_APP_ID', about: 'Id or client id of the GitHub App that GitHub integrations use.' },
  { name: 'STRATA_GITHUB_PRIVATE_KEY', about: 'Private key of STRATA_GITHUB_APP_ID, as PEM.' },
  {
    name: 'STRATA_GITHUB_API_URL',
    about: 'Address of the REST API of GitHub.',
    default: 'https://api.github.com',
  },
  {
    name: 'STRATA_ROTATION_COMMANDS',
    about:
      'Executables that may rotate secrets, as a JSON object: {"name": {"path": "/opt/rotate", "organizations": ["id"]}}. * allows all organizations.',
  },
  {
    name: 'STRATA_AUDIT_MAX_DAYS',
    about: 'Audit records that are older than this number of days are not shown.',
    default: '365',
  },
  {
    name: 'STRATA_AUDIT_MAX_RECORDS',
    about: 'Maximum number of audit records that are shown, latest first.',
    default: '1000000',
  },
  {
    name: 'STRATA_UNSAFE_DATABASE',
    about: 'true: start although PostgreSQL could lose committed changes in a crash. For development and tests only.',
    default: 'false',
  },
  {
    name: 'STRATA_GRACE_SECONDS',
    about: 'Seconds after SIGTERM during which requests are still accepted; /readyz returns 503 meanwhile.',
    default: '5',
  },
  {
    name: 'STRATA_DATABASE_TIMEOUT_SECONDS',
    about:
      'A statement that takes longer than this many seconds is cancelled. If the connection is silent for one more second, it is closed.',
    default: '10',
  },
  {
    name: 'STRATA_READ_DATABASE_URLS',
    about: 'URLs of up to 8 standbys of DATABASE_URL, separated by commas. They answer reads at its current revision.',
  },
  {
    name: 'STRATA_WRITE_WAIT_SECONDS',
    about:
      'A write that waits longer than this many seconds for other writes of its organization is rejected with 503.',
    default: '15',
  },
  {
    name: 'STRATA_RATE_PER_CREDENTIAL',
    about: 'Requests per minute that one process accepts from one credential.',
    default: '600000',
  },
  {
    name: 'STRATA_RATE_PER_ORGANIZATION',
    about: 'Requests per minute that one process accepts from one organization.',
    default: '1200000',
  },
  {
    name: 'STRATA_ANSWERS_MB',
    about: 'Memory in MB for long responses while they are created and sent. One organization gets at most half of it.',
    default: '128',
  },
  {
    name: 'STRATA_RATE_PER_ADDRESS',
    about: 'Requests per minute without a valid credential that one process accepts from one network address.',
    default: '60000',
  },
  {
    name: 'STRATA_REQUEST_SECONDS',
    about: 'A request that is not complete after this many seconds is rejected with 408.',
    default: '30',
  },
  {
    name: 'STRATA_HEAP_MB',
    about: 'Heap limit of the process in MB. It is passed to Node when the process starts.',
    default: '320',
  },
  { name: 'STRATA_LOG_LEVEL', about: 'fatal, error, warn, info, debug or silent.', default: 'info' },
  { name: 'STRATA_METRICS_PORT', about: 'Port on which Prometheus reads the metrics of the core. Without it, none.' },
  ...TELEMETRY_SETTINGS,
];

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port number up to 65535');

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(min, `must be ${min} or more`)
    .max(max, `must be ${max} or less`);

/**
 * A URL that the core sends to or fetches from. If `isSecret` is true, the response decides who can sign in, so the
 * connection must not be modifiable in transit and requires HTTPS.
 */
const serviceUrl = (isSecret: boolean) =>
  z
    .string()
    .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https URL')
    .refine((text) => !isLinkLocalHost(URL.parse(text)?.hostname ?? ''), 'must not be a link-local address')
    .refine((text) => {
      const { protocol, hostname } = URL.parse(text) ?? {};
      return !isSecret || protocol !== 'http:' || isLoopbackHost(hostname ?? '');
    }, 'must be https, because anyone who can change the response could sign in as any user');

/** Requests to these addresses contain credentials. A vault's address contains a placeholder, which no URL can have. */
const azureUrl = z
  .string()
  .refine((text) => URL.parse(text.replace('{vault}', 'vault'))?.protocol === 'https:', 'must be an https URL')
  .refine(
    (text) => !isLinkLocalHost(URL.parse(text.replace('{vault}', 'vault'))?.hostname ?? ''),
    'must not be a link-local address',
  );

const POSTGRES_URL = /^postgres(ql)?:\/\//;

const commaSeparated = z.string().transform((list) =>
  list
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean),
);

/** There is no `*`: see ADR 0063. */
const browserOrigins = commaSeparated.refine((list) => list.every(isOrigin), {
  error: 'must be origins as browsers send them, without *, such as https://shop.example.com,http://localhost:5173',
});

/** The exact texts of the `iss` claims. */
const workloadIssuers = commaSeparated.superRefine((issuers, context) => {
  for (const issuer of issuers) {
    const problem = issuerUrlProblem(issuer);
    if (problem !== null) context.addIssue({ code: 'custom', message: `${issuer} ${problem}` });
  }
});

/** A witness of checkpoints. */
export interface WitnessSetting {
  readonly key: WitnessKey;
  /** The address has no final slash. */
  readonly url: string;
}

/** Stored cosignatures name their witness, so names must differ. */
const witnesses = commaSeparated.transform((entries, context): readonly WitnessSetting[] => {
  try {
    const settings = entries.map((entry) => {
      const [keyText = '', url = ''] = entry.split(/\s+/);
      return { key: readWitnessKey(keyText), url: serviceUrl(false).parse(url).replace(/\/$/, '') };
    });
    if (new Set(settings.map(({ key }) => key.name)).size === settings.length) return settings;
  } catch {
    // The message is the same for keys, addresses and names.
  }
  const message = 'must be keys of signed notes of type 4 with different names, each with an http or https URL';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const RotationCommandList = z.record(
  z.string().regex(/^[\w-]{1,64}$/),
  z.object({ path: z.string().startsWith('/'), organizations: z.array(z.string()).min(1) }),
);

/** Only the operator chooses what the core runs. */
const rotationCommands = z.string().transform((text, context) => {
  const message =
    'must be a JSON object such as {"name": {"path": "/opt/rotate", "organizations": ["id of an organization"]}}';
  try {
    const parsed = RotationCommandList.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // The message is the same as for JSON of another form.
  }
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** The error contains no URL, because URLs contain passwords. */
const standbyUrls = commaSeparated
  .refine((urls) => urls.every((url) => POSTGRES_URL.test(url) && URL.canParse(url)), {
    error: 'must be URLs such as postgres://user:password@standby:5432/database, separated by commas',
  })
  .refine((urls) => urls.length <= 8, { error: 'must be at most 8 URLs' });

const originSetting = z
  .string()
  .regex(/^https?:\/\/[^/?#]+\/?$/, 'must be an origin without a path, such as https://config.example.com')
  .transform((url) => url.replace(/\/$/, ''));

const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true' || text === '1');

const keyOf32Bytes = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');

const databaseAddress = (errorMessage?: string) =>
  z.string(errorMessage).regex(POSTGRES_URL, 'must look like postgres://user:password@host:5432/database');

const Env = z
  .object({
    DATABASE_URL: databaseAddress('is missing: postgres://user:password@host:5432/database'),
    STRATA_OWNER_DATABASE_URL: optional(databaseAddress().optional()),
    STRATA_PORT: optional(port.default(3_000)),
    STRATA_HOST: optional(z.string().default('127.0.0.1')),
    STRATA_PUBLIC_URL: optional(originSetting.optional()),
    STRATA_CONSOLE_URL: optional(originSetting.optional()),
    STRATA_BROWSER_ORIGINS: optional(browserOrigins.default([])),
    STRATA_TRUST_PROXY: optional(
      z
        .string()
        .regex(/^(true|false|\d)$/, 'must be true, false or a number of proxies')
        .default('false'),
    ).transform((text) => (text === 'true' ? 1 : Number(text) || (false as const))),
    STRATA_ROOT_KEY: z
      .string('is missing: 32 random bytes in base64')
      .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64'),
    STRATA_PREVIOUS_ROOT_KEY: optional(keyOf32Bytes.optional()),
    STRATA_CHECKPOINT_KEY: optional(keyOf32Bytes.optional()),
    STRATA_CHECKPOINT_MINUTES: optional(wholeNumber(1, 1_440).default(10)),
    STRATA_WITNESSES: optional(witnesses.default([])),
    STRATA_BOOTSTRAP_API_KEY: optional(
      z
        .string()
        .regex(/^[A-Za-z0-9]{8}\.[A-Za-z0-9_-]{32,128}$/, 'must look like <8 characters>.<at least 32 characters>')
        .optional(),
    ),
    STRATA_BOOTSTRAP_EMAIL: optional(z.email('must be an e-mail address').default('owner@strata.local')),
    STRATA_BOOTSTRAP_PASSWORD: optional(z.string().min(12, 'must have at least 12 characters').optional()),
    STRATA_SLACK_API_URL: optional(serviceUrl(false).default('https://slack.com/api/')),
    STRATA_SMTP_URL: optional(
      z
        .string()
        .refine(
          (text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''),
          'must look like smtp://user:password@host:587',
        )
        .optional(),
    ),
    STRATA_SMTP_FROM: optional(z.string().regex(/@/, 'must contain an e-mail address').optional()),
    STRATA_JWT_ISSUER: optional(z.string().optional()),
    STRATA_JWT_AUDIENCE: optional(z.string().default('strata')),
    STRATA_JWKS_URL: optional(serviceUrl(true).optional()),
    STRATA_IDENTITY_PROVIDERS: optional(IdentityProviders.default([])),
    STRATA_WORKLOAD_ISSUERS: optional(workloadIssuers.default([])),
    STRATA_PRIVATE_ISSUERS: optional(flag),
    STRATA_PRIVATE_DESTINATIONS: optional(flag),
    STRATA_AWS_ACCESS_KEY_ID: optional(z.string().optional()),
    STRATA_AWS_SECRET_ACCESS_KEY: optional(z.string().optional()),
    STRATA_AWS_MACHINE_CREDENTIALS: optional(flag),
    STRATA_AWS_OWN_ACCOUNT: optional(flag),
    STRATA_AWS_ENDPOINT_URL: optional(serviceUrl(false).optional()),
    STRATA_AZURE_CLIENT_ID: optional(z.string().optional()),
    STRATA_AZURE_CLIENT_SECRET: optional(z.string().optional()),
    STRATA_AZURE_FEDERATED_TOKEN_FILE: optional(z.string().optional()),
    STRATA_AZURE_AUTHORITY_URL: optional(azureUrl.default('https://login.microsoftonline.com')),
    STRATA_AZURE_VAULT_URL: optional(
      azureUrl.includes('{vault}', 'must contain {vault}').default('https://{vault}.vault.azure.net'),
    ),
    STRATA_GOOGLE_CREDENTIALS_FILE: optional(z.string().optional()),
    STRATA_GOOGLE_SECRET_MANAGER_URL: optional(serviceUrl(true).default('https://secretmanager.googleapis.com')),
    STRATA_GITHUB_APP_ID: optional(z.string().optional()),
    STRATA_GITHUB_PRIVATE_KEY: optional(z.string().optional()),
    STRATA_GITHUB_API_URL: optional(serviceUrl(true).default('https://api.github.com')),
    STRATA_ROTATION_COMMANDS: optional(rotationCommands.default({})),
    STRATA_UNSAFE_DATABASE: optional(flag),
    STRATA_GRACE_SECONDS: optional(wholeNumber(0, 120).default(5)),
    STRATA_DATABASE_TIMEOUT_SECONDS: optional(wholeNumber(1, 120).default(10)),
    STRATA_READ_DATABASE_URLS: optional(standbyUrls.default([])),
    STRATA_WRITE_WAIT_SECONDS: optional(wholeNumber(1, 120).default(15)),
    STRATA_LOG_LEVEL: optional(z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info')),
    STRATA_AUDIT_MAX_DAYS: optional(
      z.coerce
        .number('must be a number of days')
        .int('must be a number of days')
        .min(1, 'must be 1 or more')
        .max(36_500, 'must be 36500 or less')
        .default(365),
    ),
    STRATA_AUDIT_MAX_RECORDS: optional(wholeNumber(1, 2_000_000_000).default(1_000_000)),
    STRATA_RATE_PER_CREDENTIAL: optional(wholeNumber(1, 1_000_000_000).default(600_000)),
    STRATA_RATE_PER_ORGANIZATION: optional(wholeNumber(1, 1_000_000_000).default(1_200_000)),
    STRATA_RATE_PER_ADDRESS: optional(wholeNumber(1, 1_000_000_000).default(60_000)),
    STRATA_REQUEST_SECONDS: optional(wholeNumber(1, 300).default(30)),
    STRATA_ANSWERS_MB: optional(wholeNumber(16, 65_536).default(128)),
    STRATA_HEAP_MB: optional(wholeNumber(192, 131_072).default(320)),
    STRATA_METRICS_PORT: metricsPort,
    ...telemetryShape,
  })
  .refine((env) => env.STRATA_ANSWERS_MB * 2 <= env.STRATA_HEAP_MB, {
    path: ['STRATA_ANSWERS_MB'],
    message: 'must be at most half of STRATA_HEAP_MB, because long responses are created in the heap',
    when: ({ issues }) => !issues.some(({ path }) => /^STRATA_(ANSWERS|HEAP)_MB$/.test(String(path?.[0]))),
  })
  .refine((env) => !env.STRATA_AWS_ACCESS_KEY_ID === !env.STRATA_AWS_SECRET_ACCESS_KEY, {
    path: ['STRATA_AWS_ACCESS_KEY_ID'],
    message: 'must be set together with STRATA_AWS_SECRET_ACCESS_KEY',
    when: () => true,
  })
  .refine(
    ({ STRATA_AZURE_CLIENT_ID: id, STRATA_AZURE_CLIENT_SECRET: secret, STRATA_AZURE_FEDERATED_TOKEN_FILE: file }) =>
      [secret, file].filter(Boolean).length === (id ? 1 : 0),
    {
      path: ['STRATA_AZURE_CLIENT_ID'],
      message: 'must be set together with either STRATA_AZURE_CLIENT_SECRET or STRATA_AZURE_FEDERATED_TOKEN_FILE',
      when: () => true,
    },
  )
  .refine((env) => !env.STRATA_GITHUB_APP_ID === !env.STRATA_GITHUB_PRIVATE_KEY, {
    path: ['STRATA_GITHUB_APP_ID'],
    message: 'must be set together with STRATA_GITHUB_PRIVATE_KEY',
    when: () => true,
  })
  .refine((env) => !env.STRATA_SMTP_URL === !env.STRATA_SMTP_FROM, {
    path: ['STRATA_SMTP_URL'],
    message: 'must be set together with STRATA_SMTP_FROM',
    when: () => true,
  })
  .refine((env) => !env.STRATA_JWKS_URL === !env.STRATA_JWT_ISSUER, {
    path: ['STRATA_JWKS_URL'],
    message: 'must be set together with STRATA_JWT_ISSUER',
    // runs even if other settings are invalid, so that one start reports all errors
    when: () => true,
  })
  .transform((env) => ({
    ...env,
    STRATA_OWNER_DATABASE_URL: env.STRATA_OWNER_DATABASE_URL ?? env.DATABASE_URL,
  }));

export type Env = Readonly<z.infer<typeof Env>>;

/** Reads the settings once. If any are invalid, the service does not start and reports all of them at once. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): Env {
  const result = Env.safeParse(source);
  if (result.success) return Object.freeze(result.data);
  const lines = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new SettingsError(`These settings are invalid:\n${lines.join('\n')}`);
}

/** Returns the settings that decide which address links in responses contain. */
export const publicAddress = (env: Env): PublicAddressSettings => ({
  publicUrl: env.STRATA_PUBLIC_URL,
  host: env.STRATA_HOST,
  isBehindProxy: Boolean(env.STRATA_TRUST_PROXY),
});

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
