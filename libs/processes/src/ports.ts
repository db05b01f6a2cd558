import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Returns a port on which no program currently listens. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  // Ports below those that systems use for outgoing connections, so that the port is still free after a restart.
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port, host)) return port;
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
