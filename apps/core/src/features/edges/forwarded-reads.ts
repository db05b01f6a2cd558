import { Injectable } from '@nestjs/common';
import { FORWARDED_READ_LIMITS, type ForwardedReads, type ForwardedReadsResult } from '@strata/contract';
import type { OrganizationId } from '@strata/domain';
import { RevealLog } from '../../platform/access-log/reveal-log.ts';
import type { Caller } from '../../platform/caller.ts';
import { ReadRecorder } from '../../platform/http/read-recorder.ts';
import { type ReadReceipt, ReadReceipts } from './read-receipts.ts';

const DAY_MS = 86_400_000;
/** The clocks of an edge and of the core may differ by this time. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

interface VerifiedRead {
  readonly receipt: ReadReceipt;
  readonly names: readonly string[];
  readonly revealed: boolean;
  /** Milliseconds since 1970, never in the future. */
  readonly at: number;
}

/** Records the reads that edges answered, as if the core had answered them. */
@Injectable()
export class ForwardedReadRecorder {
  constructor(
    private readonly receipts: ReadReceipts,
    private readonly readRecorder: ReadRecorder,
    private readonly revealLog: RevealLog,
  ) {}

  async record(caller: Caller, { reads }: ForwardedReads): Promise<ForwardedReadsResult> {
    const { organizationId } = caller;
    const verifiedReads = (await Promise.all(reads.map((read) => this.verify(organizationId, read)))).filter(
      (read) => read !== null,
    );
    await this.readRecorder.recordForwarded(
      verifiedReads.map(({ receipt, names, at }) => ({
        account: { id: receipt.accountId, organizationId, type: receipt.accountType },
        read: { projects: [receipt.projectId], environments: [receipt.environmentId], names, parameter: null },
        at,
      })),
    );
    await this.revealLog.recordForwarded(
      verifiedReads
        .filter(({ revealed }) => revealed)
        .map(({ receipt, at }) => ({
          ...{ organizationId, surface: caller.surface, requestId: caller.requestId },
          ...{ actorId: receipt.accountId, actorName: receipt.accountName, actorType: receipt.accountType },
          ...{ project: receipt.projectId, environment: receipt.environmentId },
          age: Date.now() - at,
        })),
    );
    return { recorded: verifiedReads.length, rejected: reads.length - verifiedReads.length };
  }

  private async verify(
    organizationId: OrganizationId,
    { receipt: text, names, revealed, read_at }: ForwardedReads['reads'][number],
  ): Promise<VerifiedRead | null> {
    const receipt = await this.receipts.verify(organizationId, text);
    const [readAt, now] = [Date.parse(read_at), Date.now()];
    if (receipt === null || readAt < receipt.issuedAt - CLOCK_DIFFERENCE_MS) return null;
    if (readAt < now - FORWARDED_READ_LIMITS.ageDays * DAY_MS || readAt > now + CLOCK_DIFFERENCE_MS) return null;
    return { receipt, names, revealed, at: Math.min(readAt, now) };
  }
}
