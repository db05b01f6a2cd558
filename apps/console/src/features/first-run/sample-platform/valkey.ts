import { integer, type SampleProject, secretParameter, stringParameter, typedParameter } from './shape.ts';

// Directives of valkey.conf, which are also command-line options (`valkey-server --name value`). Switches are texts, because Valkey expects
// yes and no. Sizes and ports have types of the organization. Values in `default` are the server's own defaults (version 8) unless the
// description states otherwise.
const port = typedParameter('port');
const size = typedParameter('size');
const level = typedParameter('log level');

export const valkey: SampleProject = {
  name: 'valkey',
  description: 'Valkey 8: sessions and caches, compatible with Redis.',
  dependsOn: 'platform-base',
  parameters: {
    VALKEY_EXTRA_FLAGS: stringParameter('', 'Flags that the official image adds to the command line.'),
    bind: stringParameter('* -::*', 'Addresses the server listens on.', { production: '10.20.0.10' }),
    port: port(6379, 'TCP port.', { production: 0 }),
    'tls-port': port(0, 'TLS port; 0 for none.', { staging: 6380, production: 6379 }),
    'tls-replication': stringParameter('no', 'Whether replicas connect over TLS.', { production: 'yes' }),
    'tls-auth-clients': stringParameter('yes', 'Whether clients must show a certificate.', { staging: 'optional' }),
    'protected-mode': stringParameter('yes', 'Rejects outside clients while no password is set.'),
    'tcp-backlog': integer(511, 'Connections waiting to be accepted.', { production: 4096 }),
    'tcp-keepalive': integer(300, 'Seconds between keep-alive probes.'),
    timeout: integer(0, 'Seconds after which an idle client is disconnected; 0 for never.', { production: 600 }),
    maxclients: integer(10000, 'Most clients at a time.', { development: 200 }),
    'io-threads': integer(1, 'Threads for network reads and writes.', { production: 4, canary: 2 }),
    databases: integer(16, 'Number of databases.'),
    loglevel: level('notice', 'debug, verbose, notice, warning or nothing.', { development: 'verbose' }),
    logfile: stringParameter('', 'Log file; empty for standard output.'),
    'always-show-logo': stringParameter('no', 'Whether the logo is printed at the start.'),
    save: stringParameter('3600 1 300 100 60 10000', 'Snapshot after seconds and changes; empty for never.', {
      production: '',
      canary: '3600 1',
    }),
    'stop-writes-on-bgsave-error': stringParameter('yes', 'Rejects writes when a snapshot failed.'),
    rdbcompression: stringParameter('yes', 'Whether snapshots are compressed.'),
    rdbchecksum: stringParameter('yes', 'Whether snapshots carry a checksum.'),
    dbfilename: stringParameter('dump.rdb', 'Name of the snapshot file.'),
    dir: stringParameter('/data', 'Working directory (the image uses /data).'),
    appendonly: stringParameter('no', 'Whether every write is appended to a log.', {
      staging: 'yes',
      production: 'yes',
    }),
    appendfsync: stringParameter('everysec', 'When the log is forced to disk: always, everysec or no.'),
    appenddirname: stringParameter('appendonlydir', 'Directory of the log.'),
    'no-appendfsync-on-rewrite': stringParameter('no', 'Skips forcing while the log is rewritten.'),
    'auto-aof-rewrite-percentage': integer(100, 'Growth that starts a rewrite of the log.'),
    'auto-aof-rewrite-min-size': size('64mb', 'Size below which the log is not rewritten.', { production: '1gb' }),
    'aof-use-rdb-preamble': stringParameter('yes', 'Starts a rewritten log with a snapshot.'),
    maxmemory: size('0', 'Most memory for data; 0 for no limit.', {
      development: '128mb',
      staging: '1gb',
      production: '8gb',
      canary: '2gb',
    }),
    'maxmemory-policy': stringParameter('noeviction', 'Eviction policy when memory is full.', {
      production: 'allkeys-lru',
    }),
    'maxmemory-samples': integer(5, 'Keys compared to find one to evict.', { production: 10 }),
    'lazyfree-lazy-eviction': stringParameter('yes', 'Frees evicted keys in the background.'),
    'lazyfree-lazy-expire': stringParameter('yes', 'Frees expired keys in the background.'),
    'lazyfree-lazy-user-del': stringParameter('yes', 'Treats DEL as UNLINK.'),
    'replica-serve-stale-data': stringParameter('yes', 'Whether a disconnected replica still answers.', {
      production: 'no',
    }),
    'replica-read-only': stringParameter('yes', 'Whether replicas reject writes.'),
    'repl-diskless-sync': stringParameter('yes', 'Sends the first copy to a replica without a file.'),
    'repl-diskless-sync-delay': integer(5, 'Seconds to wait for more replicas before copying.'),
    'repl-backlog-size': size('10mb', 'Memory kept for replicas that come back.', { production: '256mb' }),
    'min-replicas-to-write': integer(0, 'Replicas without which writes are rejected.', { production: 1, canary: 0 }),
    'min-replicas-max-lag': integer(10, 'Seconds a replica may be behind and still count.'),
    'slowlog-log-slower-than': integer(10000, 'Microseconds after which a command counts as slow.', { staging: 5000 }),
    'slowlog-max-len': integer(128, 'Slow commands kept.', { production: 1024 }),
    'latency-monitor-threshold': integer(0, 'Milliseconds that are recorded as latency; 0 for off.', {
      staging: 100,
      production: 100,
    }),
    'notify-keyspace-events': stringParameter('', 'Published key events; empty for none.', { production: 'Ex' }),
    hz: integer(10, 'Background rounds a second.'),
    'dynamic-hz': stringParameter('yes', 'More rounds when many clients are connected.'),
    activedefrag: stringParameter('no', 'Whether memory is defragmented while running.', {
      production: 'yes',
      canary: 'no',
    }),
    'cluster-enabled': stringParameter('no', 'Whether this server is part of a cluster.'),
    'shutdown-timeout': integer(10, 'Seconds a shutdown waits for replicas.'),
    requirepass: secretParameter('Password of the default user.'),
    primaryauth: secretParameter('Password that a replica sends to its primary.', ['production']),
  },
};
