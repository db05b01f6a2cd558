import { isLinkLocalHost, isOrigin } from '@strata/domain';
import { type IdentityProvider, IdentityProviders } from '@strata/issuers';
import {
  metricsPort,
  TELEMETRY_SETTINGS,
  type TelemetryOptions,
  telemetryOptions,
  telemetryShape,
} from '@strata/telemetry';
import { z } from 'zod';
import type { SocketUsageLimits } from './sockets/socket-limits.ts';

interface GatewaySetting {
  readonly name: string;
  readonly about: string;
  readonly default?: string;
}

/** All settings of the gateway. Tests compare docs/reference/settings.md and the compose file with this list. */
export const SETTINGS: readonly GatewaySetting[] = [
  { name: 'STRATA_GATEWAY_PORT', about: 'Port of the GraphQL gateway.', default: '4000' },
  { name: 'STRATA_HOST', about: 'Address to listen on.', default: '127.0.0.1' },
  { name: 'STRATA_CORE_URL', about: 'URL of the core.', default: 'http://127.0.0.1:3000' },
  {
    name: 'STRATA_ALLOWED_ORIGINS',
    about:
      'Origins whose pages may open a websocket, in addition to that of the gateway; separated by commas; * for all.',
    default: '',
  },
  {
    name: 'STRATA_TRUST_PROXY',
    about: 'Number of trusted proxies in front of this process, whose X-Forwarded-* headers count; true is 1.',
    default: 'false',
  },
  {
    name: 'STRATA_GRACE_SECONDS',
    about: 'Seconds after SIGTERM during which requests are still accepted; /readyz returns 503 meanwhile.',
    default: '5',
  },
  {
    name: 'STRATA_REQUEST_SECONDS',
    about: 'A request that is not complete after this many seconds is rejected with 408.',
    default: '30',
  },
  {
    name: 'STRATA_SOCKETS_PER_ADDRESS',
    about: 'Maximum number of websockets of one network address.',
    default: '1000',
  },
  { name: 'STRATA_SOCKETS_PER_CREDENTIAL', about: 'Maximum number of websockets of one credential.', default: '1000' },
  {
    name: 'STRATA_SUBSCRIPTIONS_PER_ADDRESS',
    about: 'Maximum number of subscriptions of one network address.',
    default: '5000',
  },
  {
    name: 'STRATA_SUBSCRIPTIONS_PER_CREDENTIAL',
    about: 'Maximum number of subscriptions of one credential.',
    default: '5000',
  },
  {
    name: 'STRATA_SESSION_KEY',
    about:
      '32 random bytes in base64, the same for all gateways. The key encrypts browser sessions. Without it, nobody can sign in.',
  },
  {
    name: 'STRATA_PUBLIC_URL',
    about:
      'Origin that users open in a browser, if the proxy in front does not send it. Default: the origin of the request.',
  },
  {
    name: 'STRATA_IDENTITY_PROVIDERS',
    about:
      'OpenID Connect providers that people sign in with in a browser, as a JSON array; see the guide on single sign-on. It requires STRATA_PUBLIC_URL and STRATA_SESSION_KEY.',
  },
  {
    name: 'STRATA_PRIVATE_ISSUERS',
    about: 'true: identity providers may have private network addresses.',
    default: 'false',
  },
  { name: 'STRATA_CONSOLE', about: 'on: the gateway serves the console at `/`; off: it does not.', default: 'on' },
  {
    name: 'STRATA_GRAPHQL_OTHER_DOCUMENTS',
    about: 'off: the gateway accepts only the GraphQL documents of the console; on: any document.',
    default: 'on',
  },
  {
    name: 'STRATA_GRAPHQL_INTROSPECTION',
    about: 'on: clients may query the schema; off: they may not. Default: off in production, otherwise on.',
  },
  {
    name: 'STRATA_HEAP_MB',
    about: 'Heap limit of the process in MB. It is passed to Node when the process starts.',
    default: '320',
  },
  {
    name: 'NODE_ENV',
    about: 'production disables the playground, and introspection unless STRATA_GRAPHQL_INTROSPECTION is set.',
    default: 'development',
  },
  {
    name: 'STRATA_GATEWAY_METRICS_PORT',
    about: 'Port on which Prometheus reads the metrics of the gateway. Without it, none.',
  },
  ...TELEMETRY_SETTINGS,
];

