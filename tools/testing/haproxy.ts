import fs from 'node:fs';
import path from 'node:path';
import { Guide } from './guide.ts';

/** The ports of the processes behind a proxy. */
export interface ProxiedPorts {
  readonly proxy: number;
  readonly cores: readonly number[];
  readonly gateways: readonly number[];
  /** A port of the proxy that leads to the cores alone. Gateways of early releases need it. */
  readonly coresAlone?: number;
}

/** Writes the configuration of the installation guide with these ports into a folder, and returns its path. */
export function writeHaproxyConfiguration(
  folder: string,
  { proxy, cores, gateways, coresAlone }: ProxiedPorts,
): string {
  const guide = new Guide('install');
  guide.remove();
  const [block = ''] = guide.blocks('Put it behind a proxy', 'haproxy');
  const servers = (name: string, ports: readonly number[]) =>
    ports.map((port, index) => `  server ${name}${index + 1} 127.0.0.1:${port} check`).join('\n');
  const text = block
    .replace('bind :8080', `bind 127.0.0.1:${proxy}`)
    .replace(/^ {2}server core1 .*$/m, servers('core', cores))
    .replace(/^ {2}server gateway1 .*$/m, servers('gateway', gateways));
  const file = path.join(folder, 'haproxy.cfg');
  const aloneConfiguration = `\nfrontend cores-alone\n  bind 127.0.0.1:${coresAlone}\n  default_backend cores\n`;
  fs.writeFileSync(file, coresAlone === undefined ? text : text + aloneConfiguration);
  return file;
}
