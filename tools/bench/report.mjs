// What was measured, for people: one table, then the aims with what became of them.

const AIMS = [
  {
    name: 'compact, unchanged: CPU of SQL floor',
    most: 1.5,
    ratio: ({ compact, sqlCompact }) => of(compact, sqlCompact),
  },
  {
    name: 'compact, after a write: CPU of SQL floor',
    most: 1.5,
    ratio: ({ compactCold, sqlCompact }) => of(compactCold, sqlCompact),
  },
  { name: 'contract list: CPU of SQL floor', most: 3, ratio: ({ list, sqlList }) => of(list, sqlList) },
  {
    name: '304: CPU of memory floor',
    most: 3,
    ratio: ({ notModified, memoryCompact }) => of(notModified, memoryCompact),
  },
  {
    name: 'write, 1 writer: rate of UPDATE floor',
    least: 0.25,
    ratio: ({ write1, update1 }) => write1.perSecond / update1.perSecond,
  },
  {
    name: 'write, 10 writers: rate of UPDATE floor',
    least: 0.25,
    ratio: ({ write10, update10 }) => write10.perSecond / update10.perSecond,
  },
  { name: 'response to SSE subscriber, p99 ms', most: 25, ratio: ({ stream }) => stream.p99 },
  { name: 'response to graphql-ws subscriber, p99 ms', most: 25, ratio: ({ socket }) => socket.p99 },
  { name: 'response to each of the many, p99 ms', most: 25, ratio: ({ crowd }) => crowd.p99 },
  { name: 'core idle, MB', most: 250, ratio: ({ idle }) => idle.core },
  { name: 'gateway idle, MB', most: 250, ratio: ({ idle }) => idle.gateway },
  { name: 'ready on a migrated database, s', most: 2, ratio: ({ readyMs }) => readyMs.worst / 1_000 },
];

const of = (ours, floor) => (floor.serverCpu === null ? null : ours.serverCpu / floor.serverCpu);
const withDatabase = (one) => one.serverCpu + one.postgresCpu;

/** Each aim with its number and 'PASS', 'MISS' or 'n/a'. */
export function judge(results) {
  return AIMS.map(({ name, most, least, ratio }) => {
    const measured = ratio(results);
    if (measured === null || Number.isNaN(measured)) return { name, most, least, measured: null, verdict: 'n/a' };
    const reached = most === undefined ? measured >= least : measured <= most;
    return { name, most, least, measured, verdict: reached ? 'PASS' : 'MISS' };
  });
}

const number = (value, digits = 0) =>
  value === null || value === undefined
    ? 'n/a'
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** The printed report. */
export function render(results) {
  return [requestTable(results), '', ...otherLines(results), '', ...aimLines(results)].join('\n');
}

function requestTable({ requests, ...results }) {
  const header = ['', 'requests/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'PostgreSQL CPU µs', 'body bytes'];
  const rows = requests.map((key) => {
    const { title, perSecond, p50, p99, serverCpu, postgresCpu, bytes } = results[key];
    return [
      title,
      number(perSecond),
      number(p50, 2),
      number(p99, 2),
      number(serverCpu),
      number(postgresCpu),
      number(bytes),
    ];
  });
  return table([header, ...rows]);
}

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at]))).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

function otherLines({
  graphql,
  stream,
  socket,
  crowd,
  idle,
  loaded,
  readyMs,
  compact,
  compactCold,
  sqlCompact,
  list,
  sqlList,
}) {
  const [gatewayCpu, coreCpu] = graphql.serverCpuEach;
  const latency = ({ p50, p99, worst, events }) =>
    `p50 ${number(p50, 1)}  p99 ${number(p99, 1)}  worst ${number(worst, 1)} ms (${number(events)} events)`;
  const whole = (ours, floor) => number(floor.serverCpu && withDatabase(ours) / withDatabase(floor), 2);
  const memory = (at) => `core ${number(at.core)}  gateway ${number(at.gateway)} MB`;
  return [
    `  GraphQL CPU: gateway ${number(gatewayCpu)} µs, core ${number(coreCpu)} µs a request`,
    `  With PostgreSQL's CPU, of the SQL floor: compact ${whole(compact, sqlCompact)}×, after a write ${whole(compactCold, sqlCompact)}×, list ${whole(list, sqlList)}×`,
    `  Response to SSE subscriber         ${latency(stream)}`,
    `  Response to graphql-ws subscriber  ${latency(socket)}`,
    `  Response to ${crowd.subscribers} on graphql-ws      ${latency(crowd)}`,
    `  Idle memory            ${memory(idle)}`,
    `  Memory after the load  ${memory(loaded)}`,
    `  Ready on a migrated database: ${readyMs.all.map((ms) => number(ms)).join(', ')} ms`,
  ];
}

function aimLines(results) {
  const aims = judge(results).map(({ name, most, least, measured, verdict }) => [
    verdict,
    name,
    number(measured, 2),
    most === undefined ? `≥ ${least}` : `≤ ${most}`,
  ]);
  return table(
    [['', 'aim', 'measured', 'wanted'], ...aims].map(([verdict, name, ...rest]) => [
      `${verdict.padEnd(5)} ${name}`,
      ...rest,
    ]),
  ).split('\n');
}
