import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** Returns a port for metrics, on which no program listens. */
export async function metricsPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Labels = Readonly<Record<string, string>>;

/** The metrics of a process at one moment, as Prometheus reads them. */
export class Metrics {
  private constructor(readonly text: string) {}

  static async read(port: number): Promise<Metrics> {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (response.status !== 200) throw new Error(`/metrics responds with ${response.status}.`);
    return new Metrics(await response.text());
  }

  /** The names of all metrics, without the suffixes of histograms. */
  get names(): readonly string[] {
    return [...this.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
  }

  /** Returns the sum of the samples with this name that have all these labels; 0 if there are none. */
  sum(name: string, labels: Labels = {}): number {
    const expectedLabels = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => expectedLabels.every((label) => line.includes(label)))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
}
