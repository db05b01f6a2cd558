/** Returns a count with its noun, as in `1 change` or `2 properties`. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`.replace(/([^aeo])ys$/, '$1ies');
