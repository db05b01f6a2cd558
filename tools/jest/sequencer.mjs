// The order of the files in a run: what takes longest begins first, so that nothing long is left when the rest is done.
import fs from 'node:fs';

/** The longest first, those that wait beside those that work. */
const LONG = [
  'webhooks/deliveries.http-spec.ts',
  'src/contract.http-spec.ts',
  'tools/start.e2e-spec.ts',
  'database/migrations.http-spec.ts',
  'crash-database.e2e-spec.ts',
  'webhooks/delivery-processes.http-spec.ts',
  'console-reading.e2e-spec.ts',
  'crash-gateway.e2e-spec.ts',
  'crash-deliveries.e2e-spec.ts',
  'liquid/hostile-texts.spec.ts',
  'resolution.e2e-spec.ts',
  'hostile-input.e2e-spec.ts',
  'main-job.e2e-spec.ts',
  'feed/feed.http-spec.ts',
  'crash-core.e2e-spec.ts',
  'tools/pg.spec.ts',
  'database/ledger.http-spec.ts',
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
