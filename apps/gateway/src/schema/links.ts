import { GraphQLList, GraphQLNonNull, type GraphQLObjectType, GraphQLUnionType } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Loaders } from '../loaders.ts';
import { parseIds, type ReadContext } from '../node.ts';
import type { Assembly } from './assembly.ts';
import { splitWords } from './names.ts';
import type { LinkedObject, LinkField, ObjectShape, ObjectSource } from './object-type.ts';
import { field } from './schema-build.ts';

/** Links that can lead to one of several types. */
const CHOICES: Readonly<Record<string, readonly [about: string, ...types: string[]]>> = {
  Principal: ['The grantee: a user or a group.', 'User', 'Group'],
  Scope: ['The scope of a grant: a project or an environment.', 'Project', 'Environment'],
};

type LinkedRow = Readonly<Record<string, unknown>> & { readonly url: string };

/** Adds the object next to each id: for ids in links, separate ids, and parents in a path. */
export function addLinks(assembly: Assembly): void {
  for (const shape of assembly.shapes) {
    for (const link of shape.links) addLink(assembly, shape, link);
    for (const linkedObject of shape.linked) addLinked(assembly, shape, linkedObject);
    addParents(assembly, shape);
  }
}

function targetType(assembly: Assembly, name: string): GraphQLObjectType | GraphQLUnionType {
  const choice = CHOICES[name];
  if (!choice) return assembly.shapeNamed(name).type;
  const [description, ...types] = choice;
  return assembly.build.once(
    name,
    () => new GraphQLUnionType({ name, description, types: types.map((type) => assembly.shapeNamed(type).type) }),
  );
}

function addLink(assembly: Assembly, { name: owner }: ObjectShape, { name, key, list, to, about }: LinkField): void {
  const target = targetType(assembly, to);
  const follow = (row: LinkedRow, view: ReadContext, loaders: Loaders): Promise<unknown> | null => {
    const value = row[key];
    if (!Array.isArray(value)) return value ? linkedObject(assembly, loaders, to, String(value), view) : null;
    return Promise.all(value.map((link) => linkedObject(assembly, loaders, to, String(link), view))).then((objects) =>
      objects.filter((object) => object !== null),
    );
  };
  assembly.build.add(owner, {
    [name]: field<ObjectSource<LinkedRow>>({
      type: list ? new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(target))) : target,
      description: about,
      resolve: ({ row, view }, _args, { loaders }: GatewayContext) => follow(row, view, loaders),
    }),
  });
}

function addLinked(assembly: Assembly, { name: owner }: ObjectShape, linkedObject: LinkedObject<never>): void {
  const { name, to, about, ids } = linkedObject;
  assembly.build.add(owner, {
    [name]: field<ObjectSource<never>>({
      type: targetType(assembly, to),
      description: about,
      resolve: ({ row, view }, _args, { loaders }: GatewayContext) => {
        const linkIds = ids(row);
        if (!linkIds?.every((id) => id !== null)) return null;
        return assembly.positionOf(to)?.load(loaders, linkIds, view.pointInTime);
      },
    }),
  });
}

/** Adds fields for the parents in the path of an object, such as `Tag.environment`, if their types exist. */
function addParents(assembly: Assembly, { name: owner, at = '', parents }: ObjectShape): void {
  for (const { name: idName, index } of parents) {
    const name = idName.replace(/Id$/, '');
    const to = PARENTS[name];
    if (!to) continue;
    assembly.build.add(owner, {
      [name]: field<ObjectSource<LinkedRow>>({
        type: assembly.shapeNamed(to).type,
        description: `The ${splitWords(name)} that it belongs to.`,
        resolve: ({ row, view }, _args, { loaders }: GatewayContext) =>
          assembly.positionOf(to)?.load(loaders, (parseIds(row.url, at) ?? []).slice(0, index + 1), view.pointInTime),
      }),
    });
  }
}

const PARENTS: Readonly<Record<string, string>> = {
  environment: 'Environment',
  project: 'Project',
  integration: 'Integration',
};

/** Returns the linked object at the point in time of the object with the link. */
export async function linkedObject(
  assembly: Assembly,
  loaders: Loaders,
  to: string,
  link: string,
  view: ReadContext = {},
): Promise<ObjectSource | null> {
  const [, ...types] = CHOICES[to] ?? ['', to];
  for (const type of types) {
    const position = assembly.positionOf(type);
    const ids = position && parseIds(link, `${position.list}{id}/`);
    if (position && ids) return position.load(loaders, ids, view.pointInTime);
  }
  return null;
}
