/** An error that stops the start, with a message for the operator. */
export class TelemetryError extends Error {
  override readonly name = 'TelemetryError';
}
