import { z } from 'zod';
import {
  flagField,
  freeTextField,
  LIMITS,
  linkOrNullIn,
  linkOutput,
  nameField,
  timeOutput,
  versionedObject,
} from './fields.ts';
import { pageSchema } from './page.ts';
import { nameAndDescriptionFilters, PageQuery, pointInTime } from './query.ts';
import { Role } from './role.ts';
import { memberOnUpdate, memberWithDefault, requiredMember, writeShapes } from './write-shapes.ts';

export const Project = z
  .object({
    ...versionedObject,
    name: z.string().meta({ description: 'Unique in the organization.' }),
    parameter_name_pattern: z.string().meta({
      description: 'Pattern that names of new parameters must match from their start; empty for no restriction.',
    }),
    description: z.string().meta({ description: 'Description; may be empty.' }),
    dependents: z.array(linkOutput).meta({ description: 'The projects that inherit from it directly, by name.' }),
    depends_on: linkOutput.nullable().meta({ description: 'The project that it inherits from; null for none.' }),
    access_controlled: z.boolean().meta({ description: 'Whether access is restricted to users with a grant.' }),
    role: Role.nullable().meta({ description: "The caller's role, if access is restricted by grants." }),
    pushes: z.array(z.unknown()).meta({ description: 'The pushes that include it.' }),
    push_urls: z.array(linkOutput).meta({ description: 'URLs of the pushes that include it.' }),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  })
  .meta({
    id: 'Project',
    description:
      'A set of parameters, usually for one program. A project can depend on another project and inherits its parameters.',
  });
export type Project = z.infer<typeof Project>;

export const ProjectPage = pageSchema(Project, 'PaginatedProjectList');

const projectShapes = writeShapes(
  { create: 'ProjectCreate', update: 'ProjectUpdate', patch: 'PatchedProjectUpdate' },
  {
    name: requiredMember(nameField(), 'Unique in the organization.'),
    description: memberWithDefault(freeTextField(), '', 'Description; may be empty.'),
    parameter_name_pattern: memberWithDefault(
      freeTextField(LIMITS.pattern),
      '',
      'Pattern that names of new parameters must match from their start; empty for no restriction.',
    ),
    depends_on: memberWithDefault(linkOrNullIn, null, 'The project to inherit from; null for none.'),
    access_controlled: memberOnUpdate(flagField, 'Whether access is restricted to users with a grant.'),
  },
);

export const ProjectCreate = projectShapes.create;
export type ProjectCreate = z.infer<typeof ProjectCreate>;

export const ProjectUpdate = projectShapes.update;
export const ProjectPatch = projectShapes.patch;
export type ProjectPatch = z.infer<typeof ProjectPatch>;

export const ProjectQuery = z.object(pointInTime);
export type ProjectQuery = z.infer<typeof ProjectQuery>;

export const ProjectListQuery = PageQuery.extend({ ...nameAndDescriptionFilters, ...pointInTime });
export type ProjectListQuery = z.infer<typeof ProjectListQuery>;
