import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Ledger1700000000001 } from './0001-ledger.ts';
import { Identity1700000000002 } from './0002-identity.ts';
import { Configuration1700000000003 } from './0003-configuration.ts';
import { Webhooks1700000000004 } from './0004-webhooks.ts';
import { Rules1700000000005 } from './0005-rules.ts';
import { Texts1700000000006 } from './0006-texts.ts';
import { TagsAndAudit1700000000007 } from './0007-tags-and-audit.ts';
import { Rights1700000000008 } from './0008-rights.ts';
import { Integrations1700000000009 } from './0009-integrations.ts';
import { Expiration1700000000010 } from './0010-expiration.ts';
import { Walks1700000000011 } from './0011-walks.ts';
import { HistoryFunctions1700000000012 } from './0012-history-functions.ts';
import { IdempotencyKeys1700000000013 } from './0013-idempotency-keys.ts';
import { IssuerSubjects1700000000014 } from './0014-issuer-subjects.ts';
import { NotificationConfig1700000000015 } from './0015-notification-config.ts';
import { HistoryByStatement1700000000016 } from './0016-history-by-statement.ts';
import { PeopleChanges1700000000017 } from './0017-people-changes.ts';
import { SignInFailures1700000000018 } from './0018-sign-in-failures.ts';
import { ChangesetMessages1700000000019 } from './0019-changeset-messages.ts';
import { TokensValidFrom1700000000020 } from './0020-tokens-valid-from.ts';
import { SchemaCompatibility1700000000021 } from './0021-schema-compatibility.ts';
import { AccessLog1700000000022 } from './0022-access-log.ts';
import { Reverts1700000000024 } from './0024-reverts.ts';
import { SpecialNames1700000000025 } from './0025-special-names.ts';
import { AuditStream1700000000026 } from './0026-audit-stream.ts';
import { Sessions1700000000027 } from './0027-sessions.ts';
import { Instances1700000000028 } from './0028-instances.ts';
import { LastReads1700000000029 } from './0029-last-reads.ts';
import { RevealsSecrets1700000000030 } from './0030-reveals-secrets.ts';
import { Preferences1700000000031 } from './0031-preferences.ts';
import { ViewersRevealSecrets1700000000032 } from './0032-viewers-reveal-secrets.ts';
import { OnlyProjects1700000000033 } from './0033-only-projects.ts';
import { SignInCodes1700000000034 } from './0034-sign-in-codes.ts';
import { CollapsedEnvironments1700000000035 } from './0035-collapsed-environments.ts';
import { SyncKeys1700000000037 } from './0037-sync-keys.ts';
import { Destinations1700000000040 } from './0040-destinations.ts';
import { PushSafety1700000000041 } from './0041-push-safety.ts';
import { PushDecisions1700000000042 } from './0042-push-decisions.ts';
import { ExternalValues1700000000044 } from './0044-external-values.ts';
import { Rotations1700000000045 } from './0045-rotations.ts';
import { FurtherProviders1700000000047 } from './0047-further-providers.ts';
import { ConnectionTests1700000000048 } from './0048-connection-tests.ts';
import { RotationPushes1700000000050 } from './0050-rotation-pushes.ts';
import { StartersOfTasks1700000000051 } from './0051-starters-of-tasks.ts';
import { ImportedTexts1700000000053 } from './0053-imported-texts.ts';
import { ApprovedDrift1700000000056 } from './0056-approved-drift.ts';
import { PullsOfTasks1700000000057 } from './0057-pulls-of-tasks.ts';
import { LedgerLinks1700000000058 } from './0058-ledger-links.ts';
import { RightsVersions1700000000059 } from './0059-rights-versions.ts';
import { LedgerTiles1700000000060 } from './0060-ledger-tiles.ts';
import { RowSecurity1700000000061 } from './0061-row-security.ts';
import { ServiceKeys1700000000062 } from './0062-service-keys.ts';
import { DataKeys1700000000063 } from './0063-data-keys.ts';
import { KeyScopes1700000000065 } from './0065-key-scopes.ts';
import { TokenSigningKeys1700000000066 } from './0066-token-signing-keys.ts';
import { TemporaryGrants1700000000067 } from './0067-temporary-grants.ts';
import { Checkpoints1700000000070 } from './0070-checkpoints.ts';
import { HistoryIndexes1700000000071 } from './0071-history-indexes.ts';

