import net, { type AddressInfo, type Socket } from 'node:net';

/** A proxy to PostgreSQL that can stop responding: sockets stay open, and no data passes. */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private isSilent = false;
  private newSilentUntil: string | null = null;
  private readonly newSilent = new Set<Socket>();
  private delayed: string | null = null;
  private readonly pendingCallbacks: (() => void)[] = [];
  /** The bytes that PostgreSQL has sent since the start. */
  private received = 0;
  private trap: { readonly text: string; readonly passes: boolean } | null = null;

  private constructor(
    private readonly server: net.Server,
    /** The address for DATABASE_URL. */
    readonly url: string,
  ) {}

  static async before(databaseUrl: string): Promise<SilentProxy> {
    const target = new URL(databaseUrl);
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new SilentProxy(server, url.href);
    server.on('connection', (socket) => proxy.connect(socket, Number(target.port), target.hostname));
    return proxy;
  }

  /** Stops all data from now on, also on new connections. */
  silence(): void {
    this.isSilent = true;
  }

  /** Stops all data of the connections that are opened from now on, until another connection sends this text. */
  silenceNewUntil(text: string): void {
    this.newSilentUntil = text;
  }

  /** The number of open connections whose data was stopped when they were opened. */
  get newSilentCount(): number {
    return this.newSilent.size;
  }

  /**
   * Stops the data of the connection that sends this text: before the statement, or before its response if the
   * statement `passes`.
   */
  silenceAt(text: string, { passes }: { readonly passes: boolean }): void {
    this.trap = { text, passes };
  }

  /** Holds back the responses to the connection that sends this text, until the returned function is called. */
  holdAnswersTo(text: string): () => void {
    this.delayed = text;
    return () => {
      for (const deliver of this.pendingCallbacks.splice(0)) deliver();
    };
  }

  /** The number of connections whose responses are held back. */
  get heldCount(): number {
    return this.pendingCallbacks.length;
  }

  /** Returns the number of bytes that PostgreSQL sends while a function runs. */
  async bytesDuring(run: () => Promise<unknown>): Promise<number> {
    const before = this.received;
    await run();
    return this.received - before;
  }

  /** Serves new connections. Connections that were stopped stay silent. */
  resume(): void {
    this.isSilent = false;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: Socket, port: number, host: string): void {
    const server = net.connect(port, host);
    let isMute = this.newSilentUntil !== null;
    if (isMute) this.newSilent.add(client);
    const pass = (to: Socket) => (data: Buffer | string) => {
      isMute ||= this.isSilent;
      if (!isMute) to.write(data);
    };
    client.on('data', (data) => {
      if (!isMute && this.newSilentUntil && data.includes(this.newSilentUntil)) this.newSilentUntil = null;
      if (!isMute && this.trap && data.includes(this.trap.text)) {
        const { passes } = this.trap;
        this.trap = null;
        if (passes) server.write(data);
        isMute = true;
      }
      if (this.delayed && data.includes(this.delayed)) {
        this.delayed = null;
        server.pause();
        this.pendingCallbacks.push(() => server.resume());
      }
      pass(server)(data);
    });
    server.on('data', (data) => {
      this.received += data.length;
      pass(client)(data);
    });
    for (const [socket, peer] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        this.newSilent.delete(socket);
        peer.destroy();
      });
    }
  }
}
