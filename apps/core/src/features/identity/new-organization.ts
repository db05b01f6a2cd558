import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BASE_TYPES, type OrganizationId, type UserId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import {
  appendChangesets,
  type LinkedChangeset,
  linkChangesets,
  moveHead,
  setStamp,
} from '../../platform/ledger/ledger-statements.ts';
import { combineWrites } from '../../platform/postgres/one-statement.ts';
import { Vault } from '../../platform/vault/vault.ts';

const ENVIRONMENTS = [
  ['development', 'For developing and testing changes.'],
  ['staging', 'For verifying changes before they reach users.'],
  ['production', 'The live system.'],
] as const;

const TYPE_DESCRIPTIONS = {
  string: 'Any text.',
  integer: 'A whole number.',
  boolean: 'true or false.',
} as const;

/** Creates organizations with the initial content that behaviour.md §2, §4, §8 and §11 define. */
@Injectable()
export class NewOrganizations {
  constructor(private readonly vault: Vault) {}

  /**
   * Creates an organization with its environments, its first project and the built-in types, and with this person as
   * OWNER.
   */
  async create(
    em: EntityManager,
    organizationId: OrganizationId,
    name: string,
    owner: { readonly id: UserId; readonly name: string },
  ): Promise<void> {
    await em.query('insert into organization (id, name, viewers_reveal_secrets) values ($1, $2, false)', [
      organizationId,
      name,
    ]);
    const [head] = await em.query<{ at: string }[]>(
      'insert into organization_head (organization_id) values ($1) returning at',
      [organizationId],
    );
    // All initial objects belong to revision 1.
    const caller = { ...owner, type: 'interactive', surface: 'system', requestId: '' } as const;
    const first = { revision: 1, at: head?.at ?? '', caller, changes: [] };
    const [changeset] = linkChangesets(organizationId, null, [first]) as [LinkedChangeset];
    const statements = [moveHead(organizationId, changeset), ...appendChangesets(organizationId, [changeset])] as const;
    const { text, values } = combineWrites([...statements, setStamp(organizationId, changeset)]);
    await em.query(text, [...values]);
    await this.vault.createKey(em, organizationId);
    await em.query(`insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'OWNER')`, [
      organizationId,
      randomUUID(),
      owner.id,
    ]);
    await addInitialConfiguration(em, organizationId);
  }
}

async function addInitialConfiguration(em: EntityManager, organizationId: OrganizationId): Promise<void> {
  const root = randomUUID();
  const environment =
    'insert into environment (organization_id, id, name, description, parent_id) values ($1, $2, $3, $4, $5)';
  await em.query(environment, [
    organizationId,
    root,
    'default',
    'The root environment. Its values apply in every other environment that does not set its own.',
    null,
  ]);
  for (const [name, description] of ENVIRONMENTS) {
    await em.query(environment, [organizationId, randomUUID(), name, description, root]);
  }
  for (const name of BASE_TYPES) {
    await em.query('insert into parameter_type (organization_id, id, name, description) values ($1, $2, $3, $4)', [
      organizationId,
      randomUUID(),
      name,
      TYPE_DESCRIPTIONS[name],
    ]);
  }
  await em.query('insert into project (organization_id, id, name, description) values ($1, $2, $3, $4)', [
    organizationId,
    randomUUID(),
    'MyFirstProject',
    'An example project.',
  ]);
}
