import { z } from 'zod';
import { pageSchema } from './page.ts';
import { PageQuery } from './query.ts';

export const EffectiveChange = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    kind: z.string().meta({ description: '`added`, `changed` or `removed`.' }),
    before: z
      .string()
      .nullable()
      .meta({ description: 'The effective text before; null if there was none or an explicit null.' }),
    after: z
      .string()
      .nullable()
      .meta({ description: 'The effective text after; null if there is none or an explicit null.' }),
    masked: z
      .boolean()
      .meta({ description: 'Whether the value is secret or refers to a secret. If so, both texts are `*****`.' }),
    problem: z
      .string()
      .optional()
      .meta({ description: 'The reason why a text cannot be evaluated and is null; absent if both can be evaluated.' }),
  })
  .meta({ id: 'EffectiveChange', description: 'One effective value that changed, in one project and environment.' });
export type EffectiveChange = z.infer<typeof EffectiveChange>;

export const EffectiveChangePage = pageSchema(EffectiveChange, 'PaginatedEffectiveChangeList');
export const EffectiveChangeQuery = PageQuery.pick({ page: true, page_size: true });
