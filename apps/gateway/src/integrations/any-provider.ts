import { INTEGRATIONS, OPERATIONS, type Operation, PROVIDERS } from '@strata/contract';
import { z } from 'zod';

/**
 * The contract defines each operation of integrations once per provider. GraphQL has one field with the provider as an
 * argument: the operations are merged, and inputs that only some of them accept are optional.
 */
function laidOver(suffix: string) {
  const ids = PROVIDERS.map((provider) => `integrations_${provider}${suffix}`);
  const operations = OPERATIONS.filter(({ id }) => ids.includes(id));
  const [first] = operations;
  if (!first) throw new Error(`No provider has an operation ${suffix}.`);
  const query = operations.some((operation) => operation.query)
    ? mergeShapes(operations.map((operation) => operation.query))
    : undefined;
  const body = operations.some((operation) => operation.body)
    ? mergeShapes(operations.map((operation) => operation.body))
    : undefined;
  return {
    ...first,
    id: `integrations${suffix}`,
    path: commonPath(first),
    ...(query && { query }),
    ...(body && { body }),
    reaches: operations.map(({ id }) => id),
  };
}

/** `integrations/aws/{awsintegration_pk}/pulls/{awspull_pk}/` → `integrations/{provider}/{integration_pk}/pulls/{pull_pk}/` */
function commonPath({ path }: Operation): string {
  return PROVIDERS.reduce(
    (text, provider) => text.replace(`/${INTEGRATIONS[provider].path}/`, '/{provider}/'),
    path.replace(/\{(?:aws|akv|github)(integration|pull|push)(?:_pk|(task)_pk)\}/g, (_, noun: string, task?: string) =>
      task ? '{task_pk}' : `{${noun}_pk}`,
    ),
  );
}

/** Returns the members of all shapes. A member is required only if all shapes require it. */
export function mergeShapes(shapes: readonly (z.ZodType | undefined)[]): z.ZodObject {
  const objects = shapes.flatMap((schema) => (schema instanceof z.ZodObject ? [schema] : []));
  const all: Record<string, z.ZodType> = Object.assign({}, ...objects.map(({ shape }) => shape));
  const members = Object.entries(all).map(([key, member]) => {
    const everywhere = objects.length === shapes.length && objects.every(({ shape }) => key in shape);
    const isOptional = objects.some(({ shape }) => (shape[key] as z.ZodType | undefined)?.safeParse(undefined).success);
    return [key, everywhere && !isOptional ? member : member.optional()] as const;
  });
  return z.object(Object.fromEntries(members));
}

const NOUN = ['_list', '_retrieve', '_create', '_update', '_partial_update', '_destroy'];
const READ = ['_list', '_retrieve'];

/** Returns the operations of integrations as GraphQL has them, each with the ids of the merged REST operations. */
export function mergeOperations() {
  const suffixes = [
    ...NOUN,
    '_scan_create',
    '_test_create',
    ...['_pulls', '_pushes'].flatMap((noun) => [
      ...[...NOUN, '_sync_create'].map((suffix) => `${noun}${suffix}`),
      ...READ.flatMap((suffix) => [`${noun}_tasks${suffix}`, `${noun}_tasks_steps${suffix}`]),
    ]),
    ...['_keys_list', '_plan_retrieve', '_policy_retrieve', '_policy_partial_update', '_run_create'].map(
      (suffix) => `_pushes${suffix}`,
    ),
  ];
  return suffixes.map(laidOver);
}
