import type { MatrixFilterState } from '../../data/matrix.ts';
import { textIn } from '../../ui/search-params.ts';

/** The search parameters of the matrix page. */
export interface MatrixSearch {
  /** The text by which names and values are filtered. */
  readonly q?: string | undefined;
  readonly state?: MatrixFilterState | undefined;
  /** The name of the environment that a narrow screen shows. */
  readonly env?: string | undefined;
  /** The names of the visible environments; all of them if absent. */
  readonly envs?: readonly string[] | undefined;
  /** The parameter and the environment of the explained cell. */
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

/** Reads the search parameters, and ignores invalid ones. */
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
