import type { FlagErrorBody, FlagEvaluation, FlagSet } from '@strata/contract';
import type { Headers, RawClient, Reply } from '@strata/testkit';
import { assertFlagProtocol } from './flag-protocol.ts';

/** The base URL below the API that providers append `/ofrep/v1/…` to. */
export const flagsBase = (project: string, environment: string) =>
  `projects/${encodeURIComponent(project)}/environments/${encodeURIComponent(environment)}`;

/** Sends requests as OpenFeature providers do. Every response must have the shape of the protocol. */
export class FlagClient {
  constructor(
    private readonly client: RawClient,
    private readonly base: string,
  ) {}

  all(headers: Headers = {}, body: unknown = {}): Promise<Reply<FlagSet & FlagErrorBody>> {
    return this.send('all', `${this.base}/ofrep/v1/evaluate/flags`, headers, body);
  }

  evaluate(key: string, body: unknown = {}, headers: Headers = {}): Promise<Reply<FlagEvaluation>> {
    return this.send('one', `${this.base}/ofrep/v1/evaluate/flags/${encodeURIComponent(key)}`, headers, body);
  }

  /** Returns all flags by key. */
  async byKey(): Promise<Readonly<Record<string, FlagEvaluation>>> {
    const { body } = await this.all();
    return Object.fromEntries(body.flags.map((flag) => [flag.key, flag]));
  }

  private async send<Body>(
    operation: 'all' | 'one',
    path: string,
    headers: Headers,
    body: unknown,
  ): Promise<Reply<Body>> {
    const response = await this.client.post<Body>(path, body, headers);
    if (response.status !== 304) assertFlagProtocol(operation, response.status, response.body);
    return response;
  }
}
