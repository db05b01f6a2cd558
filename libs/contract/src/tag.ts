import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { flag, freeText, linkOut, name, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { instantParameter, nameFilters, PageQuery } from './query.ts';

const TAG_NAME_MAX = 64;

export const TagUsage = z
  .object({
    last_read: timeOut.nullable(),
    last_read_by: z.string(),
    total_reads: z.int(),
  })
  .meta({ id: 'TagReadUsage' });
export type TagUsage = z.infer<typeof TagUsage>;

/** A named instant of one environment. */
export const Tag = z
  .object({
    url: linkOut,
    id: uuidOut,
    name: z.string(),
    description: z.string(),
    timestamp: timeOut,
    immutable: z.boolean().meta({ description: 'It cannot be changed any more, only deleted.' }),
    pushes: z.array(z.record(z.string(), z.unknown())),
    push_urls: z.array(linkOut),
    usage: TagUsage,
  })
  .meta({ id: 'Tag' });
export type Tag = z.infer<typeof Tag>;

export const TagPage = pageOf(Tag, 'PaginatedTagList');

const tagName = name(TAG_NAME_MAX).regex(
  /^[\w.-]*$/,
  'Use letters of the English alphabet, digits, and the signs _ . - only.',
);

/** Null means now; forms cannot say null, so the empty text means it. */
const timestampIn = z.preprocess(
  (input) =>
    typeof input === 'string' && input !== ''
      ? (parseInstant(input) ?? { unreadable: input })
      : input === ''
        ? null
        : input,
  z
    .string({ error: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' })
    .meta({ format: 'date-time' })
    .nullable(),
);

/** No timestamp, and null, both mean now. */
export const TagCreate = z
  .object({
    name: tagName,
    description: freeText().default(''),
    timestamp: timestampIn.default(null),
    immutable: flag.default(false),
  })
  .meta({ id: 'TagCreate' });
export type TagCreate = z.infer<typeof TagCreate>;

/** PUT. What is absent keeps its value; a timestamp of null means now. */
export const TagUpdate = z
  .object({
    name: tagName,
    description: freeText().optional(),
    timestamp: timestampIn.optional(),
    immutable: flag.optional(),
  })
  .meta({ id: 'TagUpdate' });
export type TagUpdate = z.infer<typeof TagUpdate>;

export const TagPatch = TagUpdate.partial().meta({ id: 'PatchedTagUpdate' });
export type TagPatch = z.infer<typeof TagPatch>;

export const TagListQuery = PageQuery.extend({
  ...nameFilters,
  timestamp: instantParameter('Exactly this instant.'),
  timestamp__gte: instantParameter('At this instant or later.'),
  timestamp__lte: instantParameter('At this instant or earlier.'),
});
export type TagListQuery = z.infer<typeof TagListQuery>;
