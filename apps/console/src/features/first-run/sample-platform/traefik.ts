import { boolean, integer, type SampleProject, secretParameter, stringParameter } from './shape.ts';

// The static configuration of Traefik as environment variables. The entry points are named web and websecure, the certificate resolver le.
// Values in `default` are Traefik's own defaults (version 3) unless the description states otherwise.
export const traefik: SampleProject = {
  name: 'traefik',
  description: 'Traefik 3: the reverse proxy in front of all services.',
  dependsOn: 'platform-base',
  parameters: {
    TRAEFIK_GLOBAL_CHECKNEWVERSION: boolean(true, 'Checks for new versions.', { production: false }),
    TRAEFIK_GLOBAL_SENDANONYMOUSUSAGE: boolean(false, 'Sends anonymous statistics.'),
    TRAEFIK_LOG_LEVEL: stringParameter('ERROR', 'Log level.', {
      development: 'DEBUG',
      staging: 'INFO',
      canary: 'INFO',
    }),
    TRAEFIK_LOG_FORMAT: stringParameter('common', 'Format of log lines: json or common.', {
      staging: 'json',
      production: 'json',
    }),
    TRAEFIK_LOG_FILEPATH: stringParameter('', 'Log file; empty for standard output.'),
    TRAEFIK_ACCESSLOG: boolean(false, 'Logs every request.', { staging: true, production: true }),
    TRAEFIK_ACCESSLOG_FORMAT: stringParameter('common', 'Format of access log lines.', { production: 'json' }),
    TRAEFIK_ACCESSLOG_BUFFERINGSIZE: integer(0, 'Lines kept before they are written.', { production: 100 }),
    TRAEFIK_ACCESSLOG_FILTERS_STATUSCODES: stringParameter('', 'Status codes that are logged; empty for all.', {
      production: '400-599',
    }),
    TRAEFIK_ACCESSLOG_FILTERS_RETRYATTEMPTS: boolean(false, 'Also logs requests that were retried.', {
      production: true,
    }),
    TRAEFIK_ACCESSLOG_FILTERS_MINDURATION: integer(0, 'Also logs requests slower than this, seconds.', {
      production: 1,
    }),
    TRAEFIK_ACCESSLOG_FIELDS_DEFAULTMODE: stringParameter('keep', 'Whether fields are kept or dropped.'),
    TRAEFIK_ACCESSLOG_FIELDS_HEADERS_DEFAULTMODE: stringParameter(
      'drop',
      'Whether headers are kept, dropped or redacted.',
    ),
    TRAEFIK_API: boolean(false, 'Serves the API and dashboard.', { development: true, staging: true }),
    TRAEFIK_API_DASHBOARD: boolean(true, 'Shows the dashboard when the API is served.'),
    TRAEFIK_API_DEBUG: boolean(false, 'Serves profiling endpoints.', { development: true }),
    TRAEFIK_API_INSECURE: boolean(false, 'Serves the API without protection.', { development: true }),
    TRAEFIK_API_DISABLEDASHBOARDAD: boolean(false, 'Hides the advertisement.', { production: true }),
    TRAEFIK_PING: boolean(false, 'Serves a health check.', { staging: true, production: true }),
    TRAEFIK_PING_ENTRYPOINT: stringParameter('traefik', 'Entry point of the health check.'),
    TRAEFIK_METRICS_PROMETHEUS: boolean(false, 'Publishes metrics.', { staging: true, production: true }),
    TRAEFIK_METRICS_PROMETHEUS_ENTRYPOINT: stringParameter('traefik', 'Entry point of metrics.'),
    TRAEFIK_METRICS_PROMETHEUS_BUCKETS: stringParameter(
      '0.100000, 0.300000, 1.200000, 5.000000',
      'Buckets of durations, seconds.',
    ),
    TRAEFIK_METRICS_PROMETHEUS_ADDROUTERSLABELS: boolean(false, 'Labels metrics with routers.', { canary: true }),
    TRAEFIK_ENTRYPOINTS_WEB_ADDRESS: stringParameter(':80', 'Address for plain http (ours).', { development: ':8080' }),
    TRAEFIK_ENTRYPOINTS_WEB_HTTP_REDIRECTIONS_ENTRYPOINT_TO: stringParameter('', 'Entry point that http is sent to.', {
      staging: 'websecure',
      production: 'websecure',
    }),
    TRAEFIK_ENTRYPOINTS_WEB_HTTP_REDIRECTIONS_ENTRYPOINT_SCHEME: stringParameter(
      'https',
      'Scheme that http is sent to.',
    ),
    TRAEFIK_ENTRYPOINTS_WEB_HTTP_REDIRECTIONS_ENTRYPOINT_PERMANENT: boolean(true, 'Whether browsers may remember it.', {
      staging: false,
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_ADDRESS: stringParameter(':443', 'Address for https (ours).', {
      development: ':8443',
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_ASDEFAULT: boolean(false, 'The default for routers that name none.', {
      production: true,
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_HTTP_TLS_CERTRESOLVER: stringParameter('', 'Certificate resolver.', {
      staging: 'le',
      production: 'le',
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_HTTP3: boolean(false, 'Also supports HTTP/3.', { canary: true }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_HTTP2_MAXCONCURRENTSTREAMS: integer(250, 'Streams of one connection.'),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_HTTP_MAXHEADERBYTES: integer(1048576, 'Largest request headers, bytes.', {
      production: 65536,
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_FORWARDEDHEADERS_INSECURE: boolean(
      false,
      'Trusts forwarded headers from all addresses.',
    ),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_FORWARDEDHEADERS_TRUSTEDIPS: stringParameter(
      '',
      'Addresses whose forwarded headers are trusted.',
      {
        production: '10.0.0.0/8',
      },
    ),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_PROXYPROTOCOL_TRUSTEDIPS: stringParameter(
      '',
      'Addresses whose proxy protocol is trusted.',
      {
        production: '10.0.0.0/8',
      },
    ),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_TRANSPORT_LIFECYCLE_GRACETIMEOUT: integer(10, 'Seconds to finish requests.', {
      production: 30,
    }),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_TRANSPORT_LIFECYCLE_REQUESTACCEPTGRACETIMEOUT: integer(
      0,
      'Seconds that new requests are accepted before a shutdown.',
      { production: 10 },
    ),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_TRANSPORT_RESPONDINGTIMEOUTS_READTIMEOUT: integer(60, 'Seconds to read a request.'),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_TRANSPORT_RESPONDINGTIMEOUTS_WRITETIMEOUT: integer(0, 'Seconds to write a response.'),
    TRAEFIK_ENTRYPOINTS_WEBSECURE_TRANSPORT_RESPONDINGTIMEOUTS_IDLETIMEOUT: integer(180, 'Seconds a connection idles.'),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_CASERVER: stringParameter(
      'https://acme-v02.api.letsencrypt.org/directory',
      'Authority that signs certificates.',
      { staging: 'https://acme-staging-v02.api.letsencrypt.org/directory' },
    ),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_EMAIL: stringParameter(
      'platform@example.com',
      'Address for messages of the authority (ours).',
    ),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_STORAGE: stringParameter('acme.json', 'File that keeps certificates.', {
      production: '/var/lib/traefik/acme.json',
    }),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_KEYTYPE: stringParameter('RSA4096', 'Kind of private key.', {
      canary: 'EC256',
    }),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_CERTIFICATESDURATION: integer(2160, 'Hours a certificate lasts.'),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_EAB_KID: stringParameter('', 'Account at an external authority.'),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_EAB_HMACENCODED: secretParameter('Key of that account.', ['production']),
    TRAEFIK_CERTIFICATESRESOLVERS_LE_ACME_DNSCHALLENGE_PROVIDER: stringParameter('', 'Provider of the DNS challenge.', {
      production: 'rfc2136',
    }),
    RFC2136_NAMESERVER: stringParameter('', 'Name server that accepts updates.', { production: 'ns1.internal:53' }),
    RFC2136_TSIG_SECRET: secretParameter('Key that signs updates of names.', ['production']),
    TRAEFIK_PROVIDERS_DOCKER: boolean(false, 'Finds services in Docker.', { development: true }),
    TRAEFIK_PROVIDERS_DOCKER_ENDPOINT: stringParameter('unix:///var/run/docker.sock', 'Address of the Docker API.'),
    TRAEFIK_PROVIDERS_DOCKER_EXPOSEDBYDEFAULT: boolean(true, 'Publishes all containers by default.', {
      staging: false,
      production: false,
    }),
    TRAEFIK_PROVIDERS_DOCKER_WATCH: boolean(true, 'Follows changes in Docker.'),
    TRAEFIK_PROVIDERS_FILE_DIRECTORY: stringParameter('', 'Directory of dynamic configuration.', {
      staging: '/etc/traefik/dynamic',
      production: '/etc/traefik/dynamic',
    }),
    TRAEFIK_PROVIDERS_FILE_WATCH: boolean(true, 'Follows changes of files.'),
    TRAEFIK_PROVIDERS_PROVIDERSTHROTTLEDURATION: integer(2, 'Shortest pause between reloads, seconds.'),
    TRAEFIK_SERVERSTRANSPORT_INSECURESKIPVERIFY: boolean(false, 'Accepts any certificate of the servers.', {
      development: true,
    }),
    TRAEFIK_SERVERSTRANSPORT_MAXIDLECONNSPERHOST: integer(200, 'Idle connections to one server.'),
    TRAEFIK_SERVERSTRANSPORT_FORWARDINGTIMEOUTS_DIALTIMEOUT: integer(30, 'Seconds to connect to a server.', {
      production: 5,
    }),
    TRAEFIK_SERVERSTRANSPORT_FORWARDINGTIMEOUTS_RESPONSEHEADERTIMEOUT: integer(0, 'Seconds to wait for headers.', {
      production: 30,
    }),
    TRAEFIK_SERVERSTRANSPORT_FORWARDINGTIMEOUTS_IDLECONNTIMEOUT: integer(90, 'Seconds an idle connection is kept.'),
    TRAEFIK_TRACING_SERVICENAME: stringParameter('traefik', 'Name in traces.', { canary: 'traefik-canary' }),
    TRAEFIK_TRACING_SAMPLERATE: stringParameter('1.000000', 'Share of traces that are kept.', {
      production: '0.050000',
    }),
  },
};
