import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** The smallest and largest width of a column in pixels, which the core stores in views. */
const WIDTH = { min: 40, max: 2_000 } as const;

type Layout = Pick<MatrixSearch, 'envs' | 'pin' | 'width'>;

/** Returns the widths of columns by the names of their environments. Invalid entries are ignored. */
export function parseWidths(width: MatrixSearch['width']): ReadonlyMap<string, number> {
  return new Map(
    (width ?? []).flatMap((entry): readonly [string, number][] => {
      const at = entry.lastIndexOf(':');
      const pixels = Number(entry.slice(at + 1));
      return at > 0 && pixels >= WIDTH.min && pixels <= WIDTH.max ? [[entry.slice(0, at), Math.round(pixels)]] : [];
    }),
  );
}

/** Returns the search parameter for widths; undefined if there is none. */
export const widthParameter = (widths: ReadonlyMap<string, number>): MatrixSearch['width'] =>
  widths.size === 0 ? undefined : [...widths].map(([name, pixels]) => `${name}:${pixels}`);

/** Returns the search parameters that show these environments in this order. `defaults` are shown without parameters. */
export function showOnly(names: readonly string[], defaults: readonly Pick<EnvironmentColumn, 'name'>[]): Layout {
  const isDefault = names.length === defaults.length && defaults.every(({ name }, at) => name === names[at]);
  return { envs: isDefault ? undefined : names };
}

/** Inserts the environments below another one behind it. */
export const expandColumn = (
  name: string,
  descendantNames: readonly string[],
  names: readonly string[],
): readonly string[] =>
  names.toSpliced(names.indexOf(name) + 1, 0, ...descendantNames.filter((environment) => !names.includes(environment)));

/** Moves a name to the position of another one. */
export function moveTo(name: string, target: string, names: readonly string[]): readonly string[] {
  const [from, to] = [names.indexOf(name), names.indexOf(target)];
  return from === -1 || to === -1 ? names : names.toSpliced(from, 1).toSpliced(to, 0, name);
}

/** Moves a name by a number of positions. */
export const moveBy = (name: string, by: number, names: readonly string[]): readonly string[] =>
  moveTo(name, names[names.indexOf(name) + by] ?? '', names);

/** Pins the column of an environment, or undoes that. */
export function togglePin(name: string, pin: readonly string[] = []): Layout {
  const pinned = pin.includes(name) ? pin.filter((pinnedName) => pinnedName !== name) : [...pin, name];
  return { pin: pinned.length === 0 ? undefined : pinned };
}

/** Sets the width of a column. */
export function resize(name: string, pixels: number, width: MatrixSearch['width']): Layout {
  const limited = Math.round(Math.max(WIDTH.min, Math.min(WIDTH.max, pixels)));
  return { width: widthParameter(new Map([...parseWidths(width), [name, limited]])) };
}
