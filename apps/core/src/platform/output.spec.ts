import { ConsoleLogger } from '@nestjs/common';
import { redirectOutputToLogger } from './output.ts';

const { console: original } = globalThis;
const listeners = process.listeners('uncaughtException');

afterEach(() => {
  globalThis.console = original;
  for (const listener of process.listeners('uncaughtException')) {
    if (!listeners.includes(listener)) process.off('uncaughtException', listener);
  }
});

describe('the output of the process', () => {
  it('is JSON lines, even for a stack that a library prints', () => {
    globalThis.console = { ...original };
    const lines: string[] = [];
    const write = process.stdout.write;
    process.stdout.write = ((text: string) => lines.push(text) > 0) as typeof write;
    try {
      redirectOutputToLogger(new ConsoleLogger({ json: true }));
      console.trace(new Error('the library is at its end'));
      console.error('attempt %d failed', 1);
    } finally {
      process.stdout.write = write;
    }

    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', context: 'console', message: 'Error: the library is at its end' },
      { level: 'warn', context: 'console', message: 'attempt %d failed 1' },
    ]);
    expect(lines.join('')).not.toContain('output.spec');
  });

  it('is empty if the log level is silent', () => {
    globalThis.console = { ...original };
    redirectOutputToLogger(null);

    expect(console.error('unheard')).toBeUndefined();
    expect(process.listeners('uncaughtException')).toEqual(listeners);
  });
});
