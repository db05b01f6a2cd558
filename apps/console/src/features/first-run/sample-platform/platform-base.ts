import { boolean, integer, type SampleProject, secretParameter, stringParameter } from './shape.ts';

// The shared settings of the platform, which all other projects inherit.
export const platformBase: SampleProject = {
  name: 'platform-base',
  description: 'Shared by every program of the platform: domain, time zone, mail, proxies, telemetry.',
  dependsOn: null,
  parameters: {
    TZ: stringParameter('Etc/UTC', 'Time zone of processes and logs.'),
    LANG: stringParameter('C.UTF-8', 'Locale of processes.'),
    LOG_LEVEL: stringParameter('info', 'Log level.', { development: 'debug', production: 'warning', canary: 'info' }),
    LOG_FORMAT: stringParameter('json', 'Format of log lines.', { development: 'text' }),
    ENVIRONMENT_NAME: stringParameter('default', 'Label on metrics and alerts.', {
      development: 'development',
      staging: 'staging',
      production: 'production',
      canary: 'canary',
    }),
    PLATFORM_DOMAIN: stringParameter('localhost', 'Domain below which every program is published.', {
      staging: 'staging.example.com',
      production: 'example.com',
    }),
    PLATFORM_ADMIN_EMAIL: stringParameter('platform@example.com', 'Address of the support team.'),
    PLATFORM_REGION: stringParameter('eu-central', 'Region of the platform.'),
    HTTP_PROXY: stringParameter('', 'Proxy for outgoing http requests; empty for none.', {
      production: 'http://proxy.internal:3128',
      canary: null,
    }),
    HTTPS_PROXY: stringParameter('', 'Proxy for outgoing https requests; empty for none.', {
      production: 'http://proxy.internal:3128',
    }),
    NO_PROXY: stringParameter('localhost,127.0.0.1,.internal', 'Hosts that are reached without a proxy.'),
    SMTP_HOST: stringParameter('localhost', 'Mail relay.', {
      staging: 'mail.staging.internal',
      production: 'mail.internal',
    }),
    SMTP_PORT: integer(25, 'Port of the mail relay.', { staging: 587, production: 587 }),
    SMTP_USER: stringParameter('', 'Account at the mail relay.', { staging: 'platform', production: 'platform' }),
    SMTP_PASSWORD: secretParameter('Password at the mail relay.', ['staging', 'production']),
    SMTP_STARTTLS: boolean(false, 'Whether the connection to the relay is encrypted.', {
      staging: true,
      production: true,
    }),
    SMTP_FROM: stringParameter('noreply@localhost', 'Sender of mail.', {
      staging: 'noreply@staging.example.com',
      production: 'noreply@example.com',
    }),
    OTEL_SDK_DISABLED: boolean(true, 'Switches telemetry off.', { staging: false, production: false }),
    OTEL_EXPORTER_OTLP_ENDPOINT: stringParameter('http://localhost:4318', 'Collector of traces and metrics.', {
      staging: 'http://otel.staging.internal:4318',
      production: 'http://otel.internal:4318',
    }),
    OTEL_EXPORTER_OTLP_PROTOCOL: stringParameter('http/protobuf', 'Protocol of the collector.'),
    OTEL_TRACES_SAMPLER: stringParameter('parentbased_always_on', 'Sampling of traces.', {
      production: 'parentbased_traceidratio',
    }),
    OTEL_TRACES_SAMPLER_ARG: stringParameter('1.0', 'Share of traces that are kept.', {
      production: '0.05',
      canary: '0.5',
    }),
    BACKUP_ENABLED: boolean(false, 'Whether nightly backups run.', { staging: true, production: true }),
    BACKUP_RETENTION_DAYS: integer(7, 'How long backups are kept.', { production: 35 }),
    BACKUP_ENCRYPTION_KEY: secretParameter('Key that backups are encrypted with.'),
  },
};
