declare const types: unique symbol;

/** A GraphQL operation: its name for traces, its hash in the gateway, and the types of its variables and result. */
export interface Document<Answer, Variables> {
  readonly name: string;
  readonly hash: string;
  readonly [types]?: (variables: Variables) => Answer;
}

export function document<Answer, Variables>(name: string, hash: string): Document<Answer, Variables> {
  return { name, hash };
}

/** Returns the request body that identifies an operation, for HTTP and for websockets. */
export const requestBody = <Variables>({ name, hash }: Document<unknown, Variables>, variables: Variables) => ({
  operationName: name,
  variables,
  extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
});
