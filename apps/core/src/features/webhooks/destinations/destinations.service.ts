import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  DESTINATION_LIMITS,
  type DestinationCreate,
  type DestinationPatch,
  type SecretRotation,
} from '@strata/contract';
import { Failure, type OrganizationId, sentence } from '@strata/domain';
import { newSigningKey, type SigningKey, type SigningMethod } from '@strata/webhooks';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Env } from '../../../platform/env.ts';
import { idFromLink, unknownLinkError } from '../../../platform/http/links.ts';
import type { Precondition } from '../../../platform/http/request.ts';
import type { Command, WriteContext } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { ENV } from '../../../platform/tokens.ts';
import { isUnchanged } from '../../../platform/unchanged.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { DeliveryQueue } from '../delivery/delivery-queue.ts';
import { ADDRESS_COLUMN, SECRET_COLUMN } from '../delivery/destination-sender.ts';
import { DestinationEntity } from './destination.entity.ts';
import { assertReceiver, isMaskedAddress, maskAddress } from './destination-address.ts';
import type { DestinationWithSecret } from './destinations.presenter.ts';
import { DestinationsReader, type ShownDestination } from './destinations.reader.ts';

/** The sealed parts of a destination. They are sealed before the write begins. */
interface SealedKey {
  readonly key: SigningKey;
  readonly sealedSecret: Buffer;
}

const HOUR_MS = 3_600_000;

@Injectable()
export class DestinationsService {
  constructor(
    private readonly reader: DestinationsReader,
    private readonly vault: Vault,
    private readonly queue: DeliveryQueue,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Creates a destination. It reports changes that happen after its creation. */
  async create(caller: Caller, input: DestinationCreate): Promise<Command<DestinationWithSecret>> {
    const { organizationId } = caller;
    if (input.address !== undefined && isMaskedAddress(input.address)) {
      throw Failure.field('invalid', 'address', 'This address is masked. Enter the whole address.');
    }
    assertReceiver(input.type, input, this.env);
    const id = randomUUID();
    const sealedAddress = await this.sealAddress(organizationId, id, input.address);
    const isSigned = input.type === 'http';
    const signingKey = isSigned ? await this.newKey(organizationId, id, input.signing) : null;
    return {
      operation: 'destinations_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { em, at, revision } = context;
        await assertBelowLimit(em, organizationId);
        const [head] = await em.query<{ epoch: string }[]>(
          'select epoch from organization_head where organization_id = $1',
          [organizationId],
        );
        if (!head) throw Failure.notFound('Organization');
        await em.insert(DestinationEntity, {
          organizationId,
          id,
          name: input.name,
          type: input.type,
          ...(await resolveFilter(em, organizationId, input)),
          eventTypes: input.event_types,
          parameterNames: input.parameter_names,
          sealedAddress,
          maskedAddress: input.address === undefined ? null : maskAddress(input.address),
          recipients: input.recipients,
          envelope: isSigned ? input.envelope : null,
          signing: isSigned ? input.signing : null,
          sealedSecret: signingKey?.sealedSecret ?? null,
          publicKey: signingKey?.key.publicKey ?? null,
          expiryDays: sortedDays(input.expiry_days),
          ownerId: context.caller.id,
          state: 'active',
          createdAt: at,
          modifiedAt: at,
          cursorEpoch: head.epoch,
          cursorRevision: revision,
          cursorOrdinal: 0,
        });
        context.record(objectChange('create', 'Destination', { id, name: input.name }));
        return { row: await this.read(em, caller, id), secret: signingKey && shownSecret(signingKey.key) };
      },
    };
  }

