import http from 'node:http';
import https from 'node:https';
import type { AddressGuard } from './address-guard.ts';
import { type RequestFence, requestFenceError } from './request-fence.ts';

export interface GuardedAgents {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
  /** Closes all connections. */
  destroy(): void;
}

/** The method of `http.Agent` through which every request passes. The types of Node.js omit it. */
interface RequestAgent {
  addRequest(request: http.ClientRequest, ...rest: readonly unknown[]): void;
}

/**
 * Returns agents for SDKs that send their requests with `node:http`. Every connection passes the guard, and every request
 * its fence.
 */
export function createGuardedAgents(guard: AddressGuard, connectionsMax: number): GuardedAgents {
  const options = { keepAlive: true, maxSockets: connectionsMax, lookup: guard.lookup };
  const withAddressCheck = <A extends http.Agent>(agent: A): A => {
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (connection, done) => {
      guard.assertHost({ hostname: (connection as { readonly host?: string }).host ?? '' });
      return createConnection(connection, done);
    };
    if (guard.fence !== null) fenceRequests(agent as unknown as RequestAgent, guard.fence);
    return agent;
  };
  const httpAgent = withAddressCheck(new http.Agent(options));
  const httpsAgent = withAddressCheck(new https.Agent(options));
  return {
    httpAgent,
    httpsAgent,
    destroy: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

/** A destroyed request sends nothing, also if it gets a connection. */
function fenceRequests(agent: RequestAgent, fence: RequestFence): void {
  const addRequest = agent.addRequest.bind(agent);
  agent.addRequest = (request, ...restArguments) => {
    const end = () => request.destroy(requestFenceError());
    if (!fence.isOpen()) end();
    fence.signal.addEventListener('abort', end);
    request.once('close', () => fence.signal.removeEventListener('abort', end));
    addRequest(request, ...restArguments);
  };
}
