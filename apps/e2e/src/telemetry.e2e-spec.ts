import fs from 'node:fs';
import path from 'node:path';
import { EVENT_TYPES } from '@strata/domain';
import { findFreePort } from '@strata/processes';
import {
  type FakeChat,
  Metrics,
  metricsPort,
  type OtlpReceiver,
  type OwnCore,
  type OwnGateway,
  type ReceivedSpan,
  startCore,
  startFakeChat,
  startGateway,
  startOtlpReceiver,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { WebSocket } from 'ws';
import { GraphQLFixture } from './graphql-access.ts';
import { eventually, startService } from './processes.ts';
import { subscribeToChanges } from './received-events.ts';

let collector: OtlpReceiver;
let chat: FakeChat;
let core: OwnCore;
let gateway: OwnGateway;
let graphql: GraphQLFixture;
let ports: { readonly core: number; readonly gateway: number };
let org: TestOrganization;

beforeAll(async () => {
  [collector, chat] = await Promise.all([startOtlpReceiver(), startFakeChat()]);
  ports = { core: await metricsPort(), gateway: await metricsPort() };
  const exported = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  };
  core = await startCore({
    ...exported,
    STRATA_METRICS_PORT: String(ports.core),
    STRATA_SLACK_API_URL: chat.url,
    STRATA_TRUST_PROXY: 'true',
  });
  gateway = await startGateway(core, { ...exported, STRATA_GATEWAY_METRICS_PORT: String(ports.gateway) });
  graphql = new GraphQLFixture(gateway.origin, core);
});
afterAll(async () => {
  await gateway.close();
  await core.close();
  await Promise.all([collector.close(), chat.close()]);
});
beforeEach(async () => {
  org = await core.organization();
});

/** A trace context as a caller sends it. */
function newTrace(): { readonly traceId: string; readonly header: string } {
  const hex = (bytes: number) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex');
  const traceId = hex(16);
  return { traceId, header: `00-${traceId}-${hex(8)}-01` };
}

const listSpans = (traceId: string) => collector.spans().filter((span) => span.traceId === traceId);
const has = (spans: readonly ReceivedSpan[], service: string, name: RegExp) =>
  spans.some((span) => span.service === service && name.test(span.name));

describe('a trace', () => {
  it('leads from the request of a caller through gateway, core and database to the message in the channel', async () => {
    await org.webhook({
      event_types: [...EVENT_TYPES],
      configuration: { token: 'xoxb-token-of-a-trace', channel: 'CTRACE', username: 'strata' },
    });
    const { traceId, header } = newTrace();
    const query = 'mutation { createProject(input: { name: "traced" }) { __typename } }';
    const { errors } = await graphql.post({ query }, org.ownerAuthorization, { traceparent: header });
    expect(errors).toBeUndefined();

    const expected: readonly (readonly [string, RegExp])[] = [
      ['strata-gateway', /^POST \/graphql$/],
      ['strata-gateway', /^POST core$/],
      ['strata-core', /^POST \/api\/v1\/projects$/],
      ['strata-core', /^strata\.write$/],
      ['strata-core', /^INSERT /],
      ['strata-core', /^strata\.webhook\.delivery$/],
      ['strata-core', /^POST chat\.postMessage$/],
    ];
    await eventually('all spans of the trace', () =>
      expected.every(([service, name]) => has(listSpans(traceId), service, name)),
    );
    const spans = listSpans(traceId);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const roots = spans.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId));
    expect(roots.map(({ name }) => name)).toEqual(['POST /graphql']);
  });

  it('also begins with a mutation over a websocket', async () => {
    const socket = graphql.socket(org.ownerAuthorization);
    const query = 'mutation { createEnvironment(input: { name: "over-a-socket" }) { __typename } }';
    for await (const { errors } of socket.iterate({ query })) expect(errors).toBeUndefined();
    await socket.dispose();

    await eventually('the operation and its request to the core in one trace', () => {
      const traces = Map.groupBy(collector.spans(), ({ traceId }) => traceId);
      return [...traces.values()].some(
        (spans) =>
          has(spans, 'strata-gateway', /^graphql mutation$/) &&
          has(spans, 'strata-core', /^POST \/api\/v1\/environments$/),
      );
    });
  });

  it('is not sent to the chat service', async () => {
    const received = chat.attempts().length;
    await org.webhook({
      event_types: [...EVENT_TYPES],
      configuration: { token: 'xoxb-token-of-a-stranger', channel: 'CSTRANGER', username: 'strata' },
    });
    await org.project();
    await eventually('a message', () => chat.attempts().length > received);

    expect(chat.attempts().filter(({ traceparent }) => traceparent !== null)).toEqual([]);
  });
});

