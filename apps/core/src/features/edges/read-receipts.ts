import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId, OrganizationId, ProjectId, UserId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { Vault } from '../../platform/vault/vault.ts';

/** The account that gave its credential to an edge, and what it may read there. */
export interface ReadReceipt {
  readonly accountId: UserId;
  readonly accountName: string;
  readonly accountType: Caller['type'];
  readonly projectId: ProjectId;
  readonly environmentId: EnvironmentId;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
}

const PURPOSE = 'read-receipt';

/** Issues receipts, and verifies those that come back with forwarded reads. A receipt is its content with a keyed code. */
@Injectable()
export class ReadReceipts {
  constructor(private readonly vault: Vault) {}

  async issue(organizationId: OrganizationId, receipt: ReadReceipt): Promise<string> {
    const content = Buffer.from(JSON.stringify(receipt)).toString('base64url');
    return `${content}.${await this.vault.mac(organizationId, PURPOSE, content)}`;
  }

  /** Returns null if the organization has not issued the receipt. */
  async verify(organizationId: OrganizationId, text: string): Promise<ReadReceipt | null> {
    const [content = '', code = ''] = text.split('.');
    const expectedCode = await this.vault.mac(organizationId, PURPOSE, content);
    if (code.length !== expectedCode.length) return null;
    if (!timingSafeEqual(Buffer.from(code), Buffer.from(expectedCode))) return null;
    return JSON.parse(Buffer.from(content, 'base64url').toString()) as ReadReceipt;
  }
}
