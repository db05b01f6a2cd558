import { z } from 'zod';
import { ChangesetChange } from './changeset-response.ts';

const place = ChangesetChange.omit({ url: true, action: true });

export const RevertConflict = z
  .object({
    object_type: z.string().nullable().meta({ description: 'Type of the object; null if it is not disclosed.' }),
    object_id: z.string().nullable().meta({ description: 'Id of the object.' }),
    object_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the object. For a value, the name of its parameter.' }),
    project_id: place.shape.project_id,
    project_name: place.shape.project_name,
    environment_id: place.shape.environment_id,
    environment_name: place.shape.environment_name,
    parameter_id: place.shape.parameter_id,
    parameter_name: place.shape.parameter_name,
    code: z
      .string()
      .meta({ description: 'The reason as a code: changed_since, made_below, missing_parent, name_taken …' }),
    detail: z.string().meta({ description: 'The reason, and how to resolve it.' }),
  })
  .meta({ id: 'RevertConflict', description: 'An object that cannot be restored without a conflict.' });
export type RevertConflict = z.infer<typeof RevertConflict>;

export const NotRevertible = z
  .object({
    ...ChangesetChange.omit({ url: true }).shape,
    reason: z.string().meta({ description: 'The reason why the change is not undone.' }),
  })
  .meta({ id: 'NotRevertible', description: 'A change that a revert does not undo.' });
export type NotRevertible = z.infer<typeof NotRevertible>;
