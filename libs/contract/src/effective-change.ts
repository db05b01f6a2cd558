import { z } from 'zod';
import { pageOf } from './page.ts';
import { PageQuery } from './query.ts';

export const EffectiveChange = z
  .object({
    project_id: z.string().meta({ description: 'Id of the project.' }),
    project_name: z.string().meta({ description: 'Name of the project.' }),
    environment_id: z.string().meta({ description: 'Id of the environment.' }),
    environment_name: z.string().meta({ description: 'Name of the environment.' }),
    parameter_name: z.string().meta({ description: 'Name of the parameter.' }),
    kind: z.string().meta({ description: 'added, changed or removed.' }),
    before: z
      .string()
      .nullable()
      .meta({ description: 'The text before; null where there was none, or an explicit null.' }),
    after: z
      .string()
      .nullable()
      .meta({ description: 'The text after; null where there is none, or an explicit null.' }),
    masked: z
      .boolean()
      .meta({ description: 'Whether it is secret, or says something that is: then the texts are `*****`.' }),
    problem: z
      .string()
      .optional()
      .meta({ description: 'Why a text cannot be evaluated, which is null then; absent where both can.' }),
  })
  .meta({ id: 'EffectiveChange', description: 'What programs read differently, in one project and environment.' });
export type EffectiveChange = z.infer<typeof EffectiveChange>;

export const EffectiveChangePage = pageOf(EffectiveChange, 'PaginatedEffectiveChangeList');
export const EffectiveChangeQuery = PageQuery.pick({ page: true, page_size: true });
