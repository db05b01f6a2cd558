// Prints the measurements as one table, followed by the targets and whether they were met. Omits everything that was
// not measured.

import { GROUPS } from './groups.mjs';
import { median } from './measure.mjs';

const cpu = (ours, floor) => (floor.serverCpu === null ? null : ours.serverCpu / floor.serverCpu);
const rate = (ours, floor) => ours.perSecond / floor.perSecond;

const AIMS = [
  [
    'compact, unchanged: CPU, of the SQL floor',
    '≤',
    1.5,
    ({ requests: { compact, sqlCompact } }) => cpu(compact, sqlCompact),
  ],
  [
    'compact, after a write: CPU, of the SQL floor',
    '≤',
    1.5,
    ({ requests: { compactCold, sqlCompact } }) => cpu(compactCold, sqlCompact),
  ],
  ['contract list: CPU, of the SQL floor', '≤', 3, ({ requests: { list, sqlList } }) => cpu(list, sqlList)],
  [
    'compact, 304: CPU, of the memory floor',
    '≤',
    3,
    ({ requests: { notModified, memoryCompact } }) => cpu(notModified, memoryCompact),
  ],
  [
    'compact, unchanged: rate, of memory',
    '≥',
    0.34,
    ({ requests: { compact, memoryCompact } }) => rate(compact, memoryCompact),
  ],
  [
    'compact, unchanged: rate, of memory after a query of the head',
    '≥',
    0.85,
    ({ requests: { compact, headCompact } }) => rate(compact, headCompact),
  ],
  [
    'compact, 304: rate, of memory after a query of the head',
    '≥',
    0.85,
    ({ requests: { notModified, headCompact } }) => rate(notModified, headCompact),
  ],
  [
    'one value: rate, of memory after a query of the head',
    '≥',
    0.85,
    ({ requests: { value, headValue } }) => rate(value, headValue),
  ],
  [
    'compact, 5 of 100 values secret: rate, of compact without secrets',
    '≥',
    0.5,
    ({ requests: { compactSecrets, compact } }) => rate(compactSecrets, compact),
  ],
  [
    'contract list, nothing moved: rate, of memory',
    '≥',
    0.1,
    ({ requests: { list, memoryList } }) => rate(list, memoryList),
  ],
  [
    'GraphQL, 100 values, repeated: rate, of memory',
    '≥',
    0.3,
    ({ requests: { graphqlAgain, memoryGraphql } }) => rate(graphqlAgain, memoryGraphql),
  ],
  [
    'GraphQL, 10 × 10 × 4, repeated: rate, of memory',
    '≥',
    0.3,
    ({ requests: { graphqlWideAgain, memoryWide } }) => rate(graphqlWideAgain, memoryWide),
  ],
  [
    'GraphQL, 100 values, repeated: rate, of PostGraphile',
    '≥',
    4,
    ({ requests: { graphqlAgain, peerGraphql } }) => rate(graphqlAgain, peerGraphql),
  ],
  [
    'GraphQL, 10 × 10 × 4, repeated: rate, of PostGraphile',
    '≥',
    4,
    ({ requests: { graphqlWideAgain, peerWide } }) => rate(graphqlWideAgain, peerWide),
  ],
  [
    'GraphQL, 10 × 10 × 4, first response: rate, of the SQL floor',
    '≥',
    0.8,
    ({ requests: { graphqlWide, sqlWide } }) => rate(graphqlWide, sqlWide),
  ],
  [
    'GraphQL, 10 × 10 × 4, stored texts: rate, of the same without them',
    '≥',
    0.8,
    ({ requests: { graphqlStored, graphqlWide } }) => rate(graphqlStored, graphqlWide),
  ],
  [
    'GraphQL, 10 × 10 × 4: calls to the core, more than for one project',
    '≤',
    0,
    ({ callsOfWide: { all, one } }) => all - one,
  ],
  ['write, one alone: rate, of UPDATE', '≥', 0.2, ({ requests: { write1, update1 } }) => rate(write1, update1)],
  [
    'writes, 8 at a time: rate, of UPDATE + history + notify',
    '≥',
    0.8,
    ({ requests: { write8, history8 } }) => rate(write8, history8),
  ],
  [
    'writes, 32 at a time: rate, of UPDATE + history + notify',
    '≥',
    1.2,
    ({ requests: { write32, history32 } }) => rate(write32, history32),
  ],
  [
    'writes, 8 at a time: rate, of an UPDATE of PostGraphile',
    '≥',
    1,
    ({ requests: { write8, peerWrite8 } }) => rate(write8, peerWrite8),
  ],
  [
    'writes, 32 at a time: rate, of an UPDATE of PostGraphile',
    '≥',
    1,
    ({ requests: { write32, peerWrite32 } }) => rate(write32, peerWrite32),
  ],
  ['request to SSE subscriber: p50 ms', '≤', 5, ({ stream }) => stream.fromRequest.p50],
  ['request to SSE subscriber: p99 ms', '≤', 10, ({ stream }) => stream.fromRequest.p99],
  ['response to SSE subscriber: p99 ms', '≤', 25, ({ stream }) => stream.p99],
  ['response to graphql-ws subscriber: p99 ms', '≤', 25, ({ socket }) => socket.p99],
  ['response to all subscribers: p99 ms', '≤', 25, ({ crowd }) => crowd.p99],
  ['all processes of npm start, idle: MB', '≤', 250, ({ idleOfAll }) => idleOfAll.once],
  ['npm start, ready on an existing database: s', '≤', 2, ({ idleOfAll }) => median(idleOfAll.readyMs) / 1_000],
  ['core idle: MB', '≤', 180, ({ idle }) => idle.core],
  ['gateway idle: MB', '≤', 180, ({ idle }) => idle.gateway],
  ['core ready on a migrated database: s', '≤', 1, ({ readyMs }) => median(readyMs.core) / 1_000],
  ['strata get: ms of processor time', '≤', 150, ({ commandLineMs }) => commandLineMs],
  ['gateway ready: s', '≤', 1, ({ readyMs }) => median(readyMs.gateway) / 1_000],
];

