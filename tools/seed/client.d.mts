export interface Connection {
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown): Promise<unknown>;
  all<Row = unknown>(path: string): Promise<Row[]>;
  send(path: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
}

export function connect(url: string, apiKey: string): Connection;
