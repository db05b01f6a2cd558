import { boolean, dynamicParameter, integer, type SampleProject, secretParameter, stringParameter } from './shape.ts';

// Names in capitals are variables of the official image; the others are server settings (`postgres -c name=value`). Values in `default` are
// the server's own defaults (version 18) unless the description states otherwise.
export const postgresql: SampleProject = {
  name: 'postgresql',
  description: 'PostgreSQL 18 from the official image.',
  dependsOn: 'platform-base',
  parameters: {
    POSTGRES_USER: stringParameter('postgres', 'Superuser, created on the first start.'),
    POSTGRES_PASSWORD: secretParameter('Password of the superuser; the image does not start without it.'),
    POSTGRES_DB: stringParameter('postgres', 'Database, created on the first start.', {
      staging: 'platform',
      production: 'platform',
    }),
    POSTGRES_INITDB_ARGS: stringParameter('--data-checksums', 'Arguments for initdb on the first start (ours).'),
    POSTGRES_INITDB_WALDIR: stringParameter('', 'Separate directory of the write-ahead log; empty for inside PGDATA.', {
      production: '/var/lib/postgresql/wal',
    }),
    POSTGRES_HOST_AUTH_METHOD: stringParameter('scram-sha-256', 'How hosts authenticate in the generated pg_hba.conf.'),
    PGDATA: stringParameter('/var/lib/postgresql/18/docker', 'Directory of the data.'),
    listen_addresses: stringParameter('*', 'Addresses the server listens on (the image listens on all).'),
    port: integer(5432, 'TCP port of the server.'),
    max_connections: integer(100, 'Most connections at a time.', { production: 300, canary: 100 }),
    superuser_reserved_connections: integer(3, 'Connections kept free for superusers.', { production: 5 }),
    authentication_timeout: stringParameter('1min', 'Time a client has to authenticate.'),
    password_encryption: stringParameter('scram-sha-256', 'How passwords are stored.'),
    ssl: boolean(false, 'Whether connections may be encrypted.', { staging: true, production: true }),
    ssl_min_protocol_version: stringParameter('TLSv1.2', 'Oldest protocol accepted.', { production: 'TLSv1.3' }),
    shared_buffers: stringParameter('128MB', 'Memory for cached pages.', {
      staging: '1GB',
      production: '8GB',
      canary: '2GB',
    }),
    huge_pages: stringParameter('try', 'Whether huge memory pages are used.'),
    work_mem: stringParameter('4MB', 'Memory of one sort or hash before it spills to disk.', { production: '16MB' }),
    maintenance_work_mem: stringParameter('64MB', 'Memory for vacuum and index builds.', {
      production: '1GB',
      canary: '256MB',
    }),
    temp_file_limit: stringParameter('-1', 'Most temporary disk space of one process; -1 for no limit.', {
      production: '20GB',
    }),
    effective_cache_size: stringParameter('4GB', 'Cache size that the planner assumes.', { production: '24GB' }),
    effective_io_concurrency: integer(16, 'Reads the disks can serve at a time.', { production: 200 }),
    max_worker_processes: integer(8, 'Most background processes.', { production: 16 }),
    max_parallel_workers: integer(8, 'Most workers of parallel queries.', { production: 16 }),
    max_parallel_workers_per_gather: integer(2, 'Most workers of one step of a query.', { production: 4 }),
    wal_level: stringParameter('replica', 'Level of the write-ahead log.', { production: 'logical' }),
    fsync: boolean(true, 'Whether writes are forced to disk. Off loses data.'),
    synchronous_commit: stringParameter('on', 'When a commit is reported as done.'),
    full_page_writes: boolean(true, 'Whether pages are logged in full after a checkpoint.'),
    wal_compression: stringParameter('off', 'Whether full pages are compressed in the log.', { production: 'lz4' }),
    max_wal_size: stringParameter('1GB', 'Log size that starts a checkpoint.', { production: '16GB', canary: '4GB' }),
    min_wal_size: stringParameter('80MB', 'Log size that is recycled rather than removed.', { production: '1GB' }),
    checkpoint_timeout: stringParameter('5min', 'Longest time between checkpoints.', { production: '15min' }),
    checkpoint_completion_target: stringParameter('0.9', 'Share of the interval over which a checkpoint is spread.'),
    archive_mode: stringParameter('off', 'Whether finished log files are archived.', { production: 'on' }),
    archive_timeout: integer(0, 'Seconds after which a log file is switched; 0 for never.', { production: 60 }),
    max_wal_senders: integer(10, 'Most streaming replicas.'),
    max_replication_slots: integer(10, 'Most replication slots.'),
    max_slot_wal_keep_size: stringParameter('-1', 'Most log kept for a slot; -1 for no limit.', { production: '64GB' }),
    hot_standby: boolean(true, 'Whether a replica answers queries.'),
    random_page_cost: stringParameter('4.0', "Planner's cost of a page read out of order.", {
      staging: '1.1',
      production: '1.1',
    }),
    default_statistics_target: integer(100, 'Detail of the statistics on columns.', { production: 200 }),
    jit: boolean(true, 'Whether queries may be compiled.', { production: false }),
    logging_collector: boolean(false, 'Whether the server writes log files itself.'),
    log_min_messages: stringParameter('warning', 'Least severity that is logged.', { development: 'notice' }),
    log_min_duration_statement: integer(-1, 'Logs statements slower than this, ms; -1 for none.', {
      development: 0,
      staging: 250,
      production: 1000,
      canary: 250,
    }),
    log_checkpoints: boolean(true, 'Whether checkpoints are logged.'),
    log_lock_waits: boolean(false, 'Whether long waits for locks are logged.', { staging: true, production: true }),
    log_temp_files: integer(-1, 'Logs temporary files above this size, kB; -1 for none.', { production: 10240 }),
    log_line_prefix: stringParameter('%m [%p] ', 'Prefix of each log line.', { production: '%m [%p] %q%u@%d/%a ' }),
    autovacuum: boolean(true, 'Whether tables are vacuumed automatically.'),
    autovacuum_max_workers: integer(3, 'Tables vacuumed at a time.', { production: 6 }),
    autovacuum_naptime: stringParameter('1min', 'Pause between rounds of vacuum.', { production: '20s' }),
    autovacuum_vacuum_scale_factor: stringParameter('0.2', 'Share of changed rows that starts a vacuum.', {
      production: '0.05',
    }),
    statement_timeout: integer(0, 'Ends statements after this, ms; 0 for never.', {
      staging: 60000,
      production: 30000,
    }),
    lock_timeout: integer(0, 'Ends waits for locks after this, ms; 0 for never.', { production: 5000 }),
    idle_in_transaction_session_timeout: integer(0, 'Ends idle transactions after this, ms; 0 for never.', {
      staging: 60000,
      production: 60000,
    }),
    deadlock_timeout: stringParameter('1s', 'Wait before looking for a deadlock.'),
    max_locks_per_transaction: integer(64, 'Size of the lock table.', { production: 256 }),
    shared_preload_libraries: stringParameter('', 'Libraries loaded at the start.', {
      staging: 'pg_stat_statements',
      production: 'pg_stat_statements,auto_explain',
    }),
    track_io_timing: boolean(false, 'Whether reads and writes are timed.', { staging: true, production: true }),
    BACKUP_RETENTION_DAYS: integer(14, 'How long dumps are kept; in production as long as everything else.'),
    DATABASE_URL: dynamicParameter(
      'postgresql://{{ POSTGRES_USER }}:{{ POSTGRES_PASSWORD }}@db.{{ PLATFORM_DOMAIN }}:{{ port }}/{{ POSTGRES_DB }}',
      'Address of the database, composed of other parameters.',
    ),
    REPLICATION_PASSWORD: secretParameter('Password of the account that replicas connect with (ours).', ['production']),
  },
  templates: {
    'postgresql.conf': {
      description: 'The settings that differ most between environments, as the server reads them.',
      body: `# {{ strata.project }} in {{ strata.environment }}
max_connections = {{ max_connections }}
shared_buffers = {{ shared_buffers }}
work_mem = {{ work_mem }}
jit = {% if jit == "true" %}on{% else %}off{% endif %}
`,
    },
  },
};
