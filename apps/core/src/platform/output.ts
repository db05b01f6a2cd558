import type { LoggerService } from '@nestjs/common';

/**
 * Converts everything that a library prints, and an uncaught error that ends the process, to a line of the log. An
 * uncaught error is logged with its stack, an error that a library prints only with its message.
 */
export function redirectOutputToLogger(logger: LoggerService | null): void {
  // A full disk or a closed reader loses lines of the log; the service keeps running.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const write = (...parts: unknown[]) => logger?.warn(parts.map(formatPart).join(' '), 'console');
  Object.assign(console, { debug: () => undefined, log: write, info: write, warn: write, error: write, trace: write });
  if (!logger) return;
  process.on('uncaughtException', (error) => {
    logger.error(error.message, error.stack, 'process');
    process.exit(1);
  });
}

function formatPart(part: unknown): string {
  return part instanceof Error ? `${part.name}: ${part.message}` : String(part);
}
