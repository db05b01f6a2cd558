import { z } from 'zod';
import { ChangesetChange } from './changeset-answer.ts';

const place = ChangesetChange.omit({ url: true, action: true });

export const RevertConflict = z
  .object({
    object_type: z.string().nullable().meta({ description: 'What kind of object; null for what is not told.' }),
    object_id: z.string().nullable().meta({ description: 'Its id.' }),
    object_name: z.string().nullable().meta({ description: 'Its name; of a value, the name of its parameter.' }),
    project_id: place.shape.project_id,
    project_name: place.shape.project_name,
    environment_id: place.shape.environment_id,
    environment_name: place.shape.environment_name,
    parameter_id: place.shape.parameter_id,
    parameter_name: place.shape.parameter_name,
    code: z
      .string()
      .meta({ description: 'Why, for programs: changed_since, made_below, missing_parent, name_taken …' }),
    detail: z.string().meta({ description: 'Why, and what to do about it.' }),
  })
  .meta({ id: 'RevertConflict', description: 'An object that cannot simply be what it was.' });
export type RevertConflict = z.infer<typeof RevertConflict>;

export const NotRevertible = z
  .object({
    ...ChangesetChange.omit({ url: true }).shape,
    reason: z.string().meta({ description: 'Why it stays.' }),
  })
  .meta({ id: 'NotRevertible', description: 'A change that a revert does not take back.' });
export type NotRevertible = z.infer<typeof NotRevertible>;
