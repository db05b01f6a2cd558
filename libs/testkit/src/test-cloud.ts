import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request to a stand-in: the operation as the provider names it, and its input. */
export interface CloudCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A scripted fault of one request. */
export type CloudFault =
  | { readonly kind: 'error'; readonly code: string; readonly status: number }
  | { readonly kind: 'redirect'; readonly location: string }
  /** The stand-in sends this JSON instead of its own response, such as a list that is out of date. */
  | { readonly kind: 'answer'; readonly body: object }
  /** The request is executed, and the connection breaks before the response. */
  | { readonly kind: 'lost_response' }
  /** The client gets no response. If `isExecuted` is true, the request is executed. */
  | { readonly kind: 'no_response'; readonly isExecuted: boolean };

/** The APIs of a cloud, with a record of all calls and scripted faults. */
export interface TestCloud {
  readonly endpoint: string;
  /** Returns the calls since the last `clear`. */
  calls(): readonly CloudCall[];
  clear(): void;
  /** Decides about each request. Returns null for a normal response. `whenClosed` resolves when the client closes the connection. */
  interfere(
    decide: (call: CloudCall, whenClosed: Promise<unknown>) => CloudFault | null | Promise<CloudFault | null>,
  ): void;
  close(): Promise<void>;
}

export interface CloudReply {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body: Buffer | string;
}

/** The API that a stand-in serves. */
export interface CloudApi {
  readCall(request: http.IncomingMessage, body: Buffer): CloudCall;
  execute(request: http.IncomingMessage, body: Buffer): Promise<CloudReply>;
  /** Returns the response of the provider for a fault. */
  reject(fault: { readonly code: string; readonly status: number }, call: CloudCall): CloudReply;
}

/** Serves an API on the loopback interface, with TLS if there is a certificate. */
export async function startTestCloud(
  api: CloudApi,
  certificate: { readonly cert: string; readonly key: string } | null = null,
): Promise<TestCloud> {
  let recordedCalls: CloudCall[] = [];
  let decide: Parameters<TestCloud['interfere']>[0] = () => null;
  const handleRequest: http.RequestListener = async (request, response) => {
    const body = await buffer(request);
    const call = api.readCall(request, body);
    recordedCalls.push(call);
    const fault = await decide(call, once(response, 'close'));
    if (fault?.kind === 'no_response' && !fault.isExecuted) return;
    if (fault?.kind === 'answer') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fault.body));
      return;
    }
    if (fault?.kind === 'redirect') {
      response.writeHead(307, { location: fault.location }).end();
      return;
    }
    const cloudResponse =
      fault?.kind === 'error' ? api.reject(fault, call) : await api.execute(request, body).catch(() => null);
    if (fault?.kind === 'no_response') return;
    if (fault?.kind === 'lost_response' || cloudResponse === null) return void response.destroy();
    response.writeHead(cloudResponse.status, cloudResponse.headers).end(cloudResponse.body);
  };
  const server =
    certificate === null ? http.createServer(handleRequest) : https.createServer(certificate, handleRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => recordedCalls,
    clear: () => {
      recordedCalls = [];
    },
    interfere: (decision) => {
      decide = decision;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
