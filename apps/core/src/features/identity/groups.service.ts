import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GroupCreate, GroupPatch } from '@strata/contract';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command, WriteContext } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { removeGrants } from '../access/released-grants.ts';
import { assertNewNames, duplicateNameError } from '../validation/names.ts';
import { type GroupRow, GroupsReader, type LinkedMember, resolveMembers } from './groups.reader.ts';

const constraintErrors = (name: string) => ({
  group_name_taken: () => duplicateNameError('group', name),
});

@Injectable()
export class GroupsService {
  constructor(private readonly reader: GroupsReader) {}

  create(caller: Caller, { name, description, users }: GroupCreate): Command<GroupRow> {
    return {
      operation: 'groups_create',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const members = await this.linked(context, caller, 'users', users);
        const id = randomUUID();
        await translateViolations(
          em.query(
            `insert into member_group (organization_id, id, name, description, created_at, modified_at)
           values ($1, $2, $3, $4, $5, $5)`,
            [organizationId, id, name, description, at],
          ),
          constraintErrors(name),
        );
        await assertNewNames(em, { noun: 'group', organizationId }, [name]);
        await join(context, organizationId, id, members);
        context.record(objectChange('create', 'Group', { id, name }));
        return this.read(context, caller, id);
      },
    };
  }

  /** Changes a group. `users` replaces all members; if it is omitted, the members stay the same. */
  change(caller: Caller, id: string, input: GroupPatch, precondition: Precondition): Command<GroupRow> {
    return {
      operation: 'groups_update',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const currentRow = await this.read(context, caller, id);
        await precondition(em, caller);
        const name = input.name ?? currentRow.name;
        const description = input.description ?? currentRow.description;
        const members = input.users && (await this.linked(context, caller, 'users', input.users));
        const isSameSet = members === undefined || isSame(currentRow, members);
        if (name === currentRow.name && description === currentRow.description && isSameSet) return currentRow;
        await translateViolations(
          em.query(
            `update member_group set name = $3, description = $4, modified_at = $5
            where organization_id = $1 and id = $2`,
            [organizationId, id, name, description, at],
          ),
          constraintErrors(name),
        );
        if (name !== currentRow.name) await assertNewNames(em, { noun: 'group', organizationId }, [name]);
        if (members !== undefined) await replaceMembers(context, organizationId, id, members);
        context.record(objectChange('update', 'Group', { id, name }));
        return this.read(context, caller, id);
      },
    };
  }

  add(caller: Caller, id: string, user: string): Command<GroupRow> {
    return this.membersChanged('groups_add_create', caller, id, user, async (context, member) => {
      await join(context, caller.organizationId, id, [member]);
    });
  }

  remove(caller: Caller, id: string, user: string): Command<GroupRow> {
    return this.membersChanged('groups_remove_create', caller, id, user, async ({ em }, member) => {
      await em.query('delete from group_member where organization_id = $1 and group_id = $2 and membership_id = $3', [
        caller.organizationId,
        id,
        member.id,
      ]);
    });
  }

  /**
   * Deletes a group and its grants. If a scope would lose its last owner, ownership passes to the longest-serving OWNER
   * of the organization.
   */
  delete(caller: Caller, id: string, precondition: Precondition): Command<void> {
    return {
      operation: 'groups_destroy',
      caller,
      isLong: true,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.read(context, caller, id);
        await precondition(context.em, caller);
        await removeGrants(context, caller.organizationId, { groupId: id });
        await context.em.query('delete from member_group where organization_id = $1 and id = $2', [
          caller.organizationId,
          id,
        ]);
        context.record(objectChange('delete', 'Group', currentRow));
      },
    };
  }

  /** Adds or removes a member. Adding an existing member changes nothing. */
  private membersChanged(
    operation: string,
    caller: Caller,
    id: string,
    user: string,
    change: (context: WriteContext, member: LinkedMember) => Promise<void>,
  ): Command<GroupRow> {
    return {
      operation,
      caller,
      run: async (context) => {
        const { caller } = context;
        const currentRow = await this.read(context, caller, id);
        const [member] = await this.linked(context, caller, 'user', [user]);
        if (member) await change(context, member);
        const changedRow = await this.read(context, caller, id);
        if (changedRow.users.length === currentRow.users.length) return currentRow;
        await context.em.query('update member_group set modified_at = $3 where organization_id = $1 and id = $2', [
          caller.organizationId,
          id,
          context.at,
        ]);
        context.record(objectChange('update', 'Group', currentRow));
        return this.read(context, caller, id);
      },
    };
  }

  private linked({ em }: WriteContext, { organizationId }: Caller, field: string, links: readonly string[]) {
    return resolveMembers(SnapshotReader.within(em), organizationId, field, links);
  }

  private async read({ em }: WriteContext, { organizationId }: Caller, id: string): Promise<GroupRow> {
    return (await this.reader.readOne(organizationId, id, SnapshotReader.within(em))).row;
  }
}

function isSame({ users }: GroupRow, members: readonly LinkedMember[]): boolean {
  const requestedIds = new Set(members.map(({ person_id: id }) => id));
  return requestedIds.size === users.length && users.every((user) => requestedIds.has(user));
}

async function replaceMembers(
  context: WriteContext,
  organizationId: string,
  groupId: string,
  members: readonly LinkedMember[],
): Promise<void> {
  await context.em.query(
    'delete from group_member where organization_id = $1 and group_id = $2 and membership_id <> all($3::uuid[])',
    [organizationId, groupId, members.map(({ id }) => id)],
  );
  await join(context, organizationId, groupId, members);
}

async function join(
  { em }: WriteContext,
  organizationId: string,
  groupId: string,
  members: readonly LinkedMember[],
): Promise<void> {
  await em.query(
    `insert into group_member (organization_id, group_id, membership_id)
     select $1, $2, id from unnest($3::uuid[]) as id on conflict do nothing`,
    [organizationId, groupId, members.map(({ id }) => id)],
  );
}
