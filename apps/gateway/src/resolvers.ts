import type { Type } from '@nestjs/common';
import { ChangesResolver } from './changes/changes.resolver.ts';
import { ENVIRONMENTS } from './environments/environments.ts';
import { linkFields } from './graphql/links.ts';
import { HISTORY } from './history/history.ts';
import { INTEGRATION_FIELDS } from './integrations/integrations.ts';
import { NodeResolver } from './node.resolver.ts';
import { EffectiveResolver } from './parameters/effective.resolver.ts';
import { PARAMETERS } from './parameters/parameters.ts';
import { ParameterViewsResolver, ProjectParametersResolver } from './parameters/views.resolver.ts';
import { PEOPLE } from './people/people.ts';
import { RIGHTS } from './people/rights.ts';
import { PROJECTS } from './projects/projects.ts';
import { TEMPLATES } from './templates/templates.ts';
import { TRANSFER } from './transfer/transfer.ts';
import { TYPES } from './types/types.ts';
import { ValuesResolver } from './values/values.resolver.ts';
import { ViewerResolver } from './viewer/viewer.resolver.ts';
import { WEBHOOKS } from './webhooks/webhooks.ts';

/** The one list of what the schema is made of. */
export const RESOLVERS: readonly Type<object>[] = [
  ViewerResolver,
  NodeResolver,
  ...ENVIRONMENTS,
  ...PROJECTS,
  ...TYPES,
  ...PARAMETERS,
  ProjectParametersResolver,
  ParameterViewsResolver,
  EffectiveResolver,
  ValuesResolver,
  ...TEMPLATES,
  ...HISTORY,
  ...PEOPLE,
  ...RIGHTS,
  ...TRANSFER,
  ...INTEGRATION_FIELDS,
  ...WEBHOOKS,
  ChangesResolver,
  ...linkFields(),
];
