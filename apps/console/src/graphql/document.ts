declare const types: unique symbol;

/** The text of a GraphQL operation, which knows what it takes and what it answers. */
export type Document<Answer, Variables> = string & { readonly [types]?: (variables: Variables) => Answer };

export function document<Answer, Variables>(text: string): Document<Answer, Variables> {
  return text as Document<Answer, Variables>;
}
