import { z } from 'zod';
import { flag, freeText, linkOrNullIn, linkOut, name, timeOut, uuidOut } from './fields.ts';
import { pageOf } from './page.ts';
import { moreNameFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Environment = z
  .object({
    url: linkOut.meta({ description: 'Its link.' }),
    id: z.string().meta({ description: 'Its id.' }),
    ledger_id: z.string().meta({ description: 'Changes with every modification.' }),
    name: z.string().meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'What it is for; may be empty.' }),
    parent: linkOut.nullable().meta({ description: 'The environment it inherits from; null for `default` alone.' }),
    children: z.array(linkOut).meta({ description: 'The environments that inherit from it directly, by name.' }),
    access_controlled: z.boolean().meta({ description: 'Whether only those with a grant have access.' }),
    role: Role.nullable().meta({ description: "The caller's role here, where access is controlled." }),
    created_at: timeOut.meta({ description: 'When it was made.' }),
    modified_at: timeOut.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Environment',
    description:
      'A place where configuration applies, such as production. Environments form one tree; values are inherited down it.',
  });
export type Environment = z.infer<typeof Environment>;

export const EnvironmentPage = pageOf(Environment, 'PaginatedEnvironmentList');

/** `parent: null` and no parent both mean: below `default`. */
export const EnvironmentCreate = z
  .object({
    name: name().meta({ description: 'Unique in the organization.' }),
    description: freeText().default('').meta({ description: 'What it is for; may be empty.' }),
    parent: linkOrNullIn
      .default(null)
      .meta({ description: 'The environment to inherit from; `default` when left out.' }),
  })
  .meta({ id: 'EnvironmentCreate' });
export type EnvironmentCreate = z.infer<typeof EnvironmentCreate>;

/** PUT. What is absent keeps its value. */
export const EnvironmentUpdate = z
  .object({
    name: name().meta({ description: 'Unique in the organization.' }),
    description: freeText().optional().meta({ description: 'What it is for; may be empty.' }),
    parent: linkOrNullIn.optional().meta({ description: 'The environment to inherit from; `default` when left out.' }),
    access_controlled: flag.optional().meta({ description: 'Whether only those with a grant have access.' }),
  })
  .meta({ id: 'EnvironmentUpdate' });
export type EnvironmentUpdate = z.infer<typeof EnvironmentUpdate>;

export const EnvironmentPatch = EnvironmentUpdate.partial().meta({ id: 'PatchedEnvironmentUpdate' });
export type EnvironmentPatch = z.infer<typeof EnvironmentPatch>;

export const EnvironmentQuery = z.object(pointInTime);
export type EnvironmentQuery = z.infer<typeof EnvironmentQuery>;

export const EnvironmentListQuery = PageQuery.extend({
  ...moreNameFilters,
  ...pointInTime,
  parent__name: textParameter('Exactly this name of the parent.'),
  parent__name__icontains: textParameter("Part of the parent's name, letter case ignored."),
});
export type EnvironmentListQuery = z.infer<typeof EnvironmentListQuery>;

export const SummarizedEnvironment = z
  .object({
    environment_id: uuidOut.meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    value_count: z.int().meta({ description: 'How many values are set there, in projects that the caller may read.' }),
    tag_count: z.int().meta({ description: 'How many tags it has.' }),
    latest_tag: z.string().nullable().meta({ description: 'Name of the tag with the latest instant; null for none.' }),
  })
  .meta({ id: 'SummarizedEnvironment', description: 'How much there is in an environment.' });
export type SummarizedEnvironment = z.infer<typeof SummarizedEnvironment>;

/** As many environments as one answer tells of. */
export const SUMMARIZED_ENVIRONMENTS_MAX = 10_000;

export const EnvironmentSummary = z
  .object({
    environments: z
      .array(SummarizedEnvironment)
      .meta({ description: `Those that the caller may read, by name; the first ${SUMMARIZED_ENVIRONMENTS_MAX}.` }),
  })
  .meta({ id: 'EnvironmentSummary', description: 'How much there is in each environment.' });
export type EnvironmentSummary = z.infer<typeof EnvironmentSummary>;
