import { z } from 'zod';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { flagField, LIMITS, nameField, textField } from './fields.ts';

/** A reference to an object that an earlier operation created. */
export interface Reference {
  readonly $ref: string;
}

/** A name, an id, a URL or a reference. */
export type NameOrReference = string | Reference;

export function isReference(input: unknown): input is Reference {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const members = Object.entries(input);
  return members.length === 1 && members[0]?.[0] === '$ref' && typeof members[0][1] === 'string';
}

export const nameOrReference = z.unknown().transform((input, context): NameOrReference => {
  if (isReference(input)) return input;
  const parsed = nameField(LIMITS.link).safeParse(input);
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message: 'Give a name, an id, a link or {"$ref": …}.',
    params: { code: 'invalid' },
  });
  return z.NEVER;
});

/** A text to copy from another value. The caller need not be able to read it. */
export const CopiedFrom = z
  .strictObject({
    environment: nameField(LIMITS.link).meta({
      description: 'Name, id or URL of the environment to read the text in.',
    }),
    project: nameField(LIMITS.link).optional().meta({
      description: 'Name, id or URL of the project to read the text in; defaults to the project of the step.',
    }),
    revision: z.int().min(0, NOT_NEGATIVE).optional().meta({
      description:
        'Copy the text as it was after this revision. Default: the text at the time when the operation runs.',
    }),
  })
  .meta({
    id: 'CopiedFrom',
    description: 'The cell to copy the text from, for the same parameter name. A secret stays encrypted.',
  });
export type CopiedFrom = z.output<typeof CopiedFrom>;

const settable = z.preprocess(
  (input) => (typeof input === 'string' || input === null ? { value: input } : input),
  z
    .strictObject(
      {
        value: textField({ max: LIMITS.internalValue, blank: 'allowed' })
          .nullable()
          .optional()
          .meta({ description: 'The text; null is an explicit null. Give either `value` or `from`.' }),
        from: CopiedFrom.optional().meta({
          description: 'The cell to copy the text from. Give either `value` or `from`.',
        }),
        interpolated: z.boolean().optional().meta({
          description:
            'Whether `value` is dynamic: its references, such as `{{ HOST }}`, are evaluated. Default: false.',
        }),
        secret: z
          .boolean()
          .optional()
          .meta({ description: 'Used if the parameter is created. For an existing parameter it must match.' }),
        type: nameField()
          .optional()
          .meta({ description: 'Used if the parameter is created. For an existing parameter it must match.' }),
        description: textField({ max: LIMITS.description, blank: 'allowed' })
          .optional()
          .meta({ description: 'Used if the parameter is created. An existing parameter keeps its own.' }),
        if_match: nameField(64)
          .optional()
          .meta({ description: 'Reject the operation unless the existing value of this cell has this `ledger_id`.' }),
        if_none_match: z
          .literal('*')
          .optional()
          .meta({ type: 'string', description: '`*`: reject the operation if this cell already has a value.' }),
      },
      { error: ({ code }) => (code === 'invalid_type' ? 'Give a text, null, or an object with `value`.' : undefined) },
    )
    .refine((input) => (input.value === undefined) !== (input.from === undefined), {
      message: 'Give either value or from.',
      params: { code: 'invalid' },
    })
    .refine((input) => input.from === undefined || !input.interpolated, {
      message: 'Give interpolated only with value.',
      params: { code: 'contradiction' },
    })
    .refine((input) => input.if_match === undefined || input.if_none_match === undefined, {
      message: 'Give if_match or if_none_match, not both.',
      params: { code: 'contradiction' },
    })
    .meta({ id: 'SettableValue', description: 'A value to set. You can send the text alone instead of an object.' }),
);
export type SettableValue = z.output<typeof settable>;

/** A value to set, after `from` has been resolved. */
export type ResolvedValue = Omit<SettableValue, 'value'> & { readonly value: string | null };

export const settableValues = z
  .record(nameField(), settable)
  .refine((values) => Object.keys(values).length <= CHANGESET_LIMITS.names, {
    message: `At most ${CHANGESET_LIMITS.names} names.`,
    params: { values: { limit: CHANGESET_LIMITS.names } },
  })
  .meta({ description: 'Texts by parameter name, or objects with further members.' });

const names = z
  .array(nameField())
  .min(1, 'Name something.')
  .max(CHANGESET_LIMITS.names, `At most ${CHANGESET_LIMITS.names} names.`);

const project = nameOrReference.meta({ description: 'Name, id or URL of the project, or a reference.' });
const environment = nameOrReference.meta({ description: 'Name, id or URL of the environment, or a reference.' });

export const createMissing = flagField.default(false).meta({
  description:
    'Whether missing parameters are created. For an inherited parameter, an overriding one is created. If false, names without an own parameter are rejected.',
});
export const touch = flagField
  .default(false)
  .meta({ description: 'Whether values that already have this text are written again.' });

export const SetValues = z
  .strictObject({ project, environment, values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'SetValues', description: 'Sets values of one project in one environment, by parameter name.' });
export type SetValues = z.output<typeof SetValues>;

export const UnsetValues = z
  .strictObject({
    project,
    environment,
    names: names.meta({
      description: 'Names of the parameters whose values are deleted. Parameters without a value are ignored.',
    }),
  })
  .meta({
    id: 'UnsetValues',
    description: 'Deletes values of one project that are set in one environment, by parameter name.',
  });
export type UnsetValues = z.output<typeof UnsetValues>;

export const PromoteValues = z
  .strictObject({
    project,
    from: nameOrReference.meta({ description: 'Name, id or URL of the environment to copy from.' }),
    to: nameOrReference.meta({ description: 'Name, id or URL of the environment to copy to.' }),
    names: names
      .optional()
      .meta({ description: 'Names of the parameters to copy. Default: all that are set in `from`.' }),
  })
  .meta({
    id: 'PromoteValues',
    description: 'Copies the values that are set in one environment to another. Secrets stay encrypted.',
  });
export type PromoteValues = z.output<typeof PromoteValues>;
