import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A litewitness of a test. It keeps its key in an agent of its own. */
export class Witness {
  private constructor(
    readonly url: string,
    /** The key in the format of signed notes, with the type of cosignatures. */
    readonly key: string,
    private readonly database: string,
    private readonly processes: readonly ChildProcess[],
  ) {}

  static async start(program: string, folder: string, name: string): Promise<Witness> {
    const file = (extension: string) => path.join(folder, `${name}.${extension}`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('key')]);
    const agent = spawn('ssh-agent', ['-D', '-a', file('agent')], { stdio: 'ignore' });
    while (!fs.existsSync(file('agent'))) await sleep(20);
    execFileSync('ssh-add', ['-q', file('key')], { env: { ...process.env, SSH_AUTH_SOCK: file('agent') } });
    const [, blob = ''] = fs.readFileSync(file('key.pub'), 'utf8').split(' ');
    const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-lf', file('key.pub')], { encoding: 'utf8' }).split(' ');
    const port = await freePort();
    const listen = `127.0.0.1:${port}`;
    const database = file('db');
    const options = [
      '-name',
      name,
      '-db',
      database,
      '-ssh-agent',
      file('agent'),
      '-key',
      fingerprint,
      '-listen',
      listen,
    ];
    const witness = spawn(program, options, { stdio: 'ignore' });
    const url = `http://${listen}`;
    while (!(await fetch(url).catch(() => null))) await sleep(50);
    // An Ed25519 key of SSH ends with the 32 bytes of the public key.
    const typedKey = Buffer.concat([Buffer.from([4]), Buffer.from(blob, 'base64').subarray(-32)]);
    const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), typedKey]), 'hex').slice(0, 8);
    return new Witness(url, `${name}+${id}+${typedKey.toString('base64')}`, database, [witness, agent]);
  }

  /** Lets the witness accept the checkpoints of a ledger, as `witnessctl add-log` and `add-key` do. */
  async addLog(origin: string, key: string): Promise<void> {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(this.database);
    // The root hash of the empty tree.
    const empty = hash('sha256', '', 'base64');
    database.prepare('insert into log (origin, tree_size, tree_hash) values (?, 0, ?)').run(origin, empty);
    database.prepare('insert into key (origin, key) values (?, ?)').run(origin, key);
    database.close();
  }

  stop(): void {
    for (const running of this.processes) running.kill();
  }
}

/** Returns a port that no process uses. */
async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
