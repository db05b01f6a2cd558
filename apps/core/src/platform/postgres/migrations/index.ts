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

/** In order. A process serves only while the last one here is the last one applied. */
export const MIGRATIONS = [
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
] as const;