/** Returns each target with its measured number and 'PASS', 'MISS' or 'n/a'. */
export function judge(results) {
  return AIMS.map(([name, comparison, target, measure]) => {
    const measured = attempt(() => measure(results));
    if (measured === null) return { name, comparison, wanted: target, measured, verdict: 'n/a' };
    const isReached = comparison === '≥' ? measured >= target : measured <= target;
    return { name, comparison, wanted: target, measured, verdict: isReached ? 'PASS' : 'MISS' };
  });
}

/** Returns null if a number was not measured. */
function attempt(measure) {
  try {
    const measured = measure();
    return Number.isFinite(measured) ? measured : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const number = (value, digits = 0) =>
  value === null || value === undefined
    ? 'n/a'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns the report as text. */
export function render(results) {
  const parts = [requestTable(results), otherLines(results).join('\n'), aimTable(results)];
  return [machineLine(results), ...parts.filter((part) => part !== '')].join('\n\n');
}

function machineLine({ machine: { node, platform, cores, memoryGb, load }, projects }) {
  return `  ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}, load ${number(load, 1)} at the start; ${projects ?? 'no'} projects of a hundred parameters`;
}

function requestTable({ requests }) {
  if (Object.keys(requests).length === 0) return '';
  const header = ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'PostgreSQL CPU µs', 'body bytes'];
  const rows = Object.values(requests).map(({ title, perSecond, p50, p99, serverCpu, postgresCpu, bytes }) => [
    title,
    number(perSecond),
    number(p50, 2),
    number(p99, 2),
    number(serverCpu),
    number(postgresCpu),
    number(bytes),
  ]);
  return table([header, ...rows]);
}

/** Returns the table of targets. If only some groups were measured, omits the targets of the others. */
function aimTable(results) {
  const isPart = results.only.length < GROUPS.length;
  const judged = judge(results).filter(({ verdict }) => !isPart || verdict !== 'n/a');
  const rows = judged.map(({ verdict, name, comparison, wanted, measured }) => [
    `${verdict.padEnd(4)}  ${name}`,
    number(measured, 2),
    `${comparison} ${wanted}`,
  ]);
  return rows.length === 0 ? '' : table([['      aim', 'measured', 'wanted'], ...rows]);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at]))).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

