import type { Type } from '@nestjs/common';
import { Context, createUnionType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GatewayContext } from '../context.ts';
import type { Loaders } from '../loaders.ts';
import { idsIn, type View } from '../node.ts';
import { resourceOf } from './resource.ts';
import { allShapes, type LinkField, type Presented, type Shape, shapeNamed } from './shape.ts';

/** Where a link may lead to one of several types. */
const CHOICES: Readonly<Record<string, readonly [about: string, ...types: string[]]>> = {
  Principal: ['Who is given a right.', 'User', 'Group'],
  Scope: ['What a right is given on.', 'Project', 'Environment'],
};

const unions = new Map<string, object>();

function typeOf(name: string): object {
  const choice = CHOICES[name];
  if (!choice) return shapeNamed(name).type;
  const [description, ...types] = choice;
  const union =
    unions.get(name) ??
    createUnionType({
      name,
      description,
      types: () => types.map((each) => shapeNamed(each).type) as never,
      resolveType: (told: { __typename: string }) => told.__typename,
    });
  unions.set(name, union as object);
  return union as object;
}

/** Resolvers of all fields that follow a link; to be called when every type is declared. */
export function linkFields(): Type<object>[] {
  return allShapes().flatMap((shape) => shape.links.map((link) => linkField(shape, link)));
}

function linkField({ type }: Shape, { name, key, list, to, about }: LinkField): Type<object> {
  const target = typeOf(to);
  @Resolver(() => type)
  class Links {
    @ResolveField(name, () => (list ? [target] : target) as never, { description: about, nullable: !list })
    async follow(
      @Parent() { row, view }: Presented<Readonly<Record<string, unknown>>>,
      @Context() { loaders }: GatewayContext,
    ) {
      const value = row[key];
      if (!Array.isArray(value)) return value ? linked(loaders, to, String(value), view) : null;
      const found = await Promise.all(value.map((link) => linked(loaders, to, String(link), view)));
      return found.filter((each) => each !== null);
    }
  }
  return Links;
}

/** The object behind a link, as it was at the point in time of what has the link. */
export async function linked(loaders: Loaders, to: string, link: string, view: View = {}) {
  const [, ...types] = CHOICES[to] ?? ['', to];
  for (const type of types) {
    const found = resourceOf(type);
    const ids = found && idsIn(link, `${found.list}{id}/`);
    if (found && ids) return found.load(loaders, ids, view.moment);
  }
  return null;
}
