import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The servers of a test, on free ports of the loopback interface. */
export class LocalServers {
  private readonly servers = new Set<http.Server>();

  /** Starts a server and returns its host and port. */
  async listen(server: http.Server): Promise<string> {
    this.servers.add(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Starts a server without TLS and returns its address. */
  async serve(listener: http.RequestListener): Promise<string> {
    return `http://${await this.listen(http.createServer(listener))}`;
  }

  /** Stops all servers, and closes their connections. */
  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
    this.servers.clear();
  }
}
