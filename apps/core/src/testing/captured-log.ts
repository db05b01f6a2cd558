import { moduleOfCore } from './core-in-process.ts';

/** The log of the cores of this process. */
export interface CapturedLog {
  readonly text: string;
  end(): void;
}

/** Collects what the cores of this process log, until `end`. */
export async function captureLog(): Promise<CapturedLog> {
  const { default: native } = await moduleOfCore<{ default: NodeJS.Process }>('node:process');
  const { write } = native.stdout;
  const lines: string[] = [];
  native.stdout.write = ((text: string) => lines.push(String(text)) > 0) as typeof write;
  return {
    get text() {
      return lines.join('');
    },
    end: () => {
      native.stdout.write = write;
    },
  };
}
