// The queries to the gateway, and the number of calls to the core that one query makes.
import http from 'node:http';
import { ENVIRONMENTS, WIDE } from './configuration.mjs';

const EFFECTIVE = `query ($project: ID!, $environment: ID!) {
  effective(projectId: $project, environmentId: $environment) { revision digest map } }`;

const wideQuery = (fields) => `query ($projects: Int!, $parameters: Int!) {
  projects(first: $projects) { edges { node { id name
    parameters(first: $parameters) { edges { node { id name
      ${ENVIRONMENTS.map((name) => `${name}: effective(environment: "${name}") { ${fields} }`).join(' ')} } } } } } } }`;

/** Returns the query for a hundred values of one project as one map. */
export const effectiveQuestion = (project, environment) => ({
  query: EFFECTIVE,
  variables: { project: project.id, environment },
});

/** Returns the query for the effective values of many parameters of many projects in four environments. */
export const wideQuestion = (projects = WIDE.projects, fields = 'environmentName value') => ({
  query: wideQuery(fields),
  variables: { projects, parameters: WIDE.parameters },
});

const PEER_VALUES = `query ($project: Int!, $environment: String!) {
  allParameters(condition: { projectId: $project }) {
    nodes { name valuesByParameterId(condition: { environment: $environment }) { nodes { text } } } } }`;

const PEER_WIDE = `query ($projects: Int!, $parameters: Int!) {
  allProjects(first: $projects) { nodes { rowId name
    parametersByProjectId(first: $parameters) { nodes { rowId name
      valuesByParameterId { nodes { environment text } } } } } } }`;

const PEER_WRITE = `mutation ($id: Int!, $text: String!) {
  updateValueByRowId(input: { rowId: $id, valuePatch: { text: $text } }) { value { rowId text } } }`;

/** The queries of the peer that return as many values, and a mutation that changes one value. */
export const PEER_QUESTIONS = {
  values: (environment) => ({ query: PEER_VALUES, variables: { project: 1, environment } }),
  wide: { query: PEER_WIDE, variables: WIDE },
  write: (id, text) => ({ query: PEER_WRITE, variables: { id, text } }),
};

/** Sends one query to the gateway and throws if it is rejected. Resolves with the bytes of the response. */
export async function askGateway(url, apiKey, question) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  const text = await response.text();
  if (!response.ok || JSON.parse(text).errors) throw new Error(`${response.status} ${text.slice(0, 300)}`);
  return text;
}

/** Starts a proxy before the core that counts requests. Resolves with { url, calls(), close() }. */
export async function countingProxy(coreUrl) {
  let calls = 0;
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    calls += 1;
    const { method, headers, url: path } = request;
    const passed = http.request(new URL(path, coreUrl), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls: () => calls,
    close: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/** Returns how many calls to the core the wide query makes for one project and for all. Uses a separate gateway. */
export async function countCalls(stage) {
  const proxy = await countingProxy(stage.env.STRATA_CORE_URL);
  const { child, url } = await stage.startGatewayOn(proxy.url);
  try {
    // The first query of a gateway may make additional calls that fill its caches.
    await askGateway(url, stage.apiKey, wideQuestion());
    const counted = {};
    // The gateway stores the responses to repeated bodies, and ignores this extension.
    const extensions = { attempt: 'count' };
    for (const [name, projects] of [
      ['one', 1],
      ['all', WIDE.projects],
    ]) {
      const before = proxy.calls();
      await askGateway(url, stage.apiKey, { ...wideQuestion(projects), extensions });
      counted[name] = proxy.calls() - before;
    }
    return counted;
  } finally {
    await stage.stop(child);
    proxy.close();
  }
}
