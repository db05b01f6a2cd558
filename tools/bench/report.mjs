// What was measured, for people: one table, then the aims with what became of them. What was not measured is left out.

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
  ['one writer: rate, of the UPDATE floor', '≥', 0.25, ({ requests: { write1, update1 } }) => rate(write1, update1)],
  [
    '10 writers: rate, of the UPDATE floor',
    '≥',
    0.25,
    ({ requests: { write10, update10 } }) => rate(write10, update10),
  ],
  ['response to SSE subscriber: p99 ms', '≤', 25, ({ stream }) => stream.p99],
  ['response to graphql-ws subscriber: p99 ms', '≤', 25, ({ socket }) => socket.p99],
  ['response to all subscribers: p99 ms', '≤', 25, ({ crowd }) => crowd.p99],
  ['core idle: MB', '≤', 250, ({ idle }) => idle.core],
  ['gateway idle: MB', '≤', 250, ({ idle }) => idle.gateway],
  ['ready on a migrated database: s', '≤', 2, ({ readyMs }) => readyMs.worst / 1_000],
];

/** Each aim with its number and 'PASS', 'MISS' or 'n/a'. */
export function judge(results) {
  return AIMS.map(([name, comparison, wanted, of]) => {
    const measured = attempt(() => of(results));
    if (measured === null) return { name, comparison, wanted, measured, verdict: 'n/a' };
    const isReached = comparison === '≥' ? measured >= wanted : measured <= wanted;
    return { name, comparison, wanted, measured, verdict: isReached ? 'PASS' : 'MISS' };
  });
}

/** Null for what was not measured. */
function attempt(of) {
  try {
    const measured = of();
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

/** The printed report. */
export function render(results) {
  return [machineLine(results), requestTable(results), otherLines(results).join('\n'), aimTable(results)].join('\n\n');
}

function machineLine({ machine: { node, platform, cores, memoryGb, load }, projects }) {
  return `  ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node}, load ${number(load, 1)} at the start; ${projects ?? 0} projects loaded`;
}

function requestTable({ requests }) {
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

function aimTable(results) {
  const rows = judge(results).map(({ verdict, name, comparison, wanted, measured }) => [
    `${verdict}  ${name}`,
    number(measured, 2),
    `${comparison} ${wanted}`,
  ]);
  return table([['      aim', 'measured', 'wanted'], ...rows]);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at]))).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

function otherLines({ requests, stream, socket, crowd, idle, loaded, readyMs }) {
  const { graphql, compact, compactCold, sqlCompact, list, sqlList } = requests;
  const lines = [];
  if (graphql) {
    const [gatewayCpu, coreCpu] = graphql.serverCpuEach;
    const sum = (one) => one.serverCpu + one.postgresCpu;
    const whole = (ours, floor) =>
      `${number(
        attempt(() => sum(ours) / sum(floor)),
        2,
      )}×`;
    lines.push(
      `  CPU of GraphQL: gateway ${number(gatewayCpu)} µs, core ${number(coreCpu)} µs`,
      `  CPU with PostgreSQL's, of the SQL floor: compact ${whole(compact, sqlCompact)}, after a write ${whole(compactCold, sqlCompact)}, list ${whole(list, sqlList)}`,
    );
  }
  const latency = ({ p50, p99, worst, events }) =>
    `p50 ${number(p50, 1)}  p99 ${number(p99, 1)}  worst ${number(worst, 1)} ms (${number(events)} deliveries)`;
  if (stream) lines.push(`  Response to SSE subscriber: ${latency(stream)}`);
  if (socket) lines.push(`  Response to graphql-ws subscriber: ${latency(socket)}`);
  if (crowd) {
    lines.push(`  Response to each of ${crowd.subscribers} on graphql-ws: ${latency(crowd)}`);
    lines.push(`  Response to the last of ${crowd.subscribers}: ${latency(crowd.lastOfAll)}`);
  }
  const memory = (at) => `core ${number(at.core)}, gateway ${number(at.gateway)} MB`;
  if (idle) lines.push(`  Memory when idle: ${memory(idle)}`);
  if (loaded) lines.push(`  Memory after the load: ${memory(loaded)}`);
  if (readyMs)
    lines.push(
      `  Ready on a migrated database, core and gateway at once: ${readyMs.all.map((ms) => number(ms)).join(', ')} ms`,
    );
  return lines;
}
