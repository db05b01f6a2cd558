/** The built-in types of every organization (behaviour.md §8.1). All other types refine one of them. */
export const BASE_TYPES = ['string', 'integer', 'boolean'] as const;
export type BaseType = (typeof BASE_TYPES)[number];

export function isBaseType(name: string): name is BaseType {
  return (BASE_TYPES as readonly string[]).includes(name);
}
