export const MUTANTS: readonly {
  readonly promise: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly specs: readonly string[];
}[];
