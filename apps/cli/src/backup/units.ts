/** Formats a number of bytes for people. */
export const formatMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MB`;

/** Formats the time since a moment. */
export const formatElapsedSeconds = (startedAt: number): string => `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`;
