/** The configuration that a program follows. */
export interface ConfigSelection {
  readonly url: string;
  readonly project: string;
  readonly environment: string;
  readonly names: readonly string[] | null;
  readonly reveal: boolean;
}
