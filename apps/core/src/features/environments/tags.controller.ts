import { TAGS } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { presentTag, tagWithoutUsage } from './tags.presenter.ts';
import { TagsReader } from './tags.reader.ts';
import { TagsService } from './tags.service.ts';

export const TagsController = resourceController(
  TAGS,
  { reader: TagsReader, tags: TagsService },
  ({ reader, tags }) => ({
    readParent: ({ environment_pk: environment = '' }) => pathId('Environment', environment),
    readKey: ({ environment_pk: environment = '', id = '' }, { caller }) => ({
      organizationId: caller.organizationId,
      environmentId: pathId('Environment', environment),
      id: pathId('Tag', id),
    }),
    list: ({ caller, parent, query }) => reader.page(caller.organizationId, parent, query),
    retrieve: ({ key, reader: snapshotReader }) => reader.readOne(key, snapshotReader),
    create: ({ caller, parent, input }) => tags.create(caller, parent, input),
    change: ({ caller, key, input, precondition }) => tags.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => tags.remove(caller, key, precondition),
    presentItem: presentTag,
    // Changing a tag triggers pushes, so their results are read after the commit.
    afterCommit: async (row, { caller }) =>
      row.pushes.length === 0 ? row : { ...row, pushes: await reader.pushes({ ...caller, id: row.id }) },
    tagged: tagWithoutUsage,
  }),
);
