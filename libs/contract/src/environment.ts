import { z } from 'zod';
import {
  flagField,
  freeTextField,
  linkOrNullIn,
  linkOutput,
  nameField,
  timeOutput,
  uuidOutput,
  versionedObject,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { nameAndDescriptionFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { Role } from './role.ts';
import { memberOnUpdate, memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

export const Environment = z
  .object({
    ...versionedObject,
    name: z.string().meta({ description: 'Unique in the organization.' }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    parent: linkOutput
      .nullable()
      .meta({ description: 'The environment that it inherits from; null only for `default`.' }),
    children: z.array(linkOutput).meta({ description: 'The environments that inherit from it directly, by name.' }),
    access_controlled: z.boolean().meta({ description: 'Whether access is restricted to users with a grant.' }),
    role: Role.nullable().meta({ description: "The caller's role, if access is restricted by grants." }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Environment',
    description:
      'A deployment target, such as production. Environments form one tree and inherit values from their parents.',
  });
export type Environment = z.infer<typeof Environment>;

export const EnvironmentPage = pageSchema(Environment, 'PaginatedEnvironmentList');

/** `parent: null` and an absent parent both mean `default`. */
const environmentShapes = writeShapes(
  { create: 'EnvironmentCreate', update: 'EnvironmentUpdate', patch: 'PatchedEnvironmentUpdate' },
  {
    name: requiredMember(nameField(), 'Unique in the organization.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    parent: memberWithDefault(linkOrNullIn, null, 'The environment to inherit from; defaults to `default`.'),
    access_controlled: memberOnUpdate(flagField, 'Whether access is restricted to users with a grant.'),
  },
);

export const EnvironmentCreate = environmentShapes.create;
export type EnvironmentCreate = z.infer<typeof EnvironmentCreate>;

export const EnvironmentUpdate = environmentShapes.update;
export const EnvironmentPatch = environmentShapes.patch;
export type EnvironmentPatch = z.infer<typeof EnvironmentPatch>;

export const EnvironmentQuery = z.object(pointInTime);
export type EnvironmentQuery = z.infer<typeof EnvironmentQuery>;

export const EnvironmentListQuery = PageQuery.extend({
  ...nameAndDescriptionFilters,
  ...pointInTime,
  parent__name: textParameter('Exact name of the parent.'),
  parent__name__icontains: textParameter("Part of the parent's name, ignoring case."),
});
export type EnvironmentListQuery = z.infer<typeof EnvironmentListQuery>;

export const SummarizedEnvironment = z
  .object({
    environment_id: uuidOutput.meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    value_count: z
      .int()
      .meta({ description: 'Number of values that are set there, in projects that the caller can read.' }),
    project_count: z.int().meta({ description: 'Number of these projects in which a value is set there.' }),
    instance_count: z.int().meta({
      description: 'Number of instances of programs that report there, in projects that the caller can read.',
    }),
    tag_count: z.int().meta({ description: 'Number of tags.' }),
    latest_tag: z
      .string()
      .nullable()
      .meta({ description: 'Name of the tag with the latest time; null if there are no tags.' }),
  })
  .meta({ id: 'SummarizedEnvironment', description: 'The counts of one environment.' });
export type SummarizedEnvironment = z.infer<typeof SummarizedEnvironment>;

/** The maximum number of environments in one response. */
export const SUMMARIZED_ENVIRONMENTS_MAX = 10_000;

export const EnvironmentSummary = z
  .object({
    environments: z.array(SummarizedEnvironment).meta({
      description: `The environments that the caller can read, sorted by name; at most ${SUMMARIZED_ENVIRONMENTS_MAX}.`,
    }),
  })
  .meta({ id: 'EnvironmentSummary', description: 'The counts of each environment.' });
export type EnvironmentSummary = z.infer<typeof EnvironmentSummary>;
