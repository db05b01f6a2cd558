import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WebhookCreate, WebhookPatch } from '@strata/contract';
import { createProblemAt, Failure, sentence } from '@strata/domain';
import { isMasked, maskToken } from '@strata/webhooks';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import { lastSegment } from '../../../platform/http/links.ts';
import type { Precondition } from '../../../platform/http/request.ts';
import type { Command } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { isUnchanged } from '../../../platform/unchanged.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { TOKEN_COLUMN } from '../delivery/slack-sender.ts';
import { WebhookEntity } from './webhook.entity.ts';
import { type WebhookRow, WebhooksReader } from './webhooks.reader.ts';

/**
 * The maximum number of webhooks. Each of them sends a message per change, and the chat service limits the rate of
 * messages.
 */
const WEBHOOKS_MAX = 20;

@Injectable()
export class WebhooksService {
  constructor(
    private readonly reader: WebhooksReader,
    private readonly vault: Vault,
    private readonly queue: DeliveryQueue,
  ) {}

  /** Creates a webhook. It reports changes that happen after its creation. */
  async create(caller: Caller, input: WebhookCreate): Promise<Command<WebhookRow>> {
    assertOwnLink(caller, input.organization);
    const { organizationId } = caller;
    const { token, channel, username } = input.configuration;
    if (isMasked(token)) {
      const problem = createProblemAt(['configuration', 'token'], 'This is a masked token. Enter the token itself.');
      throw Failure.fields('invalid', [problem]);
    }
    const id = randomUUID();
    const sealedToken = await this.seal(organizationId, id, token);
    return {
      operation: 'webhooks_create',
      caller,
      run: async (context) => {
        const { caller, em, at, revision } = context;
        await assertBelowLimit(em, organizationId);
        const [head] = await em.query<{ epoch: string }[]>(
          'select epoch from organization_head where organization_id = $1',
          [organizationId],
        );
        if (!head) throw Failure.notFound('Organization');
        await em.insert(WebhookEntity, {
          organizationId,
          id,
          name: input.name,
          eventTypes: input.event_types,
          channel,
          username,
          sealedToken,
          maskedToken: maskToken(token),
          state: 'active',
          stateReason: null,
          createdAt: at,
          modifiedAt: at,
          cursorEpoch: head.epoch,
          cursorRevision: revision,
          cursorOrdinal: 0,
        });
        context.record(objectChange('create', 'Webhook', { id, name: input.name }));
        return this.read(em, caller, id);
      },
    };
  }

  /**
   * Changes a webhook. Omitted members keep their values. With a new token or channel, a suspended webhook resumes with
   * its waiting events.
   */
  async change(
    caller: Caller,
    id: string,
    input: WebhookPatch,
    precondition: Precondition,
  ): Promise<Command<WebhookRow>> {
    assertOwnLink(caller, input.organization);
    const { organizationId } = caller;
    const { token } = input.configuration ?? {};
    const sealedToken = token === undefined ? null : await this.seal(organizationId, id, token);
    return {
      operation: 'webhooks_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        const { configuration = {} } = input;
        // Clients may send the masked token back, which means that it stays the same.
        const isNewToken = token !== undefined && !isMasked(token) && !(await this.isSame(currentRow, token));
        const changes = {
          name: input.name ?? currentRow.name,
          eventTypes: input.event_types ?? currentRow.eventTypes,
          channel: configuration.channel ?? currentRow.channel,
          username: configuration.username ?? currentRow.username,
          ...(isNewToken && sealedToken && { sealedToken, maskedToken: maskToken(token) }),
        };
        if (!isNewToken && isUnchanged(currentRow, changes)) return this.read(em, caller, id);
        await em.update(WebhookEntity, primaryKey(currentRow), { ...changes, modifiedAt: at });
        context.record(objectChange('update', 'Webhook', { id, name: changes.name }));
        if (currentRow.state === 'suspended' && (isNewToken || changes.channel !== currentRow.channel)) {
          await this.resume(em, currentRow, at);
        }
        return this.read(em, caller, id);
      },
    };
  }

  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'webhooks_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await find(context.em, caller, id);
        await precondition(context.em, caller);
        await context.em.delete(WebhookEntity, primaryKey(currentRow));
        context.record(objectChange('delete', 'Webhook', currentRow));
      },
    };
  }

  /** Lets a suspended webhook resume with its waiting events. Does nothing if the webhook is active. */
  enable(caller: Caller, id: string): Command<WebhookRow> {
    return {
      operation: 'webhooks_enable_create',
      caller,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await find(context.em, caller, id);
        if (currentRow.state === 'active') return this.read(context.em, caller, id);
        await this.resume(context.em, currentRow, context.at);
        context.record(objectChange('update', 'Webhook', currentRow));
        return this.read(context.em, caller, id);
      },
    };
  }

  private async read(em: EntityManager, { organizationId }: Caller, id: string): Promise<WebhookRow> {
    return (await this.reader.readOne(organizationId, id, SnapshotReader.within(em))).row;
  }

  private async resume(em: EntityManager, currentRow: WebhookEntity, at: string): Promise<void> {
    const activeState = { state: 'active', stateReason: null, failures: 0, nextAttemptAt: at, modifiedAt: at };
    await em.update(WebhookEntity, primaryKey(currentRow), activeState);
    await this.queue.enqueueNow(em, 'webhook', currentRow.organizationId, currentRow.id);
  }

  private seal(organizationId: string, rowId: string, token: string): Promise<Buffer> {
    return this.vault.seal({ organizationId, column: TOKEN_COLUMN, rowId }, token);
  }

  private async isSame({ organizationId, id, sealedToken }: WebhookEntity, token: string): Promise<boolean> {
    return (await this.vault.open({ organizationId, column: TOKEN_COLUMN, rowId: id }, sealedToken)) === token;
  }
}

const primaryKey = ({ organizationId, id }: WebhookEntity) => ({ organizationId, id });

async function find(em: EntityManager, { organizationId }: Caller, id: string): Promise<WebhookEntity> {
  const currentRow = await em.findOneBy(WebhookEntity, { organizationId, id });
  if (!currentRow) throw Failure.notFound('Webhook');
  return currentRow;
}

/** Throws the same error for an organization that does not exist as for one that is not the caller's. */
function assertOwnLink({ organizationId }: Caller, link: string | null | undefined): void {
  if (link === undefined || link === null || link === '') return;
  if (lastSegment(link).toLowerCase() === organizationId) return;
  throw Failure.field(
    'foreign_organization',
    'organization',
    'A webhook belongs to the organization of your credential. Omit this field, or enter the id of that organization.',
  );
}

async function assertBelowLimit(em: EntityManager, organizationId: string): Promise<void> {
  if ((await em.countBy(WebhookEntity, { organizationId })) < WEBHOOKS_MAX) return;
  throw Failure.field(
    'too_many_webhooks',
    'non_field_errors',
    sentence`An organization has at most ${{ limit: WEBHOOKS_MAX }} webhooks. Remove one, or add event types to one that exists.`,
  );
}