export interface GatewayEnv {
  readonly port: number;
  readonly host: string;
  readonly coreUrl: string;
  readonly allowedOrigins: readonly string[];
  /** The number of trusted proxies, counted from the gateway; false for none. */
  readonly trustProxy: number | false;
  readonly graceSeconds: number;
  readonly requestSeconds: number;
  /** Whether the GraphQL playground is served. */
  readonly playground: boolean;
  /** Whether clients may query the schema and receive suggestions for names. */
  readonly introspection: boolean;
  /** Whether documents that do not belong to the console are accepted. */
  readonly otherDocuments: boolean;
  readonly socketShares: SocketUsageLimits;
  /** The key that encrypts sessions; null if browser sessions are off. */
  readonly sessionKey: Buffer | null;
  readonly publicUrl: string | null;
  /** The providers that people sign in with. */
  readonly identityProviders: readonly IdentityProvider[];
  /** Whether identity providers may have private network addresses. */
  readonly privateIssuers: boolean;
  /** Whether the console is served. */
  readonly console: boolean;
  /** The heap limit that Node receives when the process starts. */
  readonly heapMb: number;
  readonly telemetry: TelemetryOptions;
}

const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a port number up to 65535');

const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !isLinkLocalHost(URL.parse(url)?.hostname ?? ''), { error: 'must not be a link-local address' })
  .transform((url) => url.replace(/\/+$/, ''));

const Hops = z
  .string()
  .regex(/^(true|false|\d)$/, 'must be true, false or a number of proxies')
  .transform((text) => (text === 'true' ? 1 : Number(text) || (false as const)));

const GraceSeconds = z.coerce
  .number({ error: 'must be a whole number' })
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must be 0 or more' })
  .max(120, { error: 'must be 120 or less' });

const RequestSeconds = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(300, 'must be 300 or less');

const Origins = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
  )
  .refine((list) => list.every((origin) => origin === '*' || isOrigin(origin)), {
    error: 'must be * or origins as browsers send them, such as https://console.example.com,http://localhost:5173',
  });

const COUNT_MAX = 1_000_000;

const Count = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be 1 or more')
  .max(COUNT_MAX, `must be ${COUNT_MAX} or less`);

const HeapMb = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(192, 'must be 192 or more')
  .max(131_072, 'must be 131072 or less');

const OnOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

const SessionKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 bytes in base64');

const PublicUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#]+\/?$/, 'must be an origin without a path, such as https://config.example.com')
  .transform((url) => URL.parse(url)?.origin ?? url);

const Flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => text === 'true' || text === '1');

const MODES = ['production', 'development', 'test'] as const;

const NEEDED_BY_PROVIDERS = {
  STRATA_PUBLIC_URL: 'they send browsers back to this address',
  STRATA_SESSION_KEY: 'it encrypts the sessions of browsers',
} as const;

