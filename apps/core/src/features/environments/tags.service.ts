import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TagCreate, TagPatch } from '@strata/contract';
import { type EnvironmentId, Failure, type NamedObject, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import { Cascades } from '../../platform/ledger/cascades.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { isUnchanged } from '../../platform/unchanged.ts';
import { assertNotPushed } from '../syncs/push-rights.ts';
import { duplicateNameError } from '../validation/names.ts';
import { EnvironmentEntity } from './environment.entity.ts';
import { TagEntity } from './tag.entity.ts';
import { type TagKey, type TagRow, TagsReader } from './tags.reader.ts';

const constraintErrors = (name: string) => ({
  tag_name_taken: () => duplicateNameError('tag', name),
});

const TAGS_OF_ENVIRONMENT = `
  select tag.id, tag.name, environment.id as environment_id, environment.name as environment_name
    from tag join environment on environment.organization_id = tag.organization_id and environment.id = tag.environment_id
   where tag.organization_id = $1 and tag.environment_id = $2 order by tag.name`;

@Injectable()
export class TagsService {
  constructor(
    private readonly reader: TagsReader,
    cascades: Cascades,
  ) {
    cascades.add({ of: 'Environment', objectType: 'Tag', sql: TAGS_OF_ENVIRONMENT });
  }

  /** Creates a tag. Without a timestamp, it names the instant of the write. */
  create(caller: Caller, environmentId: EnvironmentId, input: TagCreate): Command<TagRow> {
    return {
      operation: 'environments_tags_create',
      caller,
      run: async (context) => {
        const { caller, em, at } = context;
        const { organizationId } = caller;
        const environment = await findEnvironment(em, { organizationId, environmentId });
        const { name, description, immutable } = input;
        const id = randomUUID();
        const stamps = { timestamp: input.timestamp ?? at, createdAt: at, modifiedAt: at };
        await translateViolations(
          em.insert(TagEntity, { organizationId, id, environmentId, name, description, immutable, ...stamps }),
          constraintErrors(name),
        );
        context.record(objectChange('create', 'Tag', { id, name }, { environment }));
        return this.read(em, { organizationId, environmentId, id });
      },
    };
  }

  /**
   * Changes a tag. Omitted members keep their values; a timestamp of null means now. Immutable tags cannot be changed
   * (E70).
   */
  change(caller: Caller, key: TagKey, input: TagPatch, precondition: Precondition): Command<TagRow> {
    return {
      operation: 'environments_tags_update',
      caller,
      run: async (context) => {
        const { em, at } = context;
        const environment = await findEnvironment(em, key);
        const currentRow = await this.read(em, key);
        await precondition(em, caller);
        const changedRow = {
          name: input.name ?? currentRow.name,
          description: input.description ?? currentRow.description,
          timestamp: input.timestamp === undefined ? currentRow.timestamp : (input.timestamp ?? at),
          immutable: input.immutable ?? currentRow.immutable,
        };
        if (isUnchanged(currentRow, changedRow)) return currentRow;
        if (currentRow.immutable) throw immutableTagError(currentRow.name);
        const { organizationId, id } = key;
        await translateViolations(
          em.update(TagEntity, { organizationId, id }, { ...changedRow, modifiedAt: at }),
          constraintErrors(changedRow.name),
        );
        context.record(objectChange('update', 'Tag', { id, name: changedRow.name }, { environment }));
        return this.read(em, key);
      },
    };
  }

  /** Deletes a tag. Immutable tags can be deleted, too. */
  remove(caller: Caller, key: TagKey, precondition: Precondition): Command<void> {
    return {
      operation: 'environments_tags_destroy',
      caller,
      run: async (context) => {
        const { em } = context;
        const environment = await findEnvironment(em, key);
        const currentRow = await this.read(em, key);
        await precondition(em, caller);
        await assertNotPushed(em, 'tag', { organizationId: key.organizationId, id: key.id, name: currentRow.name });
        await em.delete(TagEntity, { organizationId: key.organizationId, id: key.id });
        context.record(objectChange('delete', 'Tag', currentRow, { environment }));
      },
    };
  }

  private async read(em: EntityManager, key: TagKey): Promise<TagRow> {
    return (await this.reader.readOne(key, SnapshotReader.within(em))).row;
  }
}

function immutableTagError(name: string): Failure {
  return Failure.invalid(
    'tag_immutable',
    sentence`The tag ${{ name }} is immutable and cannot be changed. Create another tag, or delete this one.`,
  );
}

async function findEnvironment(
  em: EntityManager,
  { organizationId, environmentId: id }: Pick<TagKey, 'organizationId' | 'environmentId'>,
): Promise<NamedObject> {
  const currentRow = await em.findOneBy(EnvironmentEntity, { organizationId, id });
  if (!currentRow) throw Failure.notFound('Environment');
  return currentRow;
}
