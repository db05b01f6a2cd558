import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { flag, freeText, linkOut, name, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { instantParameter, nameFilters, PageQuery, versionsParameter } from './query.ts';

const TAG_NAME_MAX = 64;

export const TagUsage = z
  .object({
    last_read: timeOut.nullable().meta({ description: 'When it was read last; null for never.' }),
    last_read_by: z.string().meta({ description: 'Who read it last.' }),
    total_reads: z.int().meta({ description: 'How often it was read.' }),
  })
  .meta({ id: 'TagReadUsage', description: 'How often a tag was read, and by whom.' });
export type TagUsage = z.infer<typeof TagUsage>;

/** A named instant of one environment. */
export const Tag = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: uuidOut.meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Unique in its environment.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    timestamp: timeOut.meta({ description: 'The instant.' }),
    immutable: z.boolean().meta({ description: 'Whether it cannot be changed any more, only deleted.' }),
    pushes: z.array(z.record(z.string(), z.unknown())).meta({ description: 'The pushes that use it.' }),
    push_urls: z.array(linkOut).meta({ description: 'The pushes that use it, as links.' }),
    usage: TagUsage.meta({ description: 'How often it was read, and by whom.' }),
    modified_at: timeOut.optional().meta({ description: 'In a list with `versions`: when it was last changed.' }),
  })
  .meta({ id: 'Tag', description: 'A named instant of one environment: configuration can be read as it was then.' });
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
    name: tagName.meta({ description: 'Unique in its environment.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    timestamp: timestampIn.default(null).meta({ description: 'The instant; null and nothing mean now.' }),
    immutable: flag.default(false).meta({ description: 'Whether it cannot be changed any more, only deleted.' }),
  })
  .meta({ id: 'TagCreate' });
export type TagCreate = z.infer<typeof TagCreate>;

/** PUT. What is absent keeps its value; a timestamp of null means now. */
export const TagUpdate = z
  .object({
    name: tagName.meta({ description: 'Unique in its environment.' }),
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    timestamp: timestampIn.optional().meta({ description: 'The instant; null and nothing mean now.' }),
    immutable: flag.optional().meta({ description: 'Whether it cannot be changed any more, only deleted.' }),
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
  versions: versionsParameter,
});
export type TagListQuery = z.infer<typeof TagListQuery>;