  /**
   * Changes a destination. Omitted members keep their values. With a new address, earlier failures no longer count: the
   * waiting messages are sent at once, also if the destination was suspended.
   */
  async change(
    caller: Caller,
    id: string,
    input: DestinationPatch,
    precondition: Precondition,
  ): Promise<Command<ShownDestination>> {
    const { organizationId } = caller;
    const address = input.address === undefined || isMaskedAddress(input.address) ? undefined : input.address;
    const sealedAddress = await this.sealAddress(organizationId, id, address);
    return {
      operation: 'destinations_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const currentRow = await find(em, caller, id);
        await precondition(em, caller);
        assertReceiver(
          currentRow.type,
          { ...input, address: address ?? currentRow.maskedAddress ?? undefined },
          this.env,
        );
        const isNewAddress = address !== undefined && !(await this.isSameAddress(currentRow, address));
        const changes = {
          name: input.name ?? currentRow.name,
          ...(await resolveFilter(em, organizationId, input, currentRow)),
          eventTypes: input.event_types ?? currentRow.eventTypes,
          parameterNames: input.parameter_names ?? currentRow.parameterNames,
          recipients: input.recipients ?? currentRow.recipients,
          envelope: currentRow.envelope === null ? null : (input.envelope ?? currentRow.envelope),
          expiryDays: input.expiry_days === undefined ? currentRow.expiryDays : sortedDays(input.expiry_days),
          ...(isNewAddress && { sealedAddress, maskedAddress: maskAddress(address) }),
        };
        if (!isNewAddress && isUnchanged(currentRow, changes)) return this.read(em, caller, id);
        await em.update(DestinationEntity, primaryKey(currentRow), { ...changes, modifiedAt: at });
        context.record(objectChange('update', 'Destination', { id, name: changes.name }));
        const hasMoved = isNewAddress || changes.recipients.join() !== currentRow.recipients.join();
        if (hasMoved) await this.resume(context, currentRow);
        return this.read(em, caller, id);
      },
    };
  }

  remove(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'destinations_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const currentRow = await find(context.em, context.caller, id);
        await precondition(context.em, context.caller);
        await context.em.delete(DestinationEntity, primaryKey(currentRow));
        context.record(objectChange('delete', 'Destination', currentRow));
      },
    };
  }

  /** Lets a suspended destination resume with its waiting messages. Does nothing if it is active. */
  enable(caller: Caller, id: string): Command<ShownDestination> {
    return {
      operation: 'destinations_enable_create',
      caller,
      run: async (context) => {
        const { em, caller } = context;
        const currentRow = await find(em, caller, id);
        if (currentRow.state === 'suspended') {
          await this.resume(context, currentRow);
          context.record(objectChange('update', 'Destination', currentRow));
        }
        return this.read(em, caller, id);
      },
    };
  }

  /** Replaces the signing key. Until the overlap ends, messages are also signed with the previous one. */
  async rotate(
    caller: Caller,
    id: string,
    { overlap_hours: hours }: SecretRotation,
  ): Promise<Command<DestinationWithSecret>> {
    const { organizationId } = caller;
    const keys = {
      hmac: await this.newKey(organizationId, id, 'hmac'),
      ed25519: await this.newKey(organizationId, id, 'ed25519'),
    };
    return {
      operation: 'destinations_rotate_secret_create',
      caller,
      storedResult: 'shown_once',
      run: async (context) => {
        const { em, caller, at } = context;
        const currentRow = await find(em, caller, id);
        if (currentRow.signing === null) throw noSecretError();
        const { key, sealedSecret } = keys[currentRow.signing as SigningMethod];
        await em.update(DestinationEntity, primaryKey(currentRow), {
          sealedSecret,
          publicKey: key.publicKey,
          sealedPreviousSecret: hours === 0 ? null : currentRow.sealedSecret,
          previousPublicKey: hours === 0 ? null : currentRow.publicKey,
          previousSecretUntil: hours === 0 ? null : new Date(Date.parse(at) + hours * HOUR_MS).toISOString(),
          modifiedAt: at,
        });
        context.record(objectChange('update', 'Destination', currentRow));
        return { row: await this.read(em, caller, id), secret: shownSecret(key) };
      },
    };
  }

  private async read(em: EntityManager, { organizationId }: Caller, id: string): Promise<ShownDestination> {
    return (await this.reader.readOne(organizationId, id, SnapshotReader.within(em))).row;
  }

  private async resume({ em, at }: WriteContext, currentRow: DestinationEntity): Promise<void> {
    const { organizationId, id } = currentRow;
    await em.update(DestinationEntity, primaryKey(currentRow), {
      state: 'active',
      stateReason: null,
      failingSince: null,
      noticeDue: false,
      failures: 0,
      nextAttemptAt: at,
      modifiedAt: at,
    });
    await this.queue.enqueueNow(em, 'destination', organizationId as OrganizationId, id);
  }

  private async newKey(organizationId: OrganizationId, rowId: string, method: SigningMethod): Promise<SealedKey> {
    const key = newSigningKey(method);
    return { key, sealedSecret: await this.vault.seal({ organizationId, column: SECRET_COLUMN, rowId }, key.secret) };
  }

  private async sealAddress(organizationId: OrganizationId, rowId: string, address: string | undefined) {
    if (address === undefined) return null;
    return this.vault.seal({ organizationId, column: ADDRESS_COLUMN, rowId }, address);
  }

  private async isSameAddress(currentRow: DestinationEntity, address: string): Promise<boolean> {
    const { organizationId, id, sealedAddress } = currentRow;
    if (sealedAddress === null) return false;
    const context = { organizationId: organizationId as OrganizationId, column: ADDRESS_COLUMN, rowId: id };
    return (await this.vault.open(context, sealedAddress)) === address;
  }
}

