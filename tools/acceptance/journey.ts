import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** An installation as its users see it. */
export interface Installation {
  readonly core: string;
  readonly gateway: string;
  readonly apiKey: string;
}

/** Sends a request to the core, and returns the parsed body. Throws if the core rejects it. */
export async function requestCore<Body>(
  { core, apiKey }: Installation,
  target: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<Body> {
  const response = await fetch(new URL(target, `${core}/api/v1/`), {
    method,
    headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

/** The responses that a journey received. */
export interface Journey {
  readonly effective: unknown;
  readonly rendered: string;
  readonly graphql: unknown;
  /** The type of the event that a websocket received. */
  readonly event: string;
  readonly page: string;
}

/** Writes and reads a value in each way that an installation offers. */
export async function startJourney(installation: Installation, name: string): Promise<Journey> {
  const project = await requestCore<{ id: string }>(installation, 'projects/', { name });
  const target = `projects/${project.id}/`;
  const parameter = await requestCore<{ id: string }>(installation, `${target}parameters/`, { name: 'PORT' });
  const { subscribed, received } = nextEvent(installation);
  await subscribed;
  const [environment] = (await requestCore<{ results: { url: string }[] }>(installation, 'environments/')).results;
  const value = { environment: environment?.url, internal_value: '8080' };
  await requestCore(installation, `${target}parameters/${parameter.id}/values/`, value);
  const template = await requestCore<{ id: string }>(installation, `${target}templates/`, {
    name: 'loop',
    body: '{% for i in (1..2) %}{{ PORT }};{% endfor %}',
  });
  const query = '?environment=default&evaluate=true';
  const { body } = await requestCore<{ body: string }>(installation, `${target}templates/${template.id}/${query}`);
  const { values } = await requestCore<{ values: unknown }>(installation, `${target}effective/?environment=default`);
  const page = await fetch(installation.gateway, { headers: { accept: 'text/html' } });
  return {
    effective: values,
    rendered: body,
    graphql: await graphql(installation, `{ projects(name: "${name}", first: 1) { edges { node { name } } } }`),
    event: await received,
    page: await page.text(),
  };
}

async function graphql({ gateway, apiKey }: Installation, query: string): Promise<unknown> {
  const response = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** Subscribes to changes over a websocket. Resolves when the subscription has begun, and with the type of the next event. */
function nextEvent({ gateway, apiKey }: Installation) {
  const client = createClient({
    url: `${gateway.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Api-Key ${apiKey}` },
    retryAttempts: 0,
  });
  const [subscribed, receivedEvent] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const query = 'subscription { changeFeed { change { type } } }';
  const fail = (error: unknown) => {
    subscribed.reject(error);
    receivedEvent.reject(error);
  };
  client.subscribe<{ changeFeed: { change: { type: string } | null } }>(
    { query },
    {
      next: ({ data }) => {
        subscribed.resolve();
        if (!data?.changeFeed.change) return;
        receivedEvent.resolve(data.changeFeed.change.type);
        void client.dispose();
      },
      error: fail,
      complete: () => fail(new Error('The subscription ended.')),
    },
  );
  return { subscribed: subscribed.promise, received: receivedEvent.promise };
}
