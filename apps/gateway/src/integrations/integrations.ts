import * as contract from '@strata/contract';
import { INTEGRATIONS, PROVIDERS } from '@strata/contract';
import type { z } from 'zod';
import { declareObject } from '../schema/object-type.ts';
import type { SchemaPart } from '../schema/schema-part.ts';
import { mergeShapes } from './any-provider.ts';

type ShapeName = keyof contract.ProviderShapes;

/** Returns the merged shape of all providers and each provider's own shape. */
function ofAllProviders(...names: readonly ShapeName[]) {
  const alsoOf = PROVIDERS.flatMap((provider) =>
    names.map((name) => INTEGRATIONS[provider].shapes[name] as z.ZodObject),
  );
  return { of: mergeShapes(alsoOf), alsoOf };
}

/** Returns the common children of pulls and pushes. */
function describeRuns(type: 'Pull' | 'Push'): SchemaPart {
  const fieldPrefix = type.toLowerCase();
  const operations = type === 'Pull' ? 'integrations_pulls' : 'integrations_pushes';
  return {
    lists: [
      {
        operation: `${operations}_tasks_list`,
        of: 'Task',
        many: 'tasks',
        under: type,
        about: 'The runs, newest first.',
      },
    ],
    nouns: [
      {
        operations: `${operations}_tasks`,
        of: 'Task',
        singularField: `${fieldPrefix}Task`,
        about: '',
        except: ['list'],
      },
      {
        operations: `${operations}_tasks_steps`,
        of: 'TaskStep',
        singularField: `${fieldPrefix}TaskStep`,
        many: `${fieldPrefix}TaskSteps`,
        about: 'The steps of a run.',
      },
    ],
    actions: [
      {
        operation: `${operations}_sync_create`,
        name: `sync${type}`,
        about: `Runs the ${fieldPrefix} now. Its latest task contains the result.`,
      },
    ],
  };
}

/** The integrations with their pulls, pushes and tasks. */
export const INTEGRATION_PARTS: readonly SchemaPart[] = [
  {
    objects: [
      declareObject({
        name: 'Integration',
        about: 'A connection to an external configuration store. Fields of other providers are null.',
        ...ofAllProviders('integration'),
        at: 'integrations/{provider}/{id}/',
      }),
      declareObject({ name: 'Task', about: 'One run of a pull or a push.', ...ofAllProviders('pullTask', 'pushTask') }),
      declareObject({
        name: 'TaskStep',
        of: contract.TaskStep,
        alsoOf: ofAllProviders('pullStep', 'pushStep').alsoOf,
        members: {
          environment: { to: 'Environment', withoutId: true },
          project: { to: 'Project', withoutId: true },
          parameter: { to: 'Parameter', withoutId: true },
        },
      }),
      declareObject({
        name: 'Pull',
        about: 'Imports configuration from an integration.',
        ...ofAllProviders('pull'),
        at: 'integrations/{provider}/{integrationId}/pulls/{id}/',
        members: { mapped_values: { kind: { is: 'json' } } },
      }),
      declareObject({
        name: 'Push',
        about: 'Exports configuration to an integration.',
        ...ofAllProviders('push'),
        at: 'integrations/{provider}/{integrationId}/pushes/{id}/',
        members: { projects: { to: 'Project' }, tags: { to: 'Tag' } },
      }),
      declareObject({
        name: 'Discovery',
        of: INTEGRATIONS.aws.shapes.discovery,
        members: { matched: { kind: { is: 'json' } }, skipped: { kind: { is: 'map' } } },
      }),
      declareObject({ name: 'ConnectionTest', of: contract.ConnectionTest }),
      declareObject({ name: 'IntegrationNode', of: contract.IntegrationNode }),
      declareObject({
        name: 'PushKey',
        of: contract.PushKey,
        members: {
          project: { to: 'Project', withoutId: true },
          environment: { to: 'Environment', withoutId: true },
          parameter: { to: 'Parameter', withoutId: true },
        },
      }),
      declareObject({ name: 'PushPlan', of: contract.PushRunPlan }),
      declareObject({ name: 'PushPolicy', of: contract.PushPolicy }),
    ],
    nouns: [
      { operations: 'integrations', of: 'Integration', about: 'The integrations with one provider.' },
      { operations: 'integrations_pulls', of: 'Pull', under: 'Integration', about: 'The pulls of the integration.' },
      {
        operations: 'integrations_pushes',
        of: 'Push',
        many: 'pushes',
        under: 'Integration',
        createQuery: contract.PushCreateQuery,
        about: 'The pushes of the integration.',
      },
    ],
    actions: [
      {
        operation: 'integrations_scan_create',
        name: 'scanIntegration',
        about: 'Scans the external system for content.',
      },
      {
        operation: 'integrations_test_create',
        name: 'testIntegration',
        about: 'Tests the connection of an integration, and stores the result as its status.',
      },
      {
        operation: 'integrations_pushes_policy_partial_update',
        name: 'changePushPolicy',
        about: 'Changes what a push may do without a person.',
      },
      {
        operation: 'integrations_pushes_run_create',
        name: 'runPush',
        about: 'Runs a push with decisions about its keys, and returns the task.',
      },
    ],
    reads: [
      {
        operation: 'integrations_pushes_plan_retrieve',
        name: 'plan',
        under: 'Push',
        about: 'What the next run does, as of the latest run.',
      },
      {
        operation: 'integrations_pushes_policy_retrieve',
        name: 'policy',
        under: 'Push',
        about: 'What the push may do without a person.',
      },
    ],
    lists: [
      {
        operation: 'integrations_pushes_keys_list',
        of: 'PushKey',
        many: 'keys',
        under: 'Push',
        about: 'The keys of the push with their states, by key.',
      },
      {
        operation: 'integrations_all_list',
        of: 'Integration',
        many: 'allIntegrations',
        about: 'The integrations of all providers.',
      },
      {
        operation: 'integrations_explore_list',
        of: 'IntegrationNode',
        many: 'exploreIntegrations',
        about: 'Browses the external systems of integrations.',
      },
      {
        operation: 'environments_pushes_list',
        of: 'TaskStep',
        many: 'pushSteps',
        under: 'Environment',
        about: 'The steps of pushes for this object.',
      },
      {
        operation: 'projects_parameters_pushes_list',
        of: 'TaskStep',
        many: 'pushSteps',
        under: 'Parameter',
        about: 'The steps of pushes for this object.',
      },
    ],
  },
  describeRuns('Pull'),
  describeRuns('Push'),
];