describe('the metrics of the gateway', () => {
  const read = () => Metrics.read(ports.gateway);
  const increased = async (name: string, labels = {}, work: () => Promise<unknown>) => {
    const before = (await read()).sum(name, labels);
    await work();
    await eventually(`more of ${name}`, async () => (await read()).sum(name, labels) > before);
  };

  it('count requests by route, requests to the core, and errors by code', async () => {
    const query = (text: string) => () => graphql.request(text, {}, org.ownerAuthorization);
    await increased(
      'http_server_request_duration_seconds_count',
      { http_route: '/graphql' },
      query('{ viewer { role } }'),
    );
    await increased(
      'http_client_request_duration_seconds_count',
      { http_request_method: 'GET', http_response_status_code: '200' },
      query('{ projects(first: 1) { totalCount } }'),
    );
    await increased('strata_graphql_errors_total', { error_type: 'GRAPHQL_VALIDATION_FAILED' }, query('{ nothing }'));
  });

  it('count sockets, subscriptions, streams to the core, operations and rejected sockets', async () => {
    const socket = graphql.socket(org.ownerAuthorization);
    const changes = subscribeToChanges(socket);
    const next = changes.next();
    const gauges = ['strata_sockets', 'strata_subscriptions', 'strata_core_streams'];
    await eventually('an open subscription', async () => {
      const metrics = await read();
      return gauges.every((name) => metrics.sum(name) === 1);
    });
    await increased(
      'strata_graphql_socket_operation_duration_seconds_count',
      { graphql_operation_type: 'query' },
      async () => {
        for await (const _ of socket.iterate({ query: '{ viewer { role } }' }));
      },
    );
    await increased('strata_sockets_refused_total', { http_response_status_code: '403' }, async () => {
      const socket = new WebSocket(graphql.socketUrl, 'graphql-transport-ws', { origin: 'https://elsewhere.example' });
      await new Promise((resolve) => socket.once('error', resolve));
    });
    await org.project();
    await next;
    await socket.dispose();
    await eventually('no socket', async () => (await read()).sum('strata_sockets') === 0);
  });
});

/** Texts that belong to users. None of them may appear in anything that is exported. */
const CANARY = 'quetzal';

