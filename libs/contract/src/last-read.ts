import { z } from 'zod';
import { timeOutput } from './fields.ts';
import { booleanParameter } from './query.ts';

export const ReadBy = z
  .object({
    id: z.string().meta({ description: 'Id of the service account.' }),
    name: z.string().meta({ description: 'Name of the service account.' }),
  })
  .meta({ id: 'ReadBy', description: 'The service account that read last.' });
export type ReadBy = z.infer<typeof ReadBy>;

/** Returns the members that say when a program last read something, and which one. */
export function lastRead(noun: string, note = '') {
  const restNote = note === '' ? '' : ` ${note}`;
  return {
    last_read_at: timeOutput.nullable().meta({
      description: `When a service account last read ${noun}, to the minute; null if none did in the last 90 days.${restNote}`,
    }),
    last_read_by: ReadBy.nullable().meta({ description: `The service account that last read ${noun}.${restNote}` }),
  };
}

/** The member of a changeset or revert. */
export const force = z.boolean().default(false).meta({
  description: 'Delete also what a service account read recently, although the organization protects it.',
});

/** The query parameter of deletions. */
export const forceParameter = booleanParameter(
  'Delete it although a service account read it recently and the organization protects it.',
).default(false);

export const DeletionQuery = z.object({ force: forceParameter });
