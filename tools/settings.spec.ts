import { SETTINGS as CORE, readEnv as readCore } from '../apps/core/src/platform/env.ts';
import { SETTINGS as GATEWAY, readEnv as readGateway } from '../apps/gateway/src/env.ts';

type Environment = Readonly<Record<string, string>>;

const ROOT_KEY = Buffer.alloc(32).toString('base64');
const WITNESS = 'witness.example+283095ee+BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB';
const NEEDED = { DATABASE_URL: 'postgres://strata@127.0.0.1/strata', STRATA_ROOT_KEY: ROOT_KEY };

/** Returns the messages of the services about settings, one per line. */
function serviceMessages(environment: Environment): string[] {
  const lines = [readCore, readGateway].flatMap((read) => {
    try {
      read({ ...NEEDED, ...environment });
      return [];
    } catch (error) {
      return (error as Error).message.split('\n').slice(1);
    }
  });
  return [...new Set(lines.map((line) => line.trim()))].sort();
}

const WRONG: Readonly<Record<string, readonly string[]>> = {
  DATABASE_URL: ['mysql://x', 'x'],
  STRATA_PORT: ['many', '99999', '-1', '123456'],
  STRATA_GATEWAY_PORT: ['many', '65536'],
  STRATA_PUBLIC_URL: ['here', 'https://a.example/path', 'ftp://a.example'],
  STRATA_CONSOLE_URL: ['here', 'https://a.example/path'],
  STRATA_CORE_URL: ['here', 'ftp://a.example', 'http://169.254.169.254'],
  STRATA_ALLOWED_ORIGINS: ['here', 'https://a.example/path', 'https://a.example,B'],
  STRATA_BROWSER_ORIGINS: ['here', 'https://a.example/path', 'https://a.example,*', '*'],
  STRATA_TRUST_PROXY: ['yes', '-1', '10'],
  STRATA_CONSOLE: ['yes'],
  STRATA_GRAPHQL_OTHER_DOCUMENTS: ['some'],
  STRATA_GRAPHQL_INTROSPECTION: ['yes'],
  STRATA_ROOT_KEY: ['short'],
  STRATA_CHECKPOINT_KEY: ['short'],
  STRATA_PREVIOUS_ROOT_KEY: ['short'],
  STRATA_CHECKPOINT_MINUTES: ['0', '1441', 'often'],
  STRATA_WITNESSES: [
    'witness',
    `${WITNESS} ftp://witness.example`,
    `${WITNESS} https://a.example, ${WITNESS} https://b.example`,
  ],
  STRATA_SESSION_KEY: ['short'],
  STRATA_BOOTSTRAP_API_KEY: ['short', `${'a'.repeat(9)}.${'b'.repeat(32)}`],
  STRATA_BOOTSTRAP_EMAIL: ['nobody', 'a b@c.example'],
  STRATA_BOOTSTRAP_PASSWORD: ['short'],
  STRATA_SLACK_API_URL: ['here', 'file:///tmp/chat', 'http://[fe80::1]/api/'],
  STRATA_JWKS_URL: ['here', 'file:///etc/keys', 'http://issuer.example/keys', 'https://169.254.169.254/keys'],
  STRATA_IDENTITY_PROVIDERS: ['acme', '{}'],
  STRATA_WORKLOAD_ISSUERS: ['here', 'http://issuer.example', 'https://a.example, https://b.example?x=1'],
  STRATA_PRIVATE_ISSUERS: ['yes'],
  STRATA_PRIVATE_DESTINATIONS: ['yes'],
  STRATA_AWS_ACCESS_KEY_ID: ['AKIA'],
  STRATA_AWS_MACHINE_CREDENTIALS: ['yes'],
  STRATA_AWS_OWN_ACCOUNT: ['yes'],
  STRATA_AWS_ENDPOINT_URL: ['here', 'http://169.254.169.254'],
  STRATA_AZURE_CLIENT_ID: ['3f2a1c9e-6d0b-4c5f-9a41-8f1f5b0f7a10'],
  STRATA_AZURE_AUTHORITY_URL: ['here', 'http://login.example', 'https://169.254.169.254'],
  STRATA_AZURE_VAULT_URL: ['{vault}', 'http://{vault}.vault.example', 'https://vault.example'],
  STRATA_GOOGLE_SECRET_MANAGER_URL: ['here', 'http://secrets.example', 'https://169.254.169.254'],
  STRATA_GITHUB_APP_ID: ['12345'],
  STRATA_GITHUB_API_URL: ['here', 'http://api.example', 'https://169.254.169.254'],
  STRATA_ROTATION_COMMANDS: [
    'rotate',
    '{"rotate": "/opt/rotate"}',
    '{"rotate": {"path": "rotate", "organizations": ["*"]}}',
  ],
  STRATA_SMTP_URL: ['mail.example', 'https://mail.example'],
  STRATA_SMTP_FROM: ['strata'],
  STRATA_AUDIT_MAX_DAYS: ['0', 'all', '1.5', '36501'],
  STRATA_AUDIT_MAX_RECORDS: ['0', '1.5', '2000000001'],
  STRATA_UNSAFE_DATABASE: ['yes'],
  STRATA_GRACE_SECONDS: ['-1', '1.5', '121'],
  STRATA_DATABASE_TIMEOUT_SECONDS: ['0', '1.5', '121'],
  STRATA_OWNER_DATABASE_URL: ['localhost/strata', 'mysql://strata@localhost/strata'],
  STRATA_READ_DATABASE_URLS: ['standby:5432', 'https://standby', Array(9).fill('postgres://standby/strata').join()],
  STRATA_WRITE_WAIT_SECONDS: ['0', '1.5', '121'],
  STRATA_RATE_PER_CREDENTIAL: ['0', '1.5', '1000000001'],
  STRATA_RATE_PER_ORGANIZATION: ['0', '1.5'],
  STRATA_RATE_PER_ADDRESS: ['0', '1.5'],
  STRATA_REQUEST_SECONDS: ['0', '1.5', '301'],
  STRATA_ANSWERS_MB: ['15', '65537', '161'],
  STRATA_HEAP_MB: ['191', '1.5', '131073'],
  STRATA_LOG_LEVEL: ['loud'],
  STRATA_SOCKETS_PER_ADDRESS: ['0', 'many', '1.5', '1000001'],
  STRATA_SOCKETS_PER_CREDENTIAL: ['0'],
  STRATA_SUBSCRIPTIONS_PER_ADDRESS: ['0'],
  STRATA_SUBSCRIPTIONS_PER_CREDENTIAL: ['0'],
  STRATA_METRICS_PORT: ['many', '0', '65536'],
  STRATA_GATEWAY_METRICS_PORT: ['many'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['here', 'grpc://collector:4317'],
  OTEL_TRACES_EXPORTER: ['console'],
  OTEL_METRICS_EXPORTER: ['prometheus'],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_TRACES_SAMPLER_ARG: ['half', '1.1', '-1'],
  OTEL_METRIC_EXPORT_INTERVAL: ['99', '1.5', '3600001'],
  OTEL_BSP_SCHEDULE_DELAY: ['soon'],
  NODE_ENV: ['prodction'],
};
/** Additional settings, so that only one setting is invalid: a JWKS URL requires an issuer. */
const beside: Readonly<Record<string, Environment>> = {
  STRATA_JWKS_URL: { STRATA_JWT_ISSUER: 'https://i.example' },
  STRATA_SMTP_URL: { STRATA_SMTP_FROM: 'strata@example.com' },
  STRATA_SMTP_FROM: { STRATA_SMTP_URL: 'smtp://mail.example' },
};

const PROVIDERS = JSON.stringify([
  { id: 'acme', name: 'Acme', issuer: 'https://id.example.com', client_id: 'strata', client_secret: 'secret' },
]);

const RIGHT: Environment = {
  ...NEEDED,
  STRATA_CHECKPOINT_KEY: Buffer.alloc(32, 1).toString('base64'),
  STRATA_PREVIOUS_ROOT_KEY: Buffer.alloc(32, 2).toString('base64'),
  STRATA_CHECKPOINT_MINUTES: '5',
  STRATA_WITNESSES: `${WITNESS} https://witness.example/`,
  STRATA_PORT: '0',
  STRATA_GATEWAY_PORT: '4001',
  STRATA_HOST: '::',
  STRATA_PUBLIC_URL: 'https://config.example.com/',
  STRATA_CONSOLE_URL: 'https://config.example.com',
  STRATA_CORE_URL: 'http://core:3000',
  STRATA_ALLOWED_ORIGINS: 'https://console.example.com, http://localhost:5173,',
  STRATA_BROWSER_ORIGINS: 'https://shop.example.com, http://localhost:5173,',
  STRATA_TRUST_PROXY: '1',
  STRATA_CONSOLE: 'on',
  STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off',
  STRATA_GRAPHQL_INTROSPECTION: 'on',
  STRATA_SESSION_KEY: ROOT_KEY,
  STRATA_BOOTSTRAP_API_KEY: `abcd1234.${'x'.repeat(43)}`,
  STRATA_BOOTSTRAP_EMAIL: 'owner@strata.local',
  STRATA_BOOTSTRAP_PASSWORD: 'long enough, it is',
  STRATA_SLACK_API_URL: 'http://127.0.0.1:8080/api/',
  STRATA_JWT_ISSUER: 'https://issuer.example',
  STRATA_JWT_AUDIENCE: 'strata',
  STRATA_JWKS_URL: 'https://issuer.example/keys',
  STRATA_IDENTITY_PROVIDERS: PROVIDERS,
  STRATA_WORKLOAD_ISSUERS: 'https://token.example, https://other.example/path',
  STRATA_PRIVATE_ISSUERS: 'true',
  STRATA_PRIVATE_DESTINATIONS: 'true',
  STRATA_AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  STRATA_AWS_SECRET_ACCESS_KEY: 'secret',
  STRATA_AWS_MACHINE_CREDENTIALS: 'true',
  STRATA_AWS_OWN_ACCOUNT: 'true',
  STRATA_AWS_ENDPOINT_URL: 'http://127.0.0.1:5000',
  STRATA_AZURE_CLIENT_ID: '3f2a1c9e-6d0b-4c5f-9a41-8f1f5b0f7a10',
  STRATA_AZURE_CLIENT_SECRET: 'secret',
  STRATA_AZURE_FEDERATED_TOKEN_FILE: '',
  STRATA_AZURE_AUTHORITY_URL: 'https://login.partner.microsoftonline.cn',
  STRATA_AZURE_VAULT_URL: 'https://{vault}.vault.azure.cn',
  STRATA_GOOGLE_CREDENTIALS_FILE: '/run/secrets/google.json',
  STRATA_GOOGLE_SECRET_MANAGER_URL: 'https://secretmanager.example',
  STRATA_GITHUB_APP_ID: '12345',
  STRATA_GITHUB_PRIVATE_KEY: 'key',
  STRATA_GITHUB_API_URL: 'https://github.example/api/v3',
  STRATA_ROTATION_COMMANDS: '{"rotate": {"path": "/opt/rotate", "organizations": ["*"]}}',
  STRATA_SMTP_URL: 'smtp://user:password@mail.example:587',
  STRATA_SMTP_FROM: 'Strata <strata@example.com>',
  STRATA_AUDIT_MAX_DAYS: '30',
  STRATA_AUDIT_MAX_RECORDS: '1000',
  STRATA_UNSAFE_DATABASE: 'true',
  STRATA_GRACE_SECONDS: '1',
  STRATA_DATABASE_TIMEOUT_SECONDS: '5',
  STRATA_OWNER_DATABASE_URL: 'postgres://owner:password@one:5432/strata',
  STRATA_READ_DATABASE_URLS: 'postgres://user:password@one:5432/strata,postgres://user:password@two:5432/strata',
  STRATA_WRITE_WAIT_SECONDS: '5',
  STRATA_RATE_PER_CREDENTIAL: '6000',
  STRATA_RATE_PER_ORGANIZATION: '60000',
  STRATA_RATE_PER_ADDRESS: '6000',
  STRATA_REQUEST_SECONDS: '10',
  STRATA_ANSWERS_MB: '64',
  STRATA_HEAP_MB: '256',
  STRATA_LOG_LEVEL: 'debug',
  STRATA_SOCKETS_PER_ADDRESS: '100',
  STRATA_SOCKETS_PER_CREDENTIAL: '100',
  STRATA_SUBSCRIPTIONS_PER_ADDRESS: '1000',
  STRATA_SUBSCRIPTIONS_PER_CREDENTIAL: '1000',
  STRATA_METRICS_PORT: '9464',
  STRATA_GATEWAY_METRICS_PORT: '9465',
  STRATA_METRICS_HOST: '::',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  OTEL_TRACES_EXPORTER: 'none',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.5',
  OTEL_METRIC_EXPORT_INTERVAL: '1000',
  OTEL_BSP_SCHEDULE_DELAY: '500',
  NODE_ENV: 'test',
};

describe('the settings of the services', () => {
  it.each(Object.entries(WRONG).flatMap(([name, texts]) => texts.map((text) => [name, text])))(
    '%s=%s is rejected with one message, which names the setting',
    (name, text) => {
      expect(serviceMessages({ ...beside[name], [name]: text })).toEqual([expect.stringMatching(`^${name}: `)]);
    },
  );

  it('are accepted if they are valid, missing or empty', () => {
    expect(serviceMessages(RIGHT)).toEqual([]);
    expect(serviceMessages({})).toEqual([]);
    const optional = Object.keys(RIGHT).filter((name) => !Object.hasOwn(NEEDED, name));
    expect(serviceMessages(Object.fromEntries(optional.map((name) => [name, ''])))).toEqual([]);
  });

  it('are all in this test if they can be invalid', () => {
    const anyText = [
      ...['STRATA_HOST', 'STRATA_METRICS_HOST', 'STRATA_JWT_ISSUER', 'STRATA_JWT_AUDIENCE'],
      ...['STRATA_AWS_SECRET_ACCESS_KEY', 'STRATA_AZURE_CLIENT_SECRET', 'STRATA_AZURE_FEDERATED_TOKEN_FILE'],
      ...['STRATA_GOOGLE_CREDENTIALS_FILE', 'STRATA_GITHUB_PRIVATE_KEY'],
    ];
    const names = new Set([...CORE, ...GATEWAY].map(({ name }) => name));
    expect([...Object.keys(WRONG), ...anyText].sort()).toEqual([...names].sort());
    expect(Object.keys(RIGHT).sort()).toEqual([...names].sort());
  });

  it('allow a websocket of any page only if the console is off', () => {
    const any = { STRATA_ALLOWED_ORIGINS: 'https://console.example.com, *' };
    expect(serviceMessages(any)).toEqual([]);
    expect(serviceMessages({ ...any, NODE_ENV: 'production' })).toEqual([
      expect.stringMatching('^STRATA_ALLOWED_ORIGINS: must name the origins in production'),
    ]);
  });

  it.each([
    [{ STRATA_HEAP_MB: '255' }, 'STRATA_ANSWERS_MB'],
    [{ STRATA_JWT_ISSUER: 'https://issuer.example' }, 'STRATA_JWKS_URL'],
    [{ STRATA_AWS_SECRET_ACCESS_KEY: 'secret' }, 'STRATA_AWS_ACCESS_KEY_ID'],
    [{ STRATA_AZURE_CLIENT_SECRET: 'secret' }, 'STRATA_AZURE_CLIENT_ID'],
    [
      { STRATA_AZURE_CLIENT_ID: 'id', STRATA_AZURE_CLIENT_SECRET: 's', STRATA_AZURE_FEDERATED_TOKEN_FILE: '/t' },
      'STRATA_AZURE_CLIENT_ID',
    ],
    [{ STRATA_GITHUB_PRIVATE_KEY: 'key' }, 'STRATA_GITHUB_APP_ID'],
    [{ STRATA_CONSOLE: 'off', STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' }, 'STRATA_GRAPHQL_OTHER_DOCUMENTS'],
    [{ STRATA_IDENTITY_PROVIDERS: PROVIDERS, STRATA_SESSION_KEY: ROOT_KEY }, 'STRATA_PUBLIC_URL'],
  ])('are rejected if they do not fit together: %j', (settings, name) => {
    expect(serviceMessages(settings)).toEqual([expect.stringMatching(`^${name}: `)]);
  });
});
