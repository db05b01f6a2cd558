/** Returns the sentences of an error body of the API. Error bodies never contain values. */
export function rejectionMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  if (Array.isArray(error)) return error.map(rejectionMessage).join(' ');
  if (typeof error !== 'object' || error === null) return 'It was rejected.';
  return Object.values(error).map(rejectionMessage).join(' ');
}
