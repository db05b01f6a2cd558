import type { LoggerService } from '@nestjs/common';

/**
 * Whatever a library prints, and even a bug that ends the process, becomes a line of the log like all others. A stack
 * belongs to a bug only; an error that a library prints is told in its own words.
 */
export function redirectOutputToLogger(logger: LoggerService | null): void {
  // A full disk, or a reader that went away, costs lines of the log, and not the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const write = (...parts: unknown[]) => logger?.warn(parts.map(wordsOf).join(' '), 'console');
  Object.assign(console, { debug: () => undefined, log: write, info: write, warn: write, error: write, trace: write });
  if (!logger) return;
  process.on('uncaughtException', (error) => {
    logger.error(error.message, error.stack, 'process');
    process.exit(1);
  });
}

function wordsOf(part: unknown): string {
  return part instanceof Error ? `${part.name}: ${part.message}` : String(part);
}
