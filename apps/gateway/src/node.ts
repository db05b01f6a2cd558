import { Field, ID, InterfaceType } from '@nestjs/graphql';
import { isUuid } from '@strata/domain';
import { badInput } from './errors.ts';

/** Types that `node(id)` finds. */
const TYPES = ['Environment', 'Project', 'Parameter', 'Webhook'] as const;
export type NodeType = (typeof TYPES)[number];

@InterfaceType({
  description: 'An object that can be asked for again by its id alone.',
  resolveType: (told: { __typename: string }) => told.__typename,
})
export abstract class Node {
  @Field(() => ID, { description: 'The UUID that the REST API, events and arguments of this API use.' })
  id!: string;

  @Field(() => ID, { description: 'Opaque id that is unique over all types and tells `node` where to look.' })
  nodeId!: string;
}

/** `path` is what leads to the object: its id, or the ids of its parents and then its own. */
export function nodeIdOf(type: NodeType, ...path: readonly string[]): string {
  return Buffer.from([type, ...path].join(':')).toString('base64url');
}

export function readNodeId(text: string): { type: NodeType; path: string[] } {
  const [type, ...path] = Buffer.from(text, 'base64url').toString().split(':');
  const known = TYPES.find((name) => name === type);
  if (!known || path.length !== (known === 'Parameter' ? 2 : 1) || !path.every(isUuid)) {
    throw badInput('`id` is not a nodeId.');
  }
  return { type: known, path };
}

/** The id in a link of the core: the last part of its path that is not empty. */
export function idOf(link: string): string {
  return link.split('/').filter(Boolean).at(-1) ?? '';
}
