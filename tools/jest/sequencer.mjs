// Orders the files of a run: the longest start first, so that no long file is left when the others have finished.
import fs from 'node:fs';

/** The longest files. Files that mostly wait alternate with files that mostly compute. */
const LONG = [
  'revert-algebra.http-spec.ts',
  'delivery/deliveries.http-spec.ts',
  'revert-sizes.http-spec.ts',
  'src/contract.http-spec.ts',
  'console-webhooks.e2e-spec.ts',
  'console-compare.e2e-spec.ts',
  'resolution.e2e-spec.ts',
  'console-applying.e2e-spec.ts',
  'console-templates.e2e-spec.ts',
  'console-environments.e2e-spec.ts',
  'console-session.e2e-spec.ts',
  'console-review.e2e-spec.ts',
  'console-matrix.e2e-spec.ts',
  'console-conflicts.e2e-spec.ts',
  'changeset-model.http-spec.ts',
  'readiness.e2e-spec.ts',
  'tools/start.e2e-spec.ts',
  'tools/backup.e2e-spec.ts',
  'tools/restore-errors.e2e-spec.ts',
  'e2e/src/doctor.e2e-spec.ts',
  'overload.e2e-spec.ts',
  'postgres/migrations.http-spec.ts',
  'shutdown.e2e-spec.ts',
  'console-restarts.e2e-spec.ts',
  'hostile-input.e2e-spec.ts',
  'plan-model.http-spec.ts',
  'console-join.e2e-spec.ts',
  'console-grants.e2e-spec.ts',
  'console-first-run.e2e-spec.ts',
  'console-explain.e2e-spec.ts',
  'console-history.e2e-spec.ts',
  'console-address.e2e-spec.ts',
  'search-model.e2e-spec.ts',
  'revert-bounds.http-spec.ts',
  'unresponsive-database.http-spec.ts',
  'delivery-processes.http-spec.ts',
  'entity-tags.http-spec.ts',
  'plan-forbidden.http-spec.ts',
  'plan-sizes.http-spec.ts',
  'last-reads.http-spec.ts',
  'revert-large.http-spec.ts',
  'access/matrix.http-spec.ts',
  'access/leaks.http-spec.ts',
  'processes/src/postgres.spec.ts',
  'crash-database.e2e-spec.ts',
  'crash-deliveries.e2e-spec.ts',
  'crash-core.e2e-spec.ts',
  'graphql-levels.e2e-spec.ts',
  'liquid/hostile-texts.spec.ts',
  'feed/feed.http-spec.ts',
];

export default class LongestFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const position = LONG.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
      return position === -1 ? LONG.length : position;
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
