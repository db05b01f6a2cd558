import { Failure, mayPassOnSecrets, type OrganizationId, type Permissions, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';

/** Throws 403 if the caller may not reveal secrets. A push of secrets reveals them to the owner of the store. */
export function assertMayPushSecrets(caller: Pick<Permissions, 'revealsSecrets' | 'isRevealTemporary'>): void {
  if (mayPassOnSecrets(caller)) return;
  throw new Failure({
    kind: 'forbidden',
    code: 'reveal_forbidden',
    message:
      'You may not reveal secrets, and this request would push secrets to a store. Ask an ADMIN for the ability to reveal secrets.',
  });
}

/** Throws 403 if the caller may not reveal secrets. An external value makes a content readable that is a secret. */
export function assertMayReadExternal(caller: Pick<Permissions, 'revealsSecrets' | 'isRevealTemporary'>): void {
  if (mayPassOnSecrets(caller)) return;
  throw new Failure({
    kind: 'forbidden',
    code: 'reveal_forbidden',
    message:
      'You may not reveal secrets, and the text of an external value is a secret. Ask an ADMIN for the ability to reveal secrets.',
  });
}

/** Each statement returns the pushes that use an object. $1 is the organization, and $2 is the id of the object. */
const PUSHES = {
  environment: `
    select distinct exchange.name from exchange_tag link
      join tag on tag.organization_id = $1 and tag.id = link.tag_id
      join exchange on exchange.organization_id = $1 and exchange.id = link.exchange_id
     where link.organization_id = $1 and tag.environment_id = $2 order by exchange.name`,
  project: `
    select exchange.name from exchange_project link
      join exchange on exchange.organization_id = $1 and exchange.id = link.exchange_id
     where link.organization_id = $1 and link.project_id = $2 order by exchange.name`,
  tag: `
    select exchange.name from exchange_tag link
      join exchange on exchange.organization_id = $1 and exchange.id = link.exchange_id
     where link.organization_id = $1 and link.tag_id = $2 order by exchange.name`,
} as const;

interface UsedObject {
  readonly organizationId: OrganizationId;
  readonly id: string;
  readonly name: string;
}

/**
 * Rejects the deletion of an object that pushes use: without it, they would delete values at the store (behaviour.md
 * §14).
 */
export async function assertNotPushed(
  em: EntityManager,
  noun: keyof typeof PUSHES,
  { organizationId, id, name }: UsedObject,
): Promise<void> {
  const names = (await em.query<{ name: string }[]>(PUSHES[noun], [organizationId, id])).map((push) => push.name);
  if (names.length === 0) return;
  const message = {
    environment: sentence`The environment ${{ name }} is used by ${{ names }}. Change or delete these pushes first.`,
    project: sentence`The project ${{ name }} is used by ${{ names }}. Change or delete these pushes first.`,
    tag: sentence`The tag ${{ name }} is used by ${{ names }}. Change or delete these pushes first.`,
  };
  throw Failure.conflict(`${noun}_in_use`, message[noun]);
}