interface DescribedMigration extends MigrationInterface {
  readonly name: string;
  /**
   * The number of the last migration that a core must know to work with the schema after this one. A migration that
   * only adds repeats the number of the previous migration. A migration that removes something names the last migration
   * of the release in which cores stopped using it. Required from migration 0021 on.
   */
  readonly servesCoresFrom?: number;
}
type Migration = new () => DescribedMigration;

/** In order. The number of a migration is that of its file, which its name ends with. */
const ALL: readonly Migration[] = [
  Ledger1700000000001,
  Identity1700000000002,
  Configuration1700000000003,
  Webhooks1700000000004,
  Rules1700000000005,
  Texts1700000000006,
  TagsAndAudit1700000000007,
  Rights1700000000008,
  Integrations1700000000009,
  Expiration1700000000010,
  Walks1700000000011,
  HistoryFunctions1700000000012,
  IdempotencyKeys1700000000013,
  IssuerSubjects1700000000014,
  NotificationConfig1700000000015,
  HistoryByStatement1700000000016,
  PeopleChanges1700000000017,
  SignInFailures1700000000018,
  ChangesetMessages1700000000019,
  TokensValidFrom1700000000020,
  SchemaCompatibility1700000000021,
  AccessLog1700000000022,
  Reverts1700000000024,
  SpecialNames1700000000025,
  AuditStream1700000000026,
  Sessions1700000000027,
  Instances1700000000028,
  LastReads1700000000029,
  RevealsSecrets1700000000030,
  Preferences1700000000031,
  ViewersRevealSecrets1700000000032,
  OnlyProjects1700000000033,
  SignInCodes1700000000034,
  CollapsedEnvironments1700000000035,
  SyncKeys1700000000037,
  Destinations1700000000040,
  PushSafety1700000000041,
  PushDecisions1700000000042,
  ExternalValues1700000000044,
  Rotations1700000000045,
  FurtherProviders1700000000047,
  ConnectionTests1700000000048,
  RotationPushes1700000000050,
  StartersOfTasks1700000000051,
  ImportedTexts1700000000053,
  ApprovedDrift1700000000056,
  PullsOfTasks1700000000057,
  LedgerLinks1700000000058,
  RightsVersions1700000000059,
  LedgerTiles1700000000060,
  RowSecurity1700000000061,
  ServiceKeys1700000000062,
  DataKeys1700000000063,
  KeyScopes1700000000065,
  TokenSigningKeys1700000000066,
  TemporaryGrants1700000000067,
  Checkpoints1700000000070,
  HistoryIndexes1700000000071,
];

const described = ALL.map((Described) => {
  const { name, servesCoresFrom } = new Described();
  const number = Number(name.slice(-4));
  // without a number, the migration supports only cores that know it
  return { Described, number, serves: servesCoresFrom ?? number };
});

/** From this migration on, the schema stores which cores it supports. */
const FIRST_TO_DECLARE = 21;

/** Returns the oldest core that the schema supports after the migration at this index. */
const servedAt = (index: number): number =>
  Math.max(
    0,
    ...described.slice(0, index + 1).flatMap(({ number, serves }) => (number < FIRST_TO_DECLARE ? [] : [serves])),
  );

const SAY = `insert into schema_compatibility (serves_cores_from) values ($1)
  on conflict (is_only) do update set serves_cores_from = excluded.serves_cores_from`;

/**
 * The migrations in order. Each one also stores, in its own transaction, which cores the schema supports; cores that do
 * not know the migration read it.
 */
export const MIGRATIONS: readonly Migration[] = described.map(({ Described, number }, index) => {
  if (number < FIRST_TO_DECLARE) return Described;
  return class extends Described {
    override async up(db: QueryRunner): Promise<void> {
      await super.up(db);
      await db.query(SAY, [servedAt(index)]);
    }

    override async down(db: QueryRunner): Promise<void> {
      await super.down(db);
      if (number > FIRST_TO_DECLARE) await db.query(SAY, [servedAt(index - 1)]);
    }
  };
});

/** The schema that this code was built for: the names of its migrations in order, and the number of the last one. */
export const KNOWN_SCHEMA = {
  migrations: MIGRATIONS.map((Known) => new Known().name),
  number: described.at(-1)?.number ?? 0,
};
