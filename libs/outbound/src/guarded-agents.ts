import http from 'node:http';
import https from 'node:https';
import type { AddressGuard } from './address-guard.ts';

export interface GuardedAgents {
  readonly httpAgent: http.Agent;
  readonly httpsAgent: https.Agent;
  /** Closes all connections. */
  destroy(): void;
}

/** Returns agents for SDKs that send their requests with `node:http`. Every connection passes the guard. */
export function guardedAgents(guard: AddressGuard, connectionsMax: number): GuardedAgents {
  const options = { keepAlive: true, maxSockets: connectionsMax, lookup: guard.lookup };
  const checked = <A extends http.Agent>(agent: A): A => {
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (connection, done) => {
      guard.assertHost({ hostname: (connection as { readonly host?: string }).host ?? '' });
      return createConnection(connection, done);
    };
    return agent;
  };
  const httpAgent = checked(new http.Agent(options));
  const httpsAgent = checked(new https.Agent(options));
  return {
    httpAgent,
    httpsAgent,
    destroy: () => {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}
