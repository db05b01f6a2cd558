import { z } from 'zod';
import { pageOf } from './page.ts';
import { Parameter, ParameterListQuery } from './parameter.ts';
import { flagParameter, instantParameter, textParameter } from './query.ts';

/** The parameters of one name at two points in time. */
export const ParameterDuality = z
  .object({
    t1: Parameter.nullable().meta({ description: 'The parameter at the first; null when it was not there.' }),
    t2: Parameter.nullable().meta({ description: 'The parameter at the second; null when it was not there.' }),
  })
  .meta({ id: 'ParameterDuality', description: 'The parameters of one name at two points in time.' });
export type ParameterDuality = z.infer<typeof ParameterDuality>;

export const ParameterDualityPage = pageOf(ParameterDuality, 'PaginatedParameterDualityList');

export const ParameterDualityQuery = ParameterListQuery.omit({
  as_of: true,
  tag: true,
  revision: true,
  difference: true,
}).extend({
  difference: flagParameter('Only names whose values differ between the two.').default(false),
  t1_as_of: instantParameter('The first point in time; absent: before everything.'),
  t1_tag: textParameter('The first point in time by a tag of `environment`.'),
  t2_as_of: instantParameter('The second point in time; absent: now.'),
  t2_tag: textParameter('The second point in time by a tag of `environment`.'),
});
export type ParameterDualityQuery = z.infer<typeof ParameterDualityQuery>;
