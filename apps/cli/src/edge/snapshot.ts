import type { Callers, StoredAccess } from './callers.ts';
import type { StoredScope } from './core-documents.ts';
import type { FollowedScope } from './followed-scope.ts';
import type { SealedFile } from './sealed-file.ts';

interface StoredEdge {
  readonly scopes: readonly StoredScope[];
  readonly accesses: readonly StoredAccess[];
}

/** Time in which several changes are stored together. */
const SOON_MS = 500;
/** After this time, the confirmations of an unchanged configuration are stored. */
const REFRESH_MS = 30_000;

/** Keeps the configurations and the callers of an edge in one encrypted file. */
export class EdgeSnapshot {
  #timer: NodeJS.Timeout | null = null;
  #refresh: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** The time of the last write in milliseconds since 1970; 0 if there was none. */
  writtenAt = 0;
  failures = 0;

  constructor(
    private readonly file: SealedFile,
    private readonly scopes: readonly FollowedScope[],
    private readonly callers: Callers,
    private readonly onNote: (text: string) => void,
  ) {}

  /** Gives the stored content to the scopes and the callers. Scopes that the edge no longer serves are left out. */
  async load(): Promise<void> {
    const content = await this.file.read();
    if (content !== null) {
      const { scopes, accesses } = JSON.parse(content.toString()) as StoredEdge;
      for (const scope of this.scopes) {
        const storedScope = scopes.find(
          ({ project, environment }) => project === scope.names.project && environment === scope.names.environment,
        );
        if (storedScope) scope.load(storedScope);
      }
      this.callers.load(accesses.filter(({ scope }) => this.scopes.some(({ key }) => key === scope)));
    }
    for (const scope of this.scopes) scope.onChange(() => this.storeSoon());
    this.callers.onConfirmed = () => this.storeSoon();
    this.#refresh = setInterval(() => this.storeSoon(), REFRESH_MS).unref();
  }

  storeSoon(): void {
    this.#timer ??= setTimeout(() => void this.store(), SOON_MS);
  }

  /** Writes one version after the other. */
  store(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    this.#writing = this.#writing.then(async () => {
      const scopes = this.scopes.flatMap((scope) => scope.stored ?? []);
      const content: StoredEdge = { scopes, accesses: this.callers.stored() };
      try {
        if (scopes.length === 0) await this.file.remove();
        else await this.file.write(Buffer.from(JSON.stringify(content)));
        this.writtenAt = Date.now();
      } catch (error) {
        this.failures += 1;
        this.onNote(`The snapshot cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
      }
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#refresh ?? undefined);
    await this.store();
  }
}
