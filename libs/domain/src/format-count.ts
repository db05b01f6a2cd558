/** Returns a count with its noun, as in `1 secret` or `2 secrets`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