/** The receiver of Ed25519 signatures needs only the public key, which every response contains. */
const shownSecret = ({ secret, publicKey }: SigningKey): string | null => (publicKey === null ? secret : null);

const sortedDays = (days: readonly number[]): number[] => days.toSorted((a, b) => b - a);

const primaryKey = ({ organizationId, id }: DestinationEntity) => ({ organizationId, id });

async function find(em: EntityManager, { organizationId }: Caller, id: string): Promise<DestinationEntity> {
  const currentRow = await em.findOneBy(DestinationEntity, { organizationId, id });
  if (!currentRow) throw Failure.notFound('Destination');
  return currentRow;
}

type FilterInput = Pick<DestinationPatch, 'projects' | 'environments'>;

/**
 * Returns the ids of the scopes that an input names, or the current ones. Throws 400 if one of them does not exist. Deleted
 * scopes of the current filter are accepted, so that a client can send back what it read.
 */
async function resolveFilter(
  em: EntityManager,
  organizationId: OrganizationId,
  input: FilterInput,
  currentRow: Pick<DestinationEntity, 'projectIds' | 'environmentIds'> = { projectIds: [], environmentIds: [] },
) {
  const { projects, environments } = input;
  const { projectIds, environmentIds } = currentRow;
  return {
    projectIds: projects ? await findScopes(em, organizationId, 'projects', projects, projectIds) : projectIds,
    environmentIds: environments
      ? await findScopes(em, organizationId, 'environments', environments, environmentIds)
      : environmentIds,
  };
}

async function findScopes(
  em: EntityManager,
  organizationId: OrganizationId,
  field: 'projects' | 'environments',
  links: readonly string[],
  currentIds: readonly string[],
): Promise<string[]> {
  const ids = [...new Set(links.map((link) => idFromLink(field, field, link)))];
  const newIds = ids.filter((id) => !currentIds.includes(id));
  if (newIds.length === 0) return ids;
  const rows = await em.query<object[]>(
    `select from ${field.slice(0, -1)} where organization_id = $1 and id = any($2::uuid[])`,
    [organizationId, newIds],
  );
  if (rows.length < newIds.length) throw unknownLinkError(field, field);
  return ids;
}

async function assertBelowLimit(em: EntityManager, organizationId: OrganizationId): Promise<void> {
  const { perOrganization: limit } = DESTINATION_LIMITS;
  if ((await em.countBy(DestinationEntity, { organizationId })) < limit) return;
  throw Failure.field(
    'too_many_destinations',
    'non_field_errors',
    sentence`An organization has at most ${{ limit }} destinations. Delete one, or add event types to one that exists.`,
  );
}

const noSecretError = (): Failure =>
  Failure.conflict('no_secret', 'This destination has no secret. Only destinations of the type http are signed.');
