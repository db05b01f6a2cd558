export interface StartedDatabase {
  readonly url: string;
  readonly created: boolean;
  /** Of the server that runs now. */
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
