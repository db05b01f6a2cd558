// The order of the files in a run: what takes longest begins first, so that nothing long is left when the rest is done.
import fs from 'node:fs';

/** Those that wait for processes, or are long for other reasons; the longest first. */
const LONG = [
  'tools/start.e2e-spec.ts',
  'database/migrations.http-spec.ts',
  'webhooks/deliveries.http-spec.ts',
  'crash-deliveries.e2e-spec.ts',
  'tools/pg.spec.ts',
  'src/contract.http-spec.ts',
  'main-job.e2e-spec.ts',
  'crash-gateway.e2e-spec.ts',
  'crash-database.e2e-spec.ts',
  'crash-core.e2e-spec.ts',
  'liquid/hostile-texts.spec.ts',
  'identity/tenants.http-spec.ts',
  'feed/feed.http-spec.ts',
  'gateway/src/sockets.http-spec.ts',
];

export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const found = LONG.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
      return found === -1 ? LONG.length : found;
    };
    const size = ({ path }) => fs.statSync(path).size;
    return [...tests].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
  }

  shard(tests, { shardIndex, shardCount }) {
    return [...tests].filter((_, at) => at % shardCount === shardIndex - 1);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
