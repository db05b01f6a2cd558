import { boolean, integer, type SampleProject, secretParameter, stringParameter } from './shape.ts';

// The variable KC_X_Y sets option `x-y` of Keycloak. Values in `default` are Keycloak's own defaults (version 26) unless the description
// states otherwise.
export const keycloak: SampleProject = {
  name: 'keycloak',
  description: 'Keycloak 26: sign-in for users and programs.',
  dependsOn: 'platform-base',
  parameters: {
    KC_BOOTSTRAP_ADMIN_USERNAME: stringParameter('temp-admin', 'First administrator, created once.'),
    KC_BOOTSTRAP_ADMIN_PASSWORD: secretParameter('Password of the first administrator.'),
    KC_DB: stringParameter('postgres', 'Type of the database (the default is dev-file).'),
    KC_DB_URL_HOST: stringParameter('localhost', 'Host of the database (ours).', {
      staging: 'postgresql.staging.internal',
      production: 'postgresql.internal',
    }),
    KC_DB_URL_PORT: integer(5432, 'Port of the database (ours).'),
    KC_DB_URL_DATABASE: stringParameter('keycloak', 'Name of the database.'),
    KC_DB_URL_PROPERTIES: stringParameter('', 'Appended to the JDBC address.', { production: '?sslmode=verify-full' }),
    KC_DB_USERNAME: stringParameter('keycloak', 'Account in the database (ours).'),
    KC_DB_PASSWORD: secretParameter('Password in the database.'),
    KC_DB_SCHEMA: stringParameter('public', 'Schema in the database (ours).'),
    KC_DB_POOL_INITIAL_SIZE: integer(5, 'Connections opened at the start (ours).', { production: 30 }),
    KC_DB_POOL_MIN_SIZE: integer(5, 'Fewest connections kept (ours).', { production: 30, canary: 10 }),
    KC_DB_POOL_MAX_SIZE: integer(100, 'Most connections.', { development: 10, canary: 30 }),
    KC_DB_LOG_SLOW_QUERIES_THRESHOLD: integer(10000, 'Milliseconds after which a query is logged.', {
      staging: 500,
      production: 2000,
    }),
    KC_TRANSACTION_XA_ENABLED: boolean(false, 'Whether distributed transactions are used.'),
    KC_HOSTNAME: stringParameter('http://localhost:8080', 'Public address (ours).', {
      staging: 'https://id.staging.example.com',
      production: 'https://id.example.com',
      canary: 'https://id.canary.example.com',
    }),
    KC_HOSTNAME_ADMIN: stringParameter('http://localhost:8080', 'Address of the administration console (ours).', {
      staging: 'https://id-admin.staging.example.com',
      production: 'https://id-admin.example.com',
    }),
    KC_HOSTNAME_STRICT: boolean(true, 'Never takes the host name from a request.', { development: false }),
    KC_HOSTNAME_BACKCHANNEL_DYNAMIC: boolean(false, 'Allows internal addresses for internal programs.', {
      production: true,
    }),
    KC_HOSTNAME_DEBUG: boolean(false, 'Shows a page that explains host names.', { development: true }),
    KC_HTTP_ENABLED: boolean(false, 'Whether plain http is served.', { development: true, production: true }),
    KC_HTTP_HOST: stringParameter('0.0.0.0', 'Address to listen on.'),
    KC_HTTP_PORT: integer(8080, 'Port of http.'),
    KC_HTTPS_PORT: integer(8443, 'Port of https.'),
    KC_HTTP_RELATIVE_PATH: stringParameter('/', 'Path below which everything is served.'),
    KC_HTTP_POOL_MAX_THREADS: integer(50, 'Most threads for requests (the smallest automatic size).', {
      production: 200,
    }),
    KC_HTTP_MAX_QUEUED_REQUESTS: integer(
      1000,
      'Requests waiting before new ones get 503 (ours; unlimited by default).',
    ),
    KC_HTTP_METRICS_HISTOGRAMS_ENABLED: boolean(false, 'Publishes durations as histograms.', { production: true }),
    KC_HTTPS_PROTOCOLS: stringParameter('TLSv1.3,TLSv1.2', 'Protocols offered.', { production: 'TLSv1.3' }),
    KC_HTTPS_CLIENT_AUTH: stringParameter('none', 'Whether clients show certificates: none, request or required.'),
    KC_HTTPS_CERTIFICATE_FILE: stringParameter('/etc/keycloak/tls/tls.crt', 'Certificate chain (ours).'),
    KC_HTTPS_CERTIFICATE_KEY_FILE: stringParameter(
      '/etc/keycloak/tls/tls.key',
      'Private key of the certificate (ours).',
    ),
    KC_HTTPS_KEY_STORE_PASSWORD: secretParameter('Password of the key store.', ['staging', 'production']),
    KC_HTTP_MANAGEMENT_PORT: integer(9000, 'Port of health and metrics.'),
    KC_HTTP_MANAGEMENT_RELATIVE_PATH: stringParameter('/', 'Path of health and metrics.'),
    KC_PROXY_HEADERS: stringParameter('xforwarded', 'Trusted proxy headers: forwarded or xforwarded (ours).'),
    KC_PROXY_TRUSTED_ADDRESSES: stringParameter('127.0.0.1/8', 'Trusted proxies (ours; all by default).', {
      production: '10.20.0.0/16',
    }),
    KC_HEALTH_ENABLED: boolean(false, 'Serves health checks.', { staging: true, production: true }),
    KC_METRICS_ENABLED: boolean(false, 'Serves metrics.', { staging: true, production: true }),
    KC_EVENT_METRICS_USER_ENABLED: boolean(false, 'Counts logins and their failures.', { production: true }),
    KC_TRACING_ENABLED: boolean(false, 'Sends traces.', { canary: true }),
    KC_TRACING_ENDPOINT: stringParameter('http://localhost:4317', 'Collector of traces.', {
      production: 'http://otel.internal:4317',
    }),
    KC_TRACING_SAMPLER_RATIO: stringParameter('1.0', 'Share of traces that are kept.', { production: '0.01' }),
    KC_LOG: stringParameter('console', 'Destinations of the logs: console, file, syslog.'),
    KC_LOG_LEVEL: stringParameter('info', 'Log level.', {
      development: 'debug',
      canary: 'info,org.keycloak.events:debug',
    }),
    KC_LOG_CONSOLE_OUTPUT: stringParameter('default', 'Format of log lines: default or json.', {
      staging: 'json',
      production: 'json',
    }),
    KC_LOG_CONSOLE_COLOR: boolean(false, 'Colours in the console.', { development: true }),
    KC_CACHE: stringParameter('ispn', 'Cache shared by servers (ispn) or not (local).', { development: 'local' }),
    KC_CACHE_STACK: stringParameter('jdbc-ping', 'How servers find each other.'),
    KC_CACHE_EMBEDDED_MTLS_ENABLED: boolean(true, 'Encrypts traffic between servers.', { development: false }),
    KC_FEATURES: stringParameter('', 'Preview features that are switched on.', { canary: 'token-exchange' }),
    KC_FEATURES_DISABLED: stringParameter('', 'Features that are switched off.', { production: 'impersonation' }),
    KC_TRUSTSTORE_PATHS: stringParameter('/etc/ssl/certs/platform-ca.pem', 'Certificates trusted in addition (ours).'),
    JAVA_OPTS_KC_HEAP: stringParameter(
      '-XX:MaxRAMPercentage=70 -XX:InitialRAMPercentage=50',
      'Memory of the Java machine (ours).',
      {
        production: '-XX:MaxRAMPercentage=75 -XX:InitialRAMPercentage=75',
      },
    ),
    SMTP_FROM: stringParameter('id@localhost', 'Sender of sign-in mail: overrides the one of platform-base.', {
      staging: 'id@staging.example.com',
      production: 'id@example.com',
    }),
  },
};
