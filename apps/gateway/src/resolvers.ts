import type { Type } from '@nestjs/common';
import { ChangesResolver } from './changes/changes.resolver.ts';
import { EnvironmentsResolver } from './environments/environments.resolver.ts';
import { NodeResolver } from './node.resolver.ts';
import { EffectiveResolver } from './parameters/effective.resolver.ts';
import { ParametersResolver, ProjectParametersResolver } from './parameters/parameters.resolver.ts';
import { ProjectsResolver } from './projects/projects.resolver.ts';
import { ValuesResolver } from './values/values.resolver.ts';
import { ViewerResolver } from './viewer/viewer.resolver.ts';
import { WebhooksResolver } from './webhooks/webhooks.resolver.ts';

/** The one list of what the schema is made of. */
export const RESOLVERS: Type<object>[] = [
  ViewerResolver,
  NodeResolver,
  EnvironmentsResolver,
  ProjectsResolver,
  ProjectParametersResolver,
  ParametersResolver,
  EffectiveResolver,
  ValuesResolver,
  WebhooksResolver,
  ChangesResolver,
];
