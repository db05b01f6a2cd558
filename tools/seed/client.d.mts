export interface Connection {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  all(path: string): Promise<unknown[]>;
}

export function connect(url: string, apiKey: string): Connection;
