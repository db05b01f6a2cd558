// npm run bench -- --hostile: measures how long the most expensive inputs block the core's main thread.
import { once } from 'node:events';
import { HOSTILE_BODIES, HOSTILE_IMPORTS } from '../../libs/testkit/src/hostile-bodies.ts';
import { HOSTILE_PATTERNS } from '../../libs/testkit/src/hostile-patterns.ts';
import { HOSTILE_TEXTS } from '../../libs/testkit/src/hostile-texts.ts';
import { connect } from '../seed/client.mjs';

const ROUNDS = 5;
const AT_ONCE = 6;
const LONG_VALUES = 24;
/** The limit that ADR 0020 promises. */
export const BLOCK_MS_MAX = 50;

const json = (method, path, body) => ({ method, path, type: 'application/json', body: JSON.stringify(body) });

/** Sends the requests, a few at a time. Error responses count as responses. */
async function all({ url, apiKey }, requests) {
  const queue = requests.values();
  const client = async () => {
    for (const { method = 'GET', path, type, body } of queue) {
      const headers = { authorization: `Api-Key ${apiKey}`, ...(type && { 'content-type': type }) };
      const answer = await fetch(`${url}${path}`, { method, headers, body });
      await answer.arrayBuffer();
      if (answer.status >= 500) throw new Error(`${method} ${path.slice(0, 200)}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

/** Returns the longest block of the main thread since the last call, in milliseconds of its own processor time. */
export async function longestBlock(core) {
  const answer = once(core, 'message');
  core.send('longest turn');
  const [{ longestBlockMs }] = await answer;
  return longestBlockMs;
}

async function attacks({ url, apiKey }) {
  const client = connect(url, apiKey);
  const project = await client.post('/api/v1/projects/', { name: 'hostile' });
  const home = `/api/v1/projects/${project.id}/`;
  const parameter = await client.post(`${home}parameters/`, { name: 'ruled' });
  const environments = await client.get('/api/v1/environments/?name=default');
  const environment = environments.results[0].url;
  const patterns = HOSTILE_PATTERNS.map(([pattern]) => pattern).filter((_, index) => index % 5 === 0);
  const texts = HOSTILE_PATTERNS.filter((_, index) => index % 8 === 0).map(([, text]) => text.slice(0, 65_536));
  for (const [at, text] of [...texts, ...Array(LONG_VALUES).fill('long '.repeat(12_000))].entries()) {
    const { id } = await client.post(`${home}parameters/`, { name: `long_${at}` });
    if (text) await client.post(`${home}parameters/${id}/values/`, { environment, internal_value: text });
  }
  const imported = (body) => ({ project: 'hostile', environment: 'default', secrets: [], ignore: [], body });
  return {
    'rules with hostile patterns': patterns.map((constraint) =>
      json('POST', `${home}parameters/${parameter.id}/rules/`, { type: 'regex', constraint }),
    ),
    'templates that want too much': HOSTILE_TEXTS.filter((_, index) => index % 6 === 0).map(([, body]) =>
      json('POST', `${home}template-preview/`, { body }),
    ),
    'bodies of a megabyte': HOSTILE_BODIES.map((body) => ({ method: 'POST', path: `${home}parameters/`, ...body })),
    'imports of a megabyte': HOSTILE_IMPORTS.map((body) =>
      json('POST', '/api/v1/import/?preview=true', imported(body)),
    ),
    'searches with hostile patterns, and lint': [
      ...patterns
        .filter((pattern) => pattern.length < 200)
        .map((q) => ({ path: `/api/v1/search/?match=regex&within_ms=300&q=${encodeURIComponent(q)}` })),
      { path: '/api/v1/lint/?page_size=500' },
    ],
    'lists of what is longest': [
      { path: `${home}parameters/?page_size=500` },
      { path: '/api/v1/audit/?page_size=500' },
    ],
  };
}

export async function measureHostile(stage, say) {
  const { core } = await stage.startServices();
  const at = { url: stage.env.STRATA_CORE_URL, apiKey: stage.apiKey };
  const rows = {};
  for (const [name, requests] of Object.entries(await attacks(at))) {
    say(`Measuring ${name} …`);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await longestBlock(core);
      await all(at, requests);
      rounds.push(await longestBlock(core));
    }
    rows[name] = { requests: requests.length, least: Math.min(...rounds), most: Math.max(...rounds) };
  }
  return rows;
}

export function renderHostile(rows) {
  const line = (name, count, least, most) =>
    `${name.padEnd(44)}${count.padStart(9)}${least.padStart(9)}${most.padStart(9)}`;
  return [
    line(`Longest turn in ms (promised: ${BLOCK_MS_MAX})`, 'requests', 'least', 'most'),
    ...Object.entries(rows).map(([name, { requests, least, most }]) =>
      line(name, String(requests), least.toFixed(1), most.toFixed(1)),
    ),
    `each in ${ROUNDS} rounds, ${AT_ONCE} requests at once; what runs for the first time is compiled, too`,
  ].join('\n');
}
