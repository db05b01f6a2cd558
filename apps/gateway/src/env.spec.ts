import { readEnv, SETTINGS } from './env.ts';

describe('readEnv', () => {
  it('has a default for every setting', () => {
    expect(readEnv({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      coreUrl: 'http://127.0.0.1:3000',
      allowedOrigins: [],
      trustProxy: false,
      graceSeconds: 5,
      requestSeconds: 30,
      heapMb: 320,
      playground: true,
      introspection: true,
      otherDocuments: true,
      sessionKey: null,
      publicUrl: null,
      identityProviders: [],
      privateIssuers: false,
      console: true,
      socketShares: {
        socketsPerAddress: 1_000,
        socketsPerCredential: 1_000,
        subscriptionsPerAddress: 5_000,
        subscriptionsPerCredential: 5_000,
      },
      telemetry: {
        metrics: null,
        sendsTraces: false,
        sendsMetrics: false,
        sampler: { name: 'parentbased_always_on', ratio: 1 },
        metricsEveryMs: 60_000,
        tracesEveryMs: 5_000,
      },
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readEnv({ STRATA_GATEWAY_PORT: '' }).port).toBe(4000);
  });

  it('reports all invalid settings at once', () => {
    const wrong = () =>
      readEnv({ STRATA_GATEWAY_PORT: '70000', STRATA_CORE_URL: 'ftp://core', STRATA_TRUST_PROXY: 'perhaps' });

    expect(wrong).toThrow(/STRATA_GATEWAY_PORT[\s\S]*STRATA_CORE_URL[\s\S]*STRATA_TRUST_PROXY/);
  });

  it('requires the public address and the session key for identity providers', () => {
    const provider = { id: 'acme', name: 'Acme', issuer: 'https://id.example', client_id: 'strata' };
    const settings = { STRATA_IDENTITY_PROVIDERS: JSON.stringify([provider]), STRATA_PRIVATE_ISSUERS: 'true' };

    expect(() => readEnv(settings)).toThrow(
      /STRATA_PUBLIC_URL: must be set if there are STRATA_IDENTITY_PROVIDERS[\s\S]*STRATA_SESSION_KEY: must be set/,
    );
    const key = Buffer.alloc(32).toString('base64');
    const env = readEnv({ ...settings, STRATA_PUBLIC_URL: 'https://config.example', STRATA_SESSION_KEY: key });
    expect(env).toMatchObject({ identityProviders: [provider], privateIssuers: true });
  });

  it.each([
    ['no origin', 'console'],
    ['a path', 'https://console.example.com/'],
    ['capital letters', 'https://Console.example.com'],
    ['the usual port', 'https://console.example.com:443'],
    ['another protocol', 'ftp://console.example.com'],
    ['a wrong one among right ones', 'https://console.example.com, console.example.org'],
    ['a pattern', 'https://*.example.com'],
  ])('rejects allowed origins with %s', (_, text) => {
    expect(() => readEnv({ STRATA_ALLOWED_ORIGINS: text })).toThrow(/STRATA_ALLOWED_ORIGINS: must be/);
  });

  it('accepts origins as browsers send them, and *', () => {
    const text = 'https://console.example.com, http://localhost:5173,http://[::1]:5173';

    expect(readEnv({ STRATA_ALLOWED_ORIGINS: text }).allowedOrigins).toEqual([
      'https://console.example.com',
      'http://localhost:5173',
      'http://[::1]:5173',
    ]);
    expect(readEnv({ STRATA_ALLOWED_ORIGINS: '*' }).allowedOrigins).toEqual(['*']);
  });

  it.each(['prod', 'Production', 'staging'])('rejects NODE_ENV=%s, which would leave the playground on', (mode) => {
    expect(() => readEnv({ NODE_ENV: mode })).toThrow(/NODE_ENV: must be one of/);
  });

  it('switches the playground off in production', () => {
    expect(readEnv({ NODE_ENV: 'production' }).playground).toBe(false);
  });

  it('allows introspection to be set independently of the mode, and hides a playground that could not work', () => {
    const read = (source: Readonly<Record<string, string>>) => {
      const { playground, introspection } = readEnv(source);
      return { playground, introspection };
    };
    const production = { NODE_ENV: 'production' };

    expect(read(production)).toEqual({ playground: false, introspection: false });
    expect(read({ ...production, STRATA_GRAPHQL_INTROSPECTION: 'on' })).toEqual({
      playground: false,
      introspection: true,
    });
    expect(read({ STRATA_GRAPHQL_INTROSPECTION: 'off' })).toEqual({ playground: true, introspection: false });
    expect(read({ STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' })).toEqual({ playground: false, introspection: true });
  });

  it('rejects settings that switch off both the console and other documents', () => {
    expect(() => readEnv({ STRATA_CONSOLE: 'off', STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' })).toThrow(
      /STRATA_GRAPHQL_OTHER_DOCUMENTS: must be on where STRATA_CONSOLE is off/,
    );
  });

  it('has the defaults that the settings document', () => {
    const described = Object.fromEntries(SETTINGS.map((setting) => [setting.name, setting.default]));

    expect(readEnv(described)).toEqual(readEnv({}));
  });
});
