import { z } from 'zod';
import { pageSchema } from './page.ts';
import { Parameter, ParameterListQuery } from './parameter.ts';
import { booleanParameter, instantParameter, textParameter } from './query.ts';

export const ParameterDuality = z
  .object({
    t1: Parameter.nullable().meta({
      description: 'The parameter at the first point in time; null if it did not exist.',
    }),
    t2: Parameter.nullable().meta({
      description: 'The parameter at the second point in time; null if it did not exist.',
    }),
  })
  .meta({ id: 'ParameterDuality', description: 'The parameters with one name at two points in time.' });
export type ParameterDuality = z.infer<typeof ParameterDuality>;

export const ParameterDualityPage = pageSchema(ParameterDuality, 'PaginatedParameterDualityList');

export const ParameterDualityQuery = ParameterListQuery.omit({
  as_of: true,
  tag: true,
  revision: true,
  difference: true,
}).extend({
  difference: booleanParameter('Only names whose values differ between the two.').default(false),
  t1_as_of: instantParameter('The first point in time. Default: before the first change.'),
  t1_tag: textParameter('The first point in time, as a tag of `environment`.'),
  t2_as_of: instantParameter('The second point in time. Default: now.'),
  t2_tag: textParameter('The second point in time, as a tag of `environment`.'),
});
export type ParameterDualityQuery = z.infer<typeof ParameterDualityQuery>;
