import type { Tag } from '@strata/contract';
import type { Call } from '../../platform/http/request.ts';
import { presentPushes } from '../syncs/syncs.presenter.ts';
import type { TagRow } from './tags.reader.ts';

export function presentTag(row: TagRow, call: Call, { versions = false }: { readonly versions?: boolean } = {}): Tag {
  const { id, environment_id: environmentId, name, description, timestamp, immutable } = row;
  return {
    url: call.links.tag(environmentId, id),
    id,
    name,
    description,
    timestamp,
    immutable,
    ...presentPushes(row.pushes, call),
    usage: { last_read: row.last_read, last_read_by: row.last_read_by, total_reads: row.total_reads },
    ...(versions && { modified_at: row.modified_at }),
  };
}

/** Returns the tag without its usage, so that reads through a tag do not change its entity tag. */
export function tagWithoutUsage(tag: Tag) {
  return { ...tag, usage: null };
}
