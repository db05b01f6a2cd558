import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { PatternMatcher } from '@strata/domain';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { PatternTask } from './pattern-thread.ts';
import { matchesPattern, matchingCost } from './patterns.ts';

/** The cost that the patterns of one text may have on the main thread: some 30 ms at worst. */
export const MAIN_THREAD_COST_MAX = 2_000_000;
/** The time limit of a single match in the worker thread. A match that exceeds it ends the thread. */
const MATCH_MS_MAX = 100;
/** The time limit of all slow matches of one request together. Writes of other callers may be waiting. */
const ALL_MATCHES_MS_MAX = 1_000;
const THREAD_MEMORY_MB = 64;

/** Node runs the built file and the source file. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './pattern-thread.ts' : './pattern-thread.js',
  import.meta.url,
);

type MatchResults = ReadonlyMap<string, boolean | null>;

/**
 * Returns the tasks that must run in the worker thread, each with only the texts that cost too much for the main
 * thread. Adds the cost of all other texts to `costs`.
 */
export function expensiveTasks(tasks: readonly PatternTask[], costs = new Map<string, number>()): PatternTask[] {
  return tasks.flatMap(({ pattern, texts }) => {
    const expensiveTexts = [...new Set(texts)].filter((text) => {
      const cost = (costs.get(text) ?? 0) + matchingCost(pattern, text);
      if (cost > MAIN_THREAD_COST_MAX) return true;
      costs.set(text, cost);
      return false;
    });
    return expensiveTexts.length > 0 ? [{ pattern, texts: expensiveTexts }] : [];
  });
}

/** Limits the time that slow matches take together. All matches of one request share one budget. */
export class TimeBudget {
  remainingMs = ALL_MATCHES_MS_MAX;
}

/** Matches patterns that users wrote against texts that users wrote, without blocking the process. */
@Injectable()
export class PatternEngine implements OnModuleDestroy {
  private thread: Worker | null = null;
  /** Slow tasks run one after the other, because two at once would only slow each other down. */
  private queue: Promise<unknown> = Promise.resolve();

  onModuleDestroy(): void {
    if (this.thread) this.end(this.thread);
  }

  /**
   * Resolves to a function that returns the result for a pattern and a text of the tasks. It evaluates cheap patterns
   * when called. Expensive ones have run in the worker thread before this resolves; their result is null if time ran
   * out.
   */
  async matcher(tasks: readonly PatternTask[], budget = new TimeBudget()): Promise<PatternMatcher> {
    const slowResults = new Map<string, MatchResults>();
    for (const task of await this.allExpensiveTasks(tasks)) {
      const { results, spentMs } = await this.inOrder(() => this.runInWorker(task, budget.remainingMs));
      slowResults.set(task.pattern, results);
      budget.remainingMs -= spentMs;
    }
    return (pattern, text) => {
      const result = slowResults.get(pattern)?.get(text);
      return result === undefined ? matchesPattern(pattern, text) : result;
    };
  }

  /**
   * Computing the cost of a pattern compiles it, which takes some 15 ms at worst, and there may be hundreds of them.
   */
  private async allExpensiveTasks(tasks: readonly PatternTask[]): Promise<PatternTask[]> {
    const costs = new Map<string, number>();
    const unmatchedTexts: PatternTask[] = [];
    const yielder = new EventLoopYielder();
    for (const task of tasks) {
      unmatchedTexts.push(...expensiveTasks([task], costs));
      if (yielder.isDue) await yielder.yield();
    }
    return unmatchedTexts;
  }

  private inOrder<T>(work: () => Promise<T>): Promise<T> {
    const queuedWork = this.queue.then(work);
    this.queue = queuedWork.catch(() => undefined);
    return queuedWork;
  }

  /** Resolves to a result for each text, without the texts for which time ran out. */
  private async runInWorker(task: PatternTask, timeoutMs: number): Promise<{ results: MatchResults; spentMs: number }> {
    const results = new Map<string, boolean | null>(task.texts.map((text) => [text, null]));
    if (timeoutMs <= 0) return { results, spentMs: 0 };
    const thread = await this.startedThread();
    const startedAt = performance.now();
    let doneCount = 0;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        thread.off('message', onResult).off('exit', giveUp);
        if (!isDone) this.end(thread);
        resolve({ results, spentMs: performance.now() - startedAt });
      };
      const giveUp = () => end(false);
      // The main thread may have been busy itself, so it checks for new results once more before it ends the worker
      // thread.
      const recheck = (doneBefore: number) => setImmediate(() => doneCount === doneBefore && giveUp());
      const wait = () => {
        clearTimeout(timer);
        const left = timeoutMs - (performance.now() - startedAt);
        timer = setTimeout(recheck, Math.max(1, Math.min(MATCH_MS_MAX, left)), doneCount);
      };
      const onResult = (result: boolean) => {
        results.set(task.texts[doneCount] as string, result);
        doneCount += 1;
        if (doneCount === task.texts.length) end(true);
        else wait();
      };
      thread.on('message', onResult).on('exit', giveUp);
      wait();
      thread.postMessage(task);
    });
  }

  private async startedThread(): Promise<Worker> {
    if (this.thread) return this.thread;
    const resourceLimits = { maxOldGenerationSizeMb: THREAD_MEMORY_MB };
    const thread = new Worker(THREAD, { env: {}, execArgv: [], resourceLimits });
    // A thread that fails also exits, and the exit ends all waiting.
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
