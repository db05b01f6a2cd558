import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import net from 'node:net';

/** A proxy between a browser and a gateway that a test can cut. */
export class BreakableConnection {
  private readonly ends = new Set<net.Socket>();
  private isCut = false;

  private constructor(
    private readonly server: net.Server,
    private target: URL,
  ) {
    server.on('connection', (clientSocket) => this.join(clientSocket));
  }

  static async to(origin: string): Promise<BreakableConnection> {
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new BreakableConnection(server, new URL(origin));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const end of this.ends) end.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(clientSocket: net.Socket): void {
    if (this.isCut) return void clientSocket.destroy();
    const targetSocket = net.connect(Number(this.target.port), this.target.hostname);
    for (const [end, otherEnd] of [
      [clientSocket, targetSocket],
      [targetSocket, clientSocket],
    ] as const) {
      this.ends.add(end);
      end.on('error', () => otherEnd.destroy());
      end.on('close', () => {
        this.ends.delete(end);
        otherEnd.destroy();
      });
      end.pipe(otherEnd);
    }
  }
}