function otherLines(results) {
  return [
    ...requestLines(results),
    ...rateLines(results),
    ...listenerLines(results),
    ...processLines(results),
    ...skippedLines(results),
  ];
}

function requestLines({ requests, callsOfWide }) {
  const { graphql, graphqlWide, compact, compactCold, sqlCompact, list, sqlList } = requests;
  const lines = [];
  for (const { title, serverCpuEach } of [graphql, graphqlWide].filter(Boolean)) {
    const [gatewayCpu, coreCpu] = serverCpuEach;
    lines.push(`  CPU of ${title}: gateway ${number(gatewayCpu)} µs, core ${number(coreCpu)} µs`);
  }
  if (callsOfWide) {
    lines.push(
      `  Calls to the core for GraphQL, 10 × 10 × 4: ${callsOfWide.all}; for one of the projects: ${callsOfWide.one}`,
    );
  }
  const sum = (subject) => subject.serverCpu + subject.postgresCpu;
  const whole = (name, ours, floor) => {
    const ratio = attempt(() => sum(ours) / sum(floor));
    return ratio === null ? [] : [`${name} ${number(ratio, 2)}×`];
  };
  const ratios = [
    ...whole('compact', compact, sqlCompact),
    ...whole('after a write', compactCold, sqlCompact),
    ...whole('list', list, sqlList),
  ];
  if (ratios.length > 0) lines.push(`  CPU with PostgreSQL's, of the SQL floor: ${ratios.join(', ')}`);
  return lines;
}

function rateLines({ constantRate = [] }) {
  return constantRate.map(({ title, perSecond, answeredPerSecond, requests, p50, p99, p999, worst }) => {
    const times = `p50 ${number(p50, 1)}  p99 ${number(p99, 1)}  p99.9 ${number(p999, 1)}  worst ${number(worst, 1)} ms`;
    const sent = `${number(requests)} requests, ${number(answeredPerSecond)}/s answered`;
    return `  ${number(perSecond)}/s, ${title}: ${times} (${sent})`;
  });
}

function listenerLines({ stream, socket, channel, crowd }) {
  const lines = [];
  const latency = ({ p50, p99, worst, events }) =>
    `p50 ${number(p50, 1)}  p99 ${number(p99, 1)}  worst ${number(worst, 1)} ms (${number(events)} deliveries)`;
  if (channel) lines.push(`  Request to LISTEN, floor (UPDATE + notify): ${latency(channel.fromRequest)}`);
  for (const [name, channelResult] of [
    ['SSE', stream],
    ['graphql-ws', socket],
  ]) {
    if (!channelResult) continue;
    lines.push(`  Request to ${name} subscriber: ${latency(channelResult.fromRequest)}`);
    lines.push(`  Response to ${name} subscriber: ${latency(channelResult)}`);
  }
  if (crowd) {
    lines.push(`  Response to each of ${crowd.subscribers} on graphql-ws: ${latency(crowd)}`);
    lines.push(`  Response to the last of ${crowd.subscribers}: ${latency(crowd.lastOfAll)}`);
  }
  return lines;
}

function processLines({ idleOfAll, idle, loaded, readyMs }) {
  const lines = [];
  const memory = (at) => `core ${number(at.core)}, gateway ${number(at.gateway)} MB`;
  if (idleOfAll) {
    const { once, rss, processes, readyMs: starts } = idleOfAll;
    lines.push(
      `  All ${processes} processes of npm start, idle: ${number(once)} MB (what they share counted once; RSS ${number(rss)} MB)`,
      `  From npm start on an existing database until everything is ready: ${starts.map((ms) => number(ms)).join(', ')} ms`,
    );
  }
  if (idle) lines.push(`  Memory when idle: ${memory(idle)}`);
  if (loaded) lines.push(`  Memory after the load: ${memory(loaded)}`);
  for (const [name, all] of Object.entries(readyMs ?? {}))
    lines.push(
      `  From the start of the ${name} to its first 200 of /readyz: ${all.map((ms) => number(ms)).join(', ')} ms`,
    );
  return lines;
}

function skippedLines({ skipped }) {
  return skipped.map(({ title, reason }) => `  Left out, not known here: ${title} (${reason})`);
}
