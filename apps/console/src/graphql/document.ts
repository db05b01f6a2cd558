declare const types: unique symbol;

/** A GraphQL operation: its name, for people who watch what is asked, the hash by which the gateway knows it, and what it takes and answers. */
export interface Document<Answer, Variables> {
  readonly name: string;
  readonly hash: string;
  readonly [types]?: (variables: Variables) => Answer;
}

export function document<Answer, Variables>(name: string, hash: string): Document<Answer, Variables> {
  return { name, hash };
}

/** What a request says of its operation, over HTTP and websockets alike. */
export const requestBody = <Variables>({ name, hash }: Document<unknown, Variables>, variables: Variables) => ({
  operationName: name,
  variables,
  extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
});
