import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { isConsistent, readCheckpoints, type TreeHead } from '@strata/evidence';
import { LocalServers } from '@strata/testkit';

const NAME = 'witness.example';
const COSIGNATURE = Buffer.from([4]);

/**
 * A witness as c2sp.org/tlog-witness describes it: it cosigns a checkpoint only if it continues the one before.
 * `evidence.acceptance-spec.ts` runs one that others wrote.
 */
export class TestWitness {
  /** The latest cosigned checkpoints by origin. */
  readonly heads = new Map<string, TreeHead>();
  /** The bodies of requests. */
  readonly requests: string[] = [];
  isReachable = true;
  readonly key: string;
  private readonly pair = generateKeyPairSync('ed25519');
  private readonly typedKey: Buffer;

  private constructor(
    readonly url: string,
    private readonly logKey: (origin: string) => string,
  ) {
    const publicKey = this.pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    this.typedKey = Buffer.concat([COSIGNATURE, publicKey]);
    this.key = `${NAME}+${this.keyId.toString('hex')}+${this.typedKey.toString('base64')}`;
  }

  /** `logKey` returns the public key of a ledger. */
  static async start(servers: LocalServers, logKey: (origin: string) => string): Promise<TestWitness> {
    let witness: TestWitness | undefined;
    const url = await servers.serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const [status, text] = witness?.respond(body) ?? [503, ''];
        response.writeHead(status).end(text);
      });
    });
    witness = new TestWitness(url, logKey);
    return witness;
  }

  private get keyId(): Buffer {
    return hash('sha256', Buffer.concat([Buffer.from(`${NAME}\n`), this.typedKey]), 'buffer').subarray(0, 4);
  }

  private respond(body: string): readonly [status: number, text: string] {
    if (!this.isReachable) return [503, ''];
    this.requests.push(body);
    const [before = '', ...rest] = body.split('\n\n');
    const [sizeLine = '', ...proof] = before.split('\n');
    const note = rest.join('\n\n');
    const [origin = ''] = note.split('\n');
    const [checkpoint] = readCheckpoints(note, [this.logKey(origin)]);
    if (!checkpoint) return [403, ''];
    const latest = this.heads.get(origin) ?? { size: 0, root: Buffer.alloc(0) };
    if (sizeLine !== `old ${latest.size}`) return [409, `${latest.size}\n`];
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    if (!isConsistent(latest, checkpoint, hashes)) return [422, ''];
    this.heads.set(origin, checkpoint);
    return [200, this.cosign(note.slice(0, note.lastIndexOf('\n\n') + 1))];
  }

  private cosign(text: string): string {
    const seconds = BigInt(Math.floor(Date.now() / 1_000));
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(seconds);
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), this.pair.privateKey);
    return `— ${NAME} ${Buffer.concat([this.keyId, time, signature]).toString('base64')}\n`;
  }
}
