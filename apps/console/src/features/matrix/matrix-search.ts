import type { MatrixFilterState } from '../../data/matrix.ts';
import { textIn, textsIn } from '../../ui/search-params.ts';

/** The search parameters of the matrix page. */
export interface MatrixSearch {
  /** The text by which names and values are filtered. */
  readonly q?: string | undefined;
  readonly state?: MatrixFilterState | undefined;
  /** The name of the environment that a narrow screen shows. */
  readonly env?: string | undefined;
  /** The names of the visible environments, in the order of the columns; all of them if absent. */
  readonly envs?: readonly string[] | undefined;
  /** The names of the environments whose columns stay visible at the start. */
  readonly pin?: readonly string[] | undefined;
  /** The widths of columns, such as `production:240`. */
  readonly width?: readonly string[] | undefined;
  /** The environment by whose values the rows are sorted; by name if absent. */
  readonly sort?: string | undefined;
  readonly order?: 'desc' | undefined;
  /** Whether the rows are grouped by the prefixes of their names, unless they are sorted by values. */
  readonly group?: 'prefix' | undefined;
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
  return {
    q: textIn(given.q),
    state: STATES.find((one) => one === given.state) as MatrixFilterState | undefined,
    env: textIn(given.env),
    envs: textsIn(given.envs),
    pin: textsIn(given.pin),
    width: textsIn(given.width),
    sort: textIn(given.sort),
    order: given.order === 'desc' ? 'desc' : undefined,
    group: given.group === 'prefix' ? 'prefix' : undefined,
    cell: textIn(given.cell),
    in: textIn(given.in),
  };
}
