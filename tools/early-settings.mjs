// Checks the settings before anything is installed, so that a start that would fail does not download or build
// anything. The services check the same settings later with their own schemas; a test compares the two checks.

const PORT_MAX = 65_535;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const MODES = ['production', 'development', 'test'];

const matches = (pattern, message) => (text) => (pattern.test(text) ? undefined : message);
const oneOf = (words, message = `must be one of ${words.join(', ')}`) => {
  return (text) => (words.includes(text) ? undefined : message);
};

/** Repeats the rules of `libs/domain/src/service-host.ts`, which has not been built yet. */
const isLinkLocal = (host) =>
  /^169\.254\./.test(host) || /^\[fe[89ab][0-9a-f]:/.test(host) || /^\[::ffff:a9fe:/.test(host);
const isLoopback = (host) => host === 'localhost' || host === '[::1]' || /^127\./.test(host);

const serviceUrl = (isSecret) => (text) => {
  const { protocol = '', hostname = '' } = URL.parse(text) ?? {};
  if (!/^https?:$/.test(protocol)) return 'must be an http or https URL';
  if (isLinkLocal(hostname)) return 'must not be a link-local address';
  if (!isSecret || protocol !== 'http:' || isLoopback(hostname)) return undefined;
  return 'must be https, because anyone who can change the response could sign in as any user';
};

function port(text) {
  if (!/^\d{1,5}$/.test(text)) return 'must be a port number';
  return Number(text) <= PORT_MAX ? undefined : `must be a port number up to ${PORT_MAX}`;
}

const metricsPort = (text) => (text.startsWith('0') ? 'must be a port number' : port(text));

const count =
  (what, max, min = 1) =>
  (text) => {
    const number = Number(text);
    if (!Number.isInteger(number)) return `must be ${what}`;
    if (number < min) return `must be ${min} or more`;
    return number <= max ? undefined : `must be ${max} or less`;
  };

/** Browsers send an origin in lower case, without a path and without the default port. */
function origins(text) {
  const isOrigin = (origin) => /^https?:[^*]+$/.test(origin) && URL.parse(origin)?.origin === origin;
  const list = text.split(',').map((origin) => origin.trim());
  if (list.every((origin) => origin === '' || origin === '*' || isOrigin(origin))) return undefined;
  return 'must be * or origins as browsers send them, such as https://console.example.com,http://localhost:5173';
}

function browserOrigins(text) {
  if (!text.includes('*') && origins(text) === undefined) return undefined;
  return 'must be origins as browsers send them, without *, such as https://shop.example.com,http://localhost:5173';
}

const exporter = oneOf(['otlp', 'none'], 'must be otlp or none');
const milliseconds = count('a whole number of milliseconds', 3_600_000, 100);
const share = (text) => (Number(text) >= 0 && Number(text) <= 1 ? undefined : 'must be a number between 0 and 1');

function issuers(text) {
  const list = text.split(',').map((issuer) => issuer.trim());
  for (const issuer of list.filter(Boolean)) {
    const { username, password, search, hash } = URL.parse(issuer) ?? {};
    if (username || password || search || hash)
      return `${issuer} must be a URL without credentials, query and fragment`;
    const problem = serviceUrl(true)(issuer)?.replace(/^must be an http or https URL$/, 'must be an https URL');
    if (problem !== undefined) return `${issuer} ${problem}`;
  }
  return undefined;
}

/** The services check the members as well. */
function jsonArray(text) {
  try {
    if (Array.isArray(JSON.parse(text))) return undefined;
  } catch {}
  return 'must be a JSON array';
}

const onOrOff = oneOf(['on', 'off'], 'must be on or off');
const origin = matches(
  /^https?:\/\/[^/?#]+\/?$/,
  'must be an origin without a path, such as https://config.example.com',
);

/**
 * For each setting, a function that returns what is wrong with its text, or undefined. Missing and empty settings have
 * a default.
 */
const RULES = {
  DATABASE_URL: matches(/^postgres(ql)?:\/\//, 'must look like postgres://user:password@host:5432/database'),
  STRATA_PORT: port,
  STRATA_GATEWAY_PORT: port,
  STRATA_PUBLIC_URL: origin,
  STRATA_CONSOLE_URL: origin,
  STRATA_CORE_URL: serviceUrl(false),
  STRATA_ALLOWED_ORIGINS: origins,
  STRATA_BROWSER_ORIGINS: browserOrigins,
  STRATA_CONSOLE: onOrOff,
  STRATA_GRAPHQL_OTHER_DOCUMENTS: onOrOff,
  STRATA_GRAPHQL_INTROSPECTION: onOrOff,
  STRATA_TRUST_PROXY: matches(/^(true|false|\d)$/, 'must be true, false or a number of proxies'),
  STRATA_SESSION_KEY: (text) => (Buffer.from(text, 'base64').length === 32 ? undefined : 'must be 32 bytes in base64'),
  STRATA_ROOT_KEY: (text) => (Buffer.from(text, 'base64').length === 32 ? undefined : 'must be 32 bytes in base64'),
  STRATA_BOOTSTRAP_API_KEY: matches(
    /^[A-Za-z0-9]{8}\.[A-Za-z0-9_-]{32,128}$/,
    'must look like <8 characters>.<at least 32 characters>',
  ),
  STRATA_BOOTSTRAP_EMAIL: matches(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'must be an e-mail address'),
  STRATA_BOOTSTRAP_PASSWORD: (text) => (text.length >= 12 ? undefined : 'must have at least 12 characters'),
  STRATA_SLACK_API_URL: serviceUrl(false),
  STRATA_JWKS_URL: serviceUrl(true),
  STRATA_IDENTITY_PROVIDERS: jsonArray,
  STRATA_WORKLOAD_ISSUERS: issuers,
  STRATA_PRIVATE_ISSUERS: oneOf(['true', 'false', '1', '0'], 'must be true or false'),
  STRATA_AUDIT_MAX_DAYS: count('a number of days', 36_500),
  STRATA_AUDIT_MAX_RECORDS: count('a whole number', 2_000_000_000),
  STRATA_UNSAFE_DATABASE: oneOf(['true', 'false', '1', '0'], 'must be true or false'),
  STRATA_GRACE_SECONDS: count('a whole number', 120, 0),
  STRATA_DATABASE_TIMEOUT_SECONDS: count('a whole number', 120),
  STRATA_WRITE_WAIT_SECONDS: count('a whole number', 120),
  STRATA_RATE_PER_CREDENTIAL: count('a whole number', 1_000_000_000),
  STRATA_RATE_PER_ORGANIZATION: count('a whole number', 1_000_000_000),
  STRATA_RATE_PER_ADDRESS: count('a whole number', 1_000_000_000),
  STRATA_REQUEST_SECONDS: count('a whole number', 300),
  STRATA_ANSWERS_MB: count('a whole number', 65_536, 16),
  STRATA_HEAP_MB: count('a whole number', 131_072, 192),
  STRATA_LOG_LEVEL: oneOf(LOG_LEVELS),
  STRATA_SOCKETS_PER_ADDRESS: count('a whole number', 1_000_000),
  STRATA_SOCKETS_PER_CREDENTIAL: count('a whole number', 1_000_000),
  STRATA_SUBSCRIPTIONS_PER_ADDRESS: count('a whole number', 1_000_000),
  STRATA_SUBSCRIPTIONS_PER_CREDENTIAL: count('a whole number', 1_000_000),
  STRATA_METRICS_PORT: metricsPort,
  STRATA_GATEWAY_METRICS_PORT: metricsPort,
  OTEL_EXPORTER_OTLP_ENDPOINT: (text) =>
    /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? undefined : 'must be an http or https URL',
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: oneOf([...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}`)]),
  OTEL_TRACES_SAMPLER_ARG: share,
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds,
  OTEL_BSP_SCHEDULE_DELAY: milliseconds,
  NODE_ENV: oneOf(MODES),
};

/** Returns one line for each invalid setting, starting with its name. */
export function wrongSettings(env) {
  const wrong = Object.entries(RULES).flatMap(([name, problem]) => {
    const found = env[name] ? problem(env[name]) : undefined;
    return found === undefined ? [] : [`${name}: ${found}`];
  });
  if (env.STRATA_GRAPHQL_OTHER_DOCUMENTS === 'off' && env.STRATA_CONSOLE === 'off')
    wrong.push(
      'STRATA_GRAPHQL_OTHER_DOCUMENTS: must be on where STRATA_CONSOLE is off: nothing else would be answered',
    );
  const isCounted = !wrong.some((line) => /^STRATA_(ANSWERS|HEAP)_MB/.test(line));
  if (isCounted && (env.STRATA_ANSWERS_MB || 128) * 2 > (env.STRATA_HEAP_MB || 320))
    wrong.push(
      'STRATA_ANSWERS_MB: must be at most half of STRATA_HEAP_MB, because long responses are created in the heap',
    );
  if (!env.STRATA_JWKS_URL !== !env.STRATA_JWT_ISSUER)
    wrong.push('STRATA_JWKS_URL: must be set together with STRATA_JWT_ISSUER');
  if (
    env.NODE_ENV === 'production' &&
    (env.STRATA_ALLOWED_ORIGINS ?? '').split(',').some((origin) => origin.trim() === '*')
  )
    wrong.push(
      'STRATA_ALLOWED_ORIGINS: must name the origins in production: with * every page that somebody visits may open a websocket',
    );
  // `npm start` derives the session key, so this is the only other setting that they need
  const hasProviders = env.STRATA_IDENTITY_PROVIDERS && !/^\s*\[\s*\]\s*$/.test(env.STRATA_IDENTITY_PROVIDERS);
  if (hasProviders && !env.STRATA_PUBLIC_URL && !wrong.some((line) => line.startsWith('STRATA_IDENTITY_PROVIDERS')))
    wrong.push(
      'STRATA_PUBLIC_URL: must be set if there are STRATA_IDENTITY_PROVIDERS: they send browsers back to this address',
    );
  const [core, gateway] = [env.STRATA_PORT || '3000', env.STRATA_GATEWAY_PORT || '4000'];
  if (core === gateway && core !== '0') wrong.push('STRATA_GATEWAY_PORT: is the same as STRATA_PORT');
  const metrics = env.STRATA_METRICS_PORT;
  if (metrics && metrics === env.STRATA_GATEWAY_METRICS_PORT)
    wrong.push('STRATA_GATEWAY_METRICS_PORT: is the same as STRATA_METRICS_PORT');
  return wrong;
}
