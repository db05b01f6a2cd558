// npm run bench -- --streams: measures what a write costs a core whose streams follow effective configurations. The write
// changes one configuration. Streams of other configurations, and further streams of the same one, should cost almost
// nothing besides the bytes that they send.
import http from 'node:http';
import { ENVIRONMENTS, load } from './configuration.mjs';
import { Connection } from './http-load.mjs';
import { percentile } from './measure.mjs';
import { readProcessorTime } from './processes.mjs';
import { api } from './subjects.mjs';

/** The largest ratio of the cost of a write with all streams to that with one stream. */
const RATIO_MAX = 1.5;
/** Each project has four environments, so this is a hundred configurations. */
const PLAN = { projects: 25, loadMs: 600_000 };
const STREAMS_OF_EACH = 10;
const ROUNDS = 12;
const WRITES = 150;
const WARM_WRITES = 50;
const ENVIRONMENT = 'production';

const TITLES = {
  none: 'no stream',
  one: 'one stream',
  sameConfiguration: `${STREAMS_OF_EACH} streams of this configuration`,
  all: `${STREAMS_OF_EACH} streams of each of 100 configurations`,
};

export async function measureStreams(stage, say) {
  const { child, url } = await stage.startCoreWith({});
  say('Loading …');
  const data = await load(url, stage.apiKey, PLAN, () => undefined);
  const [project] = data.projects;
  const pairs = data.projects.flatMap(({ id }) => ENVIRONMENTS.map((environment) => ({ id, environment })));
  const measured = pairs.filter(({ id, environment }) => id === project.id && environment === ENVIRONMENT);
  const sets = {
    none: [],
    one: measured,
    sameConfiguration: Array(STREAMS_OF_EACH).fill(measured[0]),
    all: pairs.flatMap((pair) => Array(STREAMS_OF_EACH).fill(pair)),
  };
  const core = api(url, stage.apiKey);
  const connection = await Connection.open(core.port);
  const value = `/api/v1/projects/${project.id}/parameters/${project.parameters[0].id}/values/${project.parameters[0].values[ENVIRONMENTS.indexOf(ENVIRONMENT)]}/`;
  let written = 0;
  const write = async () => {
    written += 1;
    const body = { internal_value: `text ${written}` };
    const { status } = await connection.ask(core.bytes('PATCH', value, body));
    if (status !== 200) throw new Error(`A write returned ${status}.`);
  };
  const costs = Object.fromEntries(Object.keys(TITLES).map((name) => [name, []]));
  const bytes = Object.fromEntries(Object.keys(TITLES).map((name) => [name, 0]));
  for (let round = 0; round < ROUNDS; round += 1) {
    say(`Round ${round + 1} of ${ROUNDS} …`);
    const names = Object.keys(TITLES);
    // Each set is first, second, third and last equally often.
    for (const at of names.keys()) {
      const name = names[(at + round) % names.length];
      const streams = await openAll(url, stage.apiKey, sets[name]);
      const followers = streams.filter(({ pair }) => pair === measured[0]);
      const step = async () => {
        const deltas = followers.map((stream) => stream.next());
        await write();
        await Promise.all(deltas);
      };
      for (let n = 0; n < WARM_WRITES; n += 1) await step();
      const [before, received] = [readProcessorTime(child.pid), sumBytes(streams)];
      for (let n = 0; n < WRITES; n += 1) await step();
      costs[name].push((readProcessorTime(child.pid) - before) / WRITES);
      bytes[name] = (sumBytes(streams) - received) / WRITES;
      for (const stream of streams) stream.close();
    }
  }
  connection.close();
  return Object.fromEntries(
    Object.keys(TITLES).map((name) => [
      name,
      {
        cpu: percentile(costs[name], 50),
        ratio: percentile(
          costs[name].map((cost, round) => cost / costs.one[round]),
          50,
        ),
        bytes: bytes[name],
      },
    ]),
  );
}

const sumBytes = (streams) => streams.reduce((sum, stream) => sum + stream.bytes(), 0);

async function openAll(url, apiKey, pairs) {
  const streams = [];
  // Opens a few at a time, because the core reads the configuration for each.
  for (let from = 0; from < pairs.length; from += 20) {
    streams.push(...(await Promise.all(pairs.slice(from, from + 20).map((pair) => openStream(url, apiKey, pair)))));
  }
  return streams;
}

/** Opens a stream, and resolves after its snapshot. */
function openStream(url, apiKey, pair) {
  return new Promise((resolve, reject) => {
    const path = `${url}/api/v1/projects/${pair.id}/effective/stream/?environment=${pair.environment}`;
    const request = http.get(path, { headers: { authorization: `Api-Key ${apiKey}` }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A stream was rejected with ${response.statusCode}.`));
      let text = '';
      let received = 0;
      let wake = () => undefined;
      const stream = {
        pair,
        bytes: () => received,
        next: () => new Promise((delta) => (wake = delta)),
        close: () => request.destroy(),
      };
      response.setEncoding('utf8').on('error', () => undefined);
      response.on('data', (part) => {
        received += part.length;
        const frames = (text + part).split('\n\n');
        text = frames.pop();
        for (const frame of frames) {
          if (frame.includes('event: snapshot')) resolve(stream);
          if (frame.includes('event: delta')) wake();
        }
      });
    });
    request.on('error', reject);
  });
}

export function renderStreams(results) {
  return [
    '| Streams | CPU of the core per write, µs | ratio to one stream | bytes sent per write |',
    '|---|--:|--:|--:|',
    ...Object.entries(TITLES).map(([name, title]) => {
      const { cpu, ratio, bytes } = results[name];
      return `| ${title} | ${cpu.toFixed(0)} | ${ratio.toFixed(2)} | ${bytes.toFixed(0)} |`;
    }),
    '',
    `Aim: a ratio of at most ${RATIO_MAX} for all streams, plus the cost of sending the bytes.`,
  ].join('\n');
}
