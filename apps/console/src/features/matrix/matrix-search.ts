import type { MatrixFilterState } from '../../data/matrix.ts';
import { textIn } from '../../ui/search-params.ts';

/** What the address says of a project's page. */
export interface MatrixSearch {
  /** What is looked for in names and values. */
  readonly q?: string | undefined;
  readonly state?: MatrixFilterState | undefined;
  /** Name of the environment that a narrow screen shows. */
  readonly env?: string | undefined;
  /** Names of the environments that a wide screen shows; all when left out. */
  readonly envs?: readonly string[] | undefined;
  /** The cell that is explained: its parameter, and its environment. */
  readonly cell?: string | undefined;
  readonly in?: string | undefined;
}

interface StateFilter {
  readonly state: MatrixFilterState | undefined;
  readonly words: string;
  readonly about: string;
}

export const STATE_FILTERS: readonly StateFilter[] = [
  { state: undefined, words: 'All', about: 'All parameters' },
  { state: 'own', words: 'Set here', about: 'Set by this project in a shown environment' },
  { state: 'differs', words: 'Differs', about: 'Differs from parent' },
  { state: 'missing', words: 'Missing', about: 'Without a value in some environment' },
  { state: 'secret', words: 'Secret', about: 'Secret parameters' },
  { state: 'redundant', words: 'Redundant', about: 'Same as the inherited value' },
];
const STATES: readonly string[] = ['own', 'inherited', 'missing', 'NULL', 'secret', 'dynamic', 'differs', 'redundant'];

/** What an address says, whoever wrote it: what makes no sense is left out. */
export function matrixSearchIn(given: Readonly<Record<string, unknown>>): MatrixSearch {
  const envs = Array.isArray(given.envs) ? given.envs.map(textIn).filter((one) => one !== undefined) : [];
  const state = STATES.find((one) => one === given.state) as MatrixFilterState | undefined;
  return {
    q: textIn(given.q),
    state,
    env: textIn(given.env),
    envs: envs.length > 0 ? envs : undefined,
    cell: textIn(given.cell),
    in: textIn(given.in),
  };
}
