/** The work that the gateway reports while it is observed. `telemetry` implements it. */
export interface GatewayObserver {
  /** Runs a query or a mutation that arrived over a websocket. */
  socketOperation<Result>(type: 'query' | 'mutation', work: () => Result): Result;
  /** A stored response was sent. */
  storedResponse(): void;
  /** A GraphQL response contains an error with this code. */
  graphqlError(code: string): void;
  /** A websocket was rejected with this HTTP status. */
  socketRejected(status: number): void;
}

/** The observer of this process; null unless telemetry is on. */
export let gatewayObserver: GatewayObserver | null = null;

export function setObserver(next: GatewayObserver | null): void {
  gatewayObserver = next;
}
