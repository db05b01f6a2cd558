import { z } from 'zod';
import { CHANGESET_LIMITS, NOT_NEGATIVE } from './changeset-limits.ts';
import { flag, LIMITS, name, text } from './fields.ts';

/** What an earlier operation made, by the name that it was given there. */
export interface Reference {
  readonly $ref: string;
}

/** A name, an id or a link; or a reference. */
export type Place = string | Reference;

export function isReference(input: unknown): input is Reference {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const members = Object.entries(input);
  return members.length === 1 && members[0]?.[0] === '$ref' && typeof members[0][1] === 'string';
}

/** Of what a step is about. */
export const place = z.unknown().transform((input, context): Place => {
  if (isReference(input)) return input;
  const parsed = name(LIMITS.link).safeParse(input);
  if (parsed.success) return parsed.data;
  context.addIssue({
    code: 'custom',
    message: 'Give a name, an id, a link or {"$ref": …}.',
    params: { code: 'invalid' },
  });
  return z.NEVER;
});

/** A text that the one who sets it need not see. */
export const CopiedFrom = z
  .strictObject({
    environment: name(LIMITS.link).meta({ description: 'Name, id or link of the environment that it applies in.' }),
    project: name(LIMITS.link)
      .optional()
      .meta({ description: 'Name, id or link of the project that shows it; absent: the one that is set.' }),
    revision: z
      .int()
      .min(0, NOT_NEGATIVE)
      .optional()
      .meta({ description: 'As it was after this revision; absent: as it is when it is its turn.' }),
  })
  .meta({
    id: 'CopiedFrom',
    description: 'Where the same name has the text to set. A secret stays sealed on the way.',
  });
export type CopiedFrom = z.output<typeof CopiedFrom>;

const settable = z.preprocess(
  (input) => (typeof input === 'string' || input === null ? { value: input } : input),
  z
    .strictObject(
      {
        value: text({ max: LIMITS.internalValue, blank: 'allowed' })
          .nullable()
          .optional()
          .meta({ description: 'Its text; null is an explicit null. Either this or `from`.' }),
        from: CopiedFrom.optional().meta({ description: 'Where to copy the text from, instead of giving it.' }),
        secret: z.boolean().optional().meta({ description: 'Of a parameter that is made; of others it must match.' }),
        type: name().optional().meta({ description: 'Of a parameter that is made; of others it must match.' }),
        description: text({ max: LIMITS.description, blank: 'allowed' })
          .optional()
          .meta({ description: 'Of a parameter that is made; others keep theirs.' }),
        if_match: name(64)
          .optional()
          .meta({ description: 'Refuse it unless this is the `ledger_id` of the value that was set here before.' }),
        if_none_match: z
          .literal('*')
          .optional()
          .meta({ type: 'string', description: '`*`: no value may have been set here before.' }),
      },
      { error: ({ code }) => (code === 'invalid_type' ? 'Give a text, null, or an object with `value`.' : undefined) },
    )
    .refine((input) => (input.value === undefined) !== (input.from === undefined), {
      message: 'Give either value or from.',
      params: { code: 'invalid' },
    })
    .refine((input) => input.if_match === undefined || input.if_none_match === undefined, {
      message: 'Give if_match or if_none_match, not both.',
      params: { code: 'contradiction' },
    })
    .meta({ id: 'SettableValue', description: 'A value to set. Where only the text matters, it can stand alone.' }),
);
export type SettableValue = z.output<typeof settable>;

/** The same once it is known what `from` leads to. */
export type KnownValue = Omit<SettableValue, 'value'> & { readonly value: string | null };

export const settableValues = z
  .record(name(), settable)
  .refine((values) => Object.keys(values).length <= CHANGESET_LIMITS.names, {
    message: `At most ${CHANGESET_LIMITS.names} names.`,
  })
  .meta({ description: 'Texts by names of parameters, or objects where more is to be said than the text.' });

const names = z
  .array(name())
  .min(1, 'Name something.')
  .max(CHANGESET_LIMITS.names, `At most ${CHANGESET_LIMITS.names} names.`);

const project = place.meta({ description: 'Name, id or link of the project, or a reference.' });
const environment = place.meta({ description: 'Name, id or link of the environment, or a reference.' });

export const createMissing = flag.default(false).meta({
  description:
    'Whether parameters that are not there are made. Those that are inherited get one that overrides. Else such a name is refused.',
});
export const touch = flag
  .default(false)
  .meta({ description: 'Whether values that have this text already are set again.' });

export const SetValues = z
  .strictObject({ project, environment, values: settableValues, create_missing: createMissing, touch })
  .meta({ id: 'SetValues', description: 'Sets values of one project in one environment, by names of parameters.' });
export type SetValues = z.output<typeof SetValues>;

export const UnsetValues = z
  .strictObject({
    project,
    environment,
    names: names.meta({ description: 'Names of parameters whose values go. Where nothing is set, nothing is done.' }),
  })
  .meta({ id: 'UnsetValues', description: 'Deletes values that are set in one environment, by names of parameters.' });
export type UnsetValues = z.output<typeof UnsetValues>;

export const PromoteValues = z
  .strictObject({
    project,
    from: place.meta({ description: 'Name, id or link of the environment to copy from.' }),
    to: place.meta({ description: 'Name, id or link of the environment to copy to.' }),
    names: names.optional().meta({ description: 'Only these; absent: everything that is set in `from`.' }),
  })
  .meta({
    id: 'PromoteValues',
    description: 'Copies the values that are set in one environment to another. Secrets stay sealed.',
  });
export type PromoteValues = z.output<typeof PromoteValues>;
