export interface StartedDatabase {
  readonly url: string;
  readonly created: boolean;
  /** Returns the id of the current server process. */
  pid(): number;
  stop(): Promise<void>;
}
export function startDatabase(
  dataDir: string,
  password: string,
  options: {
    readonly say: (line: string) => void;
    readonly gaveUp: (message: string) => void;
    readonly longEnoughMs?: number;
  },
): Promise<StartedDatabase>;
