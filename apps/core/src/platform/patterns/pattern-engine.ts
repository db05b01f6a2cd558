import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Matches } from '@strata/domain';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { PatternTask } from './pattern-thread.ts';
import { matchesPattern, matchingCost } from './patterns.ts';

/** What one text may cost with all its patterns before other requests would notice: some 30 ms at worst. */
export const MAIN_THREAD_COST_MAX = 2_000_000;
/** How long a single match may take, in a thread that is then ended. */
const MATCH_MS_MAX = 100;
/** How long all slow matches of one request may take together; somebody else may be waiting to write. */
const ALL_MATCHES_MS_MAX = 1_000;
const THREAD_MEMORY_MB = 64;

/** Built or not: Node runs both. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './pattern-thread.ts' : './pattern-thread.js',
  import.meta.url,
);

type MatchResults = ReadonlyMap<string, boolean | null>;

/** What is too much to be done here: of each text the patterns beyond what it may cost. */
export function expensiveTasks(tasks: readonly PatternTask[], costs = new Map<string, number>()): PatternTask[] {
  return tasks.flatMap(({ pattern, texts }) => {
    const expensive = [...new Set(texts)].filter((text) => {
      const cost = (costs.get(text) ?? 0) + matchingCost(pattern, text);
      if (cost > MAIN_THREAD_COST_MAX) return true;
      costs.set(text, cost);
      return false;
    });
    return expensive.length > 0 ? [{ pattern, texts: expensive }] : [];
  });
}

/** How long slow matches may take together; one for all that belongs to one request. */
export class TimeBudget {
  remainingMs = ALL_MATCHES_MS_MAX;
}

/** Holds patterns that people wrote against texts that people wrote, without ever holding up the process. */
@Injectable()
export class PatternEngine implements OnModuleDestroy {
  private thread: Worker | null = null;
  /** One slow request after the other: two would only slow each other down. */
  private queue: Promise<unknown> = Promise.resolve();

  onModuleDestroy(): void {
    if (this.thread) this.end(this.thread);
  }

  /**
   * An answer for each pattern and text of the tasks. What is cheap is answered when it is asked; what is not has been
   * tried in the other thread by the time this resolves, and is null if there was not enough time.
   */
  async matcher(tasks: readonly PatternTask[], budget = new TimeBudget()): Promise<Matches> {
    const slow = new Map<string, MatchResults>();
    for (const task of await this.allExpensiveTasks(tasks)) {
      const { verdicts, spentMs } = await this.inOrder(() => this.runInWorker(task, budget.remainingMs));
      slow.set(task.pattern, verdicts);
      budget.remainingMs -= spentMs;
    }
    return (pattern, text) => {
      const verdict = slow.get(pattern)?.get(text);
      return verdict === undefined ? matchesPattern(pattern, text) : verdict;
    };
  }

  /** To know what a pattern costs is to compile it, which takes some 15 ms at worst; there may be hundreds. */
  private async allExpensiveTasks(tasks: readonly PatternTask[]): Promise<PatternTask[]> {
    const costs = new Map<string, number>();
    const expensive: PatternTask[] = [];
    const yielder = new EventLoopYielder();
    for (const task of tasks) {
      expensive.push(...expensiveTasks([task], costs));
      if (yielder.isDue) await yielder.yield();
    }
    return expensive;
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const queued = this.queue.then(work);
    this.queue = queued.catch(() => undefined);
    return queued;
  }

  /** A verdict for each text, null where there was not enough time for one. */
  private async runInWorker(
    task: PatternTask,
    timeoutMs: number,
  ): Promise<{ verdicts: MatchResults; spentMs: number }> {
    const verdicts = new Map<string, boolean | null>(task.texts.map((text) => [text, null]));
    if (timeoutMs <= 0) return { verdicts, spentMs: 0 };
    const thread = await this.startedThread();
    const began = performance.now();
    let done = 0;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        thread.off('message', onVerdict).off('exit', giveUp);
        if (!isDone) this.end(thread);
        resolve({ verdicts, spentMs: performance.now() - began });
      };
      const giveUp = () => end(false);
      // Who was busy himself looks once more before he calls the other one slow.
      const lookAgain = (seen: number) => setImmediate(() => done === seen && giveUp());
      const wait = () => {
        clearTimeout(timer);
        const left = timeoutMs - (performance.now() - began);
        timer = setTimeout(lookAgain, Math.max(1, Math.min(MATCH_MS_MAX, left)), done);
      };
      const onVerdict = (verdict: boolean) => {
        verdicts.set(task.texts[done] as string, verdict);
        done += 1;
        if (done === task.texts.length) end(true);
        else wait();
      };
      thread.on('message', onVerdict).on('exit', giveUp);
      wait();
      thread.postMessage(task);
    });
  }

  private async startedThread(): Promise<Worker> {
    if (this.thread) return this.thread;
    const resourceLimits = { maxOldGenerationSizeMb: THREAD_MEMORY_MB };
    const thread = new Worker(THREAD, { env: {}, execArgv: [], resourceLimits });
    // A thread that breaks also exits, and whoever waits for it hears of that.
    thread.on('error', () => this.end(thread));
    await new Promise((resolve) => thread.once('message', resolve).once('exit', resolve));
    thread.unref();
    this.thread = thread;
    return thread;
  }

  private end(thread: Worker): void {
    if (this.thread === thread) this.thread = null;
    void thread.terminate();
  }
}
