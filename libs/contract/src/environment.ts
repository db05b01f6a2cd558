import { z } from 'zod';
import { flag, freeText, linkOrNullIn, linkOut, name, timeOut } from './fields.ts';
import { pageOf } from './page.ts';
import { moreNameFilters, PageQuery, pointInTime, textParameter } from './query.ts';
import { Role } from './role.ts';

export const Environment = z
  .object({
    url: linkOut,
    id: z.string(),
    ledger_id: z.string(),
    name: z.string(),
    description: z.string(),
    parent: linkOut.nullable(),
    children: z.array(linkOut),
    access_controlled: z.boolean(),
    role: Role.nullable(),
    created_at: timeOut,
    modified_at: timeOut.nullable(),
  })
  .meta({ id: 'Environment' });
export type Environment = z.infer<typeof Environment>;

export const EnvironmentPage = pageOf(Environment, 'PaginatedEnvironmentList');

/** `parent: null` and no parent both mean: below `default`. */
export const EnvironmentCreate = z
  .object({ name: name(), description: freeText().default(''), parent: linkOrNullIn.default(null) })
  .meta({ id: 'EnvironmentCreate' });
export type EnvironmentCreate = z.infer<typeof EnvironmentCreate>;

/** PUT. What is absent keeps its value. */
export const EnvironmentUpdate = z
  .object({
    name: name(),
    description: freeText().optional(),
    parent: linkOrNullIn.optional(),
    access_controlled: flag.optional(),
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