describe('everything that is exported', () => {
  it('contains no name, value, key, id, path, query, variable or address of a user', async () => {
    const ids = await useEverything();
    // Spans are exported in the order in which they end.
    const { traceId, header } = newTrace();
    await graphql.post({ query: '{ viewer { role } }' }, org.ownerAuthorization, { traceparent: header });
    await eventually('the spans of everything', () =>
      ['strata-gateway', 'strata-core'].every((service) => has(listSpans(traceId), service, /^(GET|POST) \/./)),
    );
    const metrics = collector.bodies('metrics').length;
    const exported = () => [...collector.bodies('traces'), ...collector.bodies('metrics')];
    await eventually('the metrics of everything', () => collector.bodies('metrics').length > metrics + 4);

    const texts = [...exported(), (await Metrics.read(ports.core)).text, (await Metrics.read(ports.gateway)).text];
    expect(texts.join('').length).toBeGreaterThan(10_000);
    const secrets = [CANARY, org.ownerAuthorization.slice(7), org.id, org.name, ...ids, '127.0.0.1'];
    for (const secret of secrets)
      expect(texts.filter((text) => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
  });

  /** Uses every interface with the canary, also in requests that fail. Returns the ids of the created objects. */
  async function useEverything(): Promise<readonly string[]> {
    const { owner } = org;
    const hook = await org.webhook({
      name: `${CANARY}-webhook`,
      event_types: [...EVENT_TYPES],
      configuration: { token: `xoxb-1234567890-${CANARY}`, channel: `C${CANARY}`, username: CANARY },
    });
    chat.script({ kind: 'error', error: `${CANARY}_error` });
    const project = await org.project({ name: `${CANARY}-project`, description: CANARY });
    const environment = await org.environment({ name: `${CANARY}-environment` });
    const parameter = await org.parameter({ project, name: `${CANARY}_PARAMETER`, secret: true });
    const value = await org.value({ parameter, environment, internal_value: `${CANARY} value` });
    await owner.get(`projects/?name=${CANARY}-project`);
    await owner.get(`${parameter.url}values/?environment=${environment.name}`);
    await owner.get(`${CANARY}/${CANARY}/`);
    await owner.get(`projects/${CANARY}/`);
    await owner.get(`search/?q=${CANARY}`);
    await owner.post('projects/', { name: `${CANARY}-project` });
    await owner.post('projects/', { [CANARY]: CANARY });
    await owner.post('auth/token/', { email: `${CANARY}@example.com`, password: `${CANARY} password` });
    await fetch(`${core.origin}/api/v1/%${CANARY}`, { headers: { authorization: `Api-Key ${CANARY}.${CANARY}` } });
    await fetch(`${core.origin}/api/v1/projects/`, {
      headers: {
        authorization: `Bearer ${CANARY}`,
        'user-agent': CANARY,
        'x-request-id': CANARY,
        baggage: `a=${CANARY}`,
      },
    });
    const query = `query ${CANARY}($name: String) { projects(name: $name) { edges { node { id name } } } ${CANARY}: viewer { role } }`;
    await graphql.request(query, { name: `${CANARY}-project` }, org.ownerAuthorization);
    await graphql.request(`{ ${CANARY} }`, { [CANARY]: CANARY }, org.ownerAuthorization);
    await fetch(`${gateway.origin}/${CANARY}`);
    const socket = graphql.socket(org.ownerAuthorization);
    const changes = subscribeToChanges(socket, { project: project.id });
    const next = changes.next();
    for await (const _ of socket.iterate({ query, variables: { name: CANARY } }));
    await expect(socket.iterate({ query: `{ ${CANARY} }` }).next()).rejects.toBeDefined();
    await eventually('an event', async () => {
      await owner.patch(project.url, { description: `${CANARY} ${Math.random()}` });
      return Promise.race([next.then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 100, false))]);
    });
    await socket.dispose();
    await eventually('messages to the chat service', () =>
      chat.attempts().some(({ authorization }) => authorization.includes(CANARY)),
    );
    return [hook.id, project.id, environment.id, parameter.id, value.id];
  }
});

describe('a collector that does not respond', () => {
  it('delays neither requests nor the end of the process', async () => {
    const dead = await startOtlpReceiver({ answers: false });
    const service = await startService('core', await findFreePort(), {
      DATABASE_URL: core.database.url,
      STRATA_ROOT_KEY: testCredentials().rootKey,
      STRATA_LOG_LEVEL: 'error',
      OTEL_EXPORTER_OTLP_ENDPOINT: dead.url,
      // Longer than the time after which a process that still waits ends with 1.
      OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    try {
      await eventually('an export', async () => {
        expect((await fetch(`${service.origin}/readyz`)).status).toBe(200);
        return dead.bodies('traces').length > 0;
      });
      await service.end('SIGTERM');
      expect(await service.ended).toEqual({ code: 0, signal: null });
    } finally {
      await service.end('SIGKILL');
      await dead.close();
    }
  });
});

describe('a gateway whose port of the metrics is taken', () => {
  it('does not start, and names the setting', async () => {
    await expect(startGateway(core, { STRATA_GATEWAY_METRICS_PORT: String(ports.gateway) })).rejects.toThrow(
      `Another program listens on port ${ports.gateway}. Set STRATA_GATEWAY_METRICS_PORT to a free port.`,
    );
  });
});

/** Returns the files of a program that Node loads before the program runs. */
function filesLoadedAtOnce(dist: string, file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = fs.readFileSync(path.join(dist, file), 'utf8');
  for (const [, next = ''] of text.matchAll(/^(?:import|export)\b(?:[^"'(]*?from)?\s*["']\.\/([^"']+)["']/gm))
    filesLoadedAtOnce(dist, next, loaded);
  return loaded;
}

test.each(['core', 'gateway'])('a %s without telemetry does not load the SDK', (app) => {
  const dist = path.resolve(import.meta.dirname, '../..', app, 'dist');
  const hasSdk = (file: string) => /PeriodicExportingMetricReader/.test(fs.readFileSync(path.join(dist, file), 'utf8'));
  const scripts = fs.readdirSync(dist).filter((file) => file.endsWith('.js'));

  expect(scripts.filter(hasSdk)).toHaveLength(1);
  expect([...filesLoadedAtOnce(dist, 'main.js')].filter(hasSdk)).toEqual([]);
});