const Source = z
  .object({
    STRATA_GATEWAY_PORT: Port.default(4000),
    STRATA_HOST: z.string().min(1, 'must not be empty').default('127.0.0.1'),
    STRATA_CORE_URL: HttpUrl.default('http://127.0.0.1:3000'),
    STRATA_ALLOWED_ORIGINS: Origins.default([]),
    STRATA_TRUST_PROXY: Hops.default(false),
    STRATA_GRACE_SECONDS: GraceSeconds.default(5),
    STRATA_REQUEST_SECONDS: RequestSeconds.default(30),
    STRATA_SOCKETS_PER_ADDRESS: Count.default(1_000),
    STRATA_SOCKETS_PER_CREDENTIAL: Count.default(1_000),
    STRATA_SUBSCRIPTIONS_PER_ADDRESS: Count.default(5_000),
    STRATA_SUBSCRIPTIONS_PER_CREDENTIAL: Count.default(5_000),
    STRATA_SESSION_KEY: SessionKey.optional(),
    STRATA_PUBLIC_URL: PublicUrl.optional(),
    STRATA_IDENTITY_PROVIDERS: IdentityProviders.default([]),
    STRATA_PRIVATE_ISSUERS: Flag.default(false),
    STRATA_CONSOLE: OnOrOff.default('on'),
    STRATA_GRAPHQL_OTHER_DOCUMENTS: OnOrOff.default('on'),
    STRATA_GRAPHQL_INTROSPECTION: OnOrOff.optional(),
    STRATA_HEAP_MB: HeapMb.default(320),
    // A misspelt "production" would leave the playground on.
    NODE_ENV: z.enum(MODES, { error: `must be one of ${MODES.join(', ')}` }).optional(),
    STRATA_GATEWAY_METRICS_PORT: metricsPort,
    ...telemetryShape,
  })
  .refine((env) => env.NODE_ENV !== 'production' || !env.STRATA_ALLOWED_ORIGINS?.includes('*'), {
    path: ['STRATA_ALLOWED_ORIGINS'],
    error: 'must name the origins in production: with * every page that a user visits may open a websocket',
    // Runs even if other settings are invalid, so that all errors are reported at once.
    when: () => true,
  })
  .refine((env) => env.STRATA_GRAPHQL_OTHER_DOCUMENTS !== 'off' || env.STRATA_CONSOLE !== 'off', {
    path: ['STRATA_GRAPHQL_OTHER_DOCUMENTS'],
    error: 'must be on where STRATA_CONSOLE is off: nothing else would be answered',
    when: () => true,
  })
  .superRefine((env, context) => {
    if (env.STRATA_IDENTITY_PROVIDERS.length === 0) return;
    for (const [setting, reason] of Object.entries(NEEDED_BY_PROVIDERS)) {
      if (env[setting as keyof typeof NEEDED_BY_PROVIDERS] !== undefined) continue;
      const message = `must be set if there are STRATA_IDENTITY_PROVIDERS: ${reason}`;
      context.addIssue({ code: 'custom', path: [setting], message });
    }
  });

/** Reads the settings. Throws one error that names every invalid one. */
export function readEnv(source: Readonly<Record<string, string | undefined>>): GatewayEnv {
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(source).filter(([, text]) => text !== undefined && text !== ''),
  );
  const read = Source.safeParse(nonEmptyVariables);
  if (!read.success) {
    const problemLines = read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The gateway cannot start with these settings:\n${problemLines.join('\n')}`);
  }
  const env = read.data;
  const isProduction = env.NODE_ENV === 'production';
  const otherDocuments = env.STRATA_GRAPHQL_OTHER_DOCUMENTS === 'on';
  return {
    port: env.STRATA_GATEWAY_PORT,
    host: env.STRATA_HOST,
    coreUrl: env.STRATA_CORE_URL,
    allowedOrigins: env.STRATA_ALLOWED_ORIGINS,
    trustProxy: env.STRATA_TRUST_PROXY,
    graceSeconds: env.STRATA_GRACE_SECONDS,
    requestSeconds: env.STRATA_REQUEST_SECONDS,
    sessionKey: env.STRATA_SESSION_KEY ?? null,
    publicUrl: env.STRATA_PUBLIC_URL ?? null,
    identityProviders: env.STRATA_IDENTITY_PROVIDERS,
    privateIssuers: env.STRATA_PRIVATE_ISSUERS,
    console: env.STRATA_CONSOLE === 'on',
    heapMb: env.STRATA_HEAP_MB,
    telemetry: telemetryOptions(env, 'STRATA_GATEWAY_METRICS_PORT', env.STRATA_GATEWAY_METRICS_PORT),
    playground: !isProduction && otherDocuments,
    introspection: (env.STRATA_GRAPHQL_INTROSPECTION ?? (isProduction ? 'off' : 'on')) === 'on',
    otherDocuments,
    socketShares: {
      socketsPerAddress: env.STRATA_SOCKETS_PER_ADDRESS,
      socketsPerCredential: env.STRATA_SOCKETS_PER_CREDENTIAL,
      subscriptionsPerAddress: env.STRATA_SUBSCRIPTIONS_PER_ADDRESS,
      subscriptionsPerCredential: env.STRATA_SUBSCRIPTIONS_PER_CREDENTIAL,
    },
  };
}
