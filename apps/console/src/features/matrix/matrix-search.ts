import type { MatrixFilterState } from '../../data/matrix.ts';
import { parseText, parseTexts } from '../../ui/search-params.ts';

/** The search parameters of the matrix page. */
export interface MatrixSearch {
  /** The text by which names and values are filtered. */
  readonly q?: string | undefined;
  readonly state?: MatrixFilterState | undefined;
  /** The name of the environment that a narrow screen shows. */
  readonly env?: string | undefined;
  /** The names of the visible environments, in the order of the columns; if absent, all that are not below a collapsed one. */
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
  readonly label: string;
  readonly about: string;
}

export const STATE_FILTERS: readonly StateFilter[] = [
  { state: undefined, label: 'All', about: 'All parameters' },
  { state: 'own', label: 'Set here', about: 'Set by this project in a shown environment' },
  { state: 'differs', label: 'Differs', about: 'Differs from parent' },
  { state: 'missing', label: 'Missing', about: 'Without a value in some environment' },
  { state: 'secret', label: 'Secret', about: 'Secret parameters' },
  { state: 'redundant', label: 'Redundant', about: 'Same as the inherited value' },
];
const STATES: readonly string[] = ['own', 'inherited', 'missing', 'NULL', 'secret', 'dynamic', 'differs', 'redundant'];

/** Reads the search parameters, and ignores invalid ones. */
export function parseMatrixSearch(params: Readonly<Record<string, unknown>>): MatrixSearch {
  return {
    q: parseText(params.q),
    state: STATES.find((state) => state === params.state) as MatrixFilterState | undefined,
    env: parseText(params.env),
    envs: parseTexts(params.envs),
    pin: parseTexts(params.pin),
    width: parseTexts(params.width),
    sort: parseText(params.sort),
    order: params.order === 'desc' ? 'desc' : undefined,
    group: params.group === 'prefix' ? 'prefix' : undefined,
    cell: parseText(params.cell),
    in: parseText(params.in),
  };
}
