import { z } from 'zod';
import { flag, freeText, LIMITS, linkOrNullIn, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { moreNameFilters, PageQuery, pointInTime } from './query.ts';
import { Role } from './role.ts';

export const Project = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    name: z.string(),
    parameter_name_pattern: z.string(),
    description: z.string(),
    dependents: z.array(linkOut),
    depends_on: linkOut.nullable(),
    access_controlled: z.boolean(),
    role: Role.nullable(),
    pushes: z.array(z.unknown()),
    push_urls: z.array(linkOut),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof Project>;

export const ProjectPage = pageOf(Project, 'PaginatedProjectList');

export const ProjectCreate = z
  .object({
    name: name(),
    description: freeText().default(''),
    parameter_name_pattern: freeText(LIMITS.pattern).default(''),
    depends_on: linkOrNullIn.default(null),
  })
  .meta({ id: 'ProjectCreate' });
export type ProjectCreate = z.infer<typeof ProjectCreate>;

/** PUT. What is absent keeps its value. */
export const ProjectUpdate = z
  .object({
    name: name(),
    description: freeText().optional(),
    parameter_name_pattern: freeText(LIMITS.pattern).optional(),
    depends_on: linkOrNullIn.optional(),
    access_controlled: flag.optional(),
  })
  .meta({ id: 'ProjectUpdate' });
export type ProjectUpdate = z.infer<typeof ProjectUpdate>;

export const ProjectPatch = ProjectUpdate.partial().meta({ id: 'PatchedProjectUpdate' });
export type ProjectPatch = z.infer<typeof ProjectPatch>;

export const ProjectQuery = z.object(pointInTime);
export type ProjectQuery = z.infer<typeof ProjectQuery>;

export const ProjectListQuery = PageQuery.extend({ ...moreNameFilters, ...pointInTime });
export type ProjectListQuery = z.infer<typeof ProjectListQuery>;
