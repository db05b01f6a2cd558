import { parseInstant } from '@strata/domain';
import { z } from 'zod';
import { flagField, freeTextField, identifiedObject, linkOutput, nameField, timeOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { descriptionFilter, instantParameter, nameFilters, PageQuery, versionsParameter } from './query.ts';
import { memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

const TAG_NAME_MAX = 64;

export const TagUsage = z
  .object({
    last_read: timeOutput.nullable().meta({ description: 'When it was last read; null for never.' }),
    last_read_by: z.string().meta({ description: 'The user who read it last.' }),
    total_reads: z.int().meta({ description: 'Number of reads.' }),
  })
  .meta({ id: 'TagReadUsage', description: 'Usage of a tag.' });
export type TagUsage = z.infer<typeof TagUsage>;

export const Tag = z
  .object({
    ...identifiedObject,
    name: z.string().meta({ description: 'Unique in its environment.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    timestamp: timeOutput.meta({ description: 'The point in time.' }),
    immutable: z.boolean().meta({ description: 'Whether the tag can only be deleted, not changed.' }),
    pushes: z.array(z.record(z.string(), z.unknown())).meta({ description: 'The pushes that use it.' }),
    push_urls: z.array(linkOutput).meta({ description: 'URLs of the pushes that use it.' }),
    usage: TagUsage.meta({ description: 'Usage of the tag.' }),
    modified_at: timeOutput
      .optional()
      .meta({ description: 'Only in a list with `versions`: when it was last changed.' }),
  })
  .meta({ id: 'Tag', description: 'A named point in time of one environment, at which configuration can be read.' });
export type Tag = z.infer<typeof Tag>;

export const TagPage = pageSchema(Tag, 'PaginatedTagList');

const tagName = nameField(TAG_NAME_MAX).regex(
  /^[\w.-]*$/,
  'Use only letters of the English alphabet, digits, and the characters _ . -',
);

/** Null means now. Forms cannot send null, so an empty text means null. */
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

/** An absent timestamp and null both mean now. */
const tagShapes = writeShapes(
  { create: 'TagCreate', update: 'TagUpdate', patch: 'PatchedTagUpdate' },
  {
    name: requiredMember(tagName, 'Unique in its environment.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    timestamp: memberWithDefault(timestampIn, null, 'The point in time. Null or absent means now.'),
    immutable: memberWithDefault(flagField, false, 'Whether the tag can only be deleted, not changed.'),
  },
);

export const TagCreate = tagShapes.create;
export type TagCreate = z.infer<typeof TagCreate>;

export const TagUpdate = tagShapes.update;
export const TagPatch = tagShapes.patch;
export type TagPatch = z.infer<typeof TagPatch>;

export const TagListQuery = PageQuery.extend({
  ...nameFilters,
  ...descriptionFilter,
  timestamp: instantParameter('Exactly this time.'),
  timestamp__gte: instantParameter('At this time or later.'),
  timestamp__lte: instantParameter('At this time or earlier.'),
  versions: versionsParameter,
});
export type TagListQuery = z.infer<typeof TagListQuery>;
