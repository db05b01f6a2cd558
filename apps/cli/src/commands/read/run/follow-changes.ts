import type { Config } from 'strata-config-client';
import { forwardSignals, type Program, type ProgramEnd, waitForEnd } from '../../../core/programs/child-process.ts';

/** Changes that follow each other within this time have one effect. */
const SETTLE_MS = 500;
/** A configuration that does not stop changing has its effect after this time. */
const SETTLE_MS_MAX = 5_000;

/** Runs a program until it ends by itself. After changes of the configuration it receives the signal. */
export async function signalAfterChanges(
  config: Config,
  program: Program,
  signal: NodeJS.Signals,
): Promise<ProgramEnd> {
  const endingSignal = forwardSignals(() => program);
  const changes = new Changes(config);
  while ((await Promise.race([program.ended, changes.settled])) === null) {
    changes.restart();
    program.signal(signal);
  }
  return waitForEnd(program, endingSignal);
}

/** Runs a program until it ends by itself. After changes of the configuration it is ended and started again. */
export async function restartAfterChanges(config: Config, start: () => Program): Promise<ProgramEnd> {
  const changes = new Changes(config);
  let program = start();
  const endingSignal = forwardSignals(() => program);
  while ((await Promise.race([program.ended, changes.settled])) === null) {
    // The program is ending already, because a signal was passed to it.
    if (endingSignal() === null) await program.stop();
    if (endingSignal() !== null) break;
    changes.restart();
    program = start();
  }
  return waitForEnd(program, endingSignal);
}

/** The changes of a configuration since a moment. */
class Changes {
  private isSettled = Promise.withResolvers<null>();
  private timer: NodeJS.Timeout | undefined;
  private first = 0;

  constructor(config: Config) {
    config.onChange(() => this.add());
  }

  /** Resolves after a change, once no other one follows. */
  get settled(): Promise<null> {
    return this.isSettled.promise;
  }

  /** Ignores the changes so far. */
  restart(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isSettled = Promise.withResolvers();
  }

  private add(): void {
    if (this.timer === undefined) this.first = Date.now();
    clearTimeout(this.timer);
    const delay = Math.min(SETTLE_MS, this.first + SETTLE_MS_MAX - Date.now());
    this.timer = setTimeout(() => this.isSettled.resolve(null), Math.max(0, delay));
  }
}
