import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Matches } from '@strata/domain';
import type { PatternTask } from './pattern-thread.ts';
import { matchesPattern, matchingCost } from './patterns.ts';

/** What may be matched at once without other requests noticing: some 15 ms at worst. */
const COST_MAX_HERE = 1_000_000;
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
  async matcher(tasks: readonly PatternTask[]): Promise<Matches> {
    const slow = new Map<string, ReadonlyMap<string, boolean>>();
    let left = ALL_MATCHES_MS_MAX;
    for (const { pattern, texts } of tasks) {
      const dear = [...new Set(texts.filter((text) => matchingCost(pattern, text) > COST_MAX_HERE))];
      if (dear.length === 0) continue;
      const began = performance.now();
      slow.set(pattern, await this.inTurn(() => this.apart({ pattern, texts: dear }, left)));
      left = Math.max(0, left - (performance.now() - began));
    }
    return (pattern, text) => {
      if (matchingCost(pattern, text) <= COST_MAX_HERE) return matchesPattern(pattern, text);
      return slow.get(pattern)?.get(text) ?? null;
    };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(work);
    this.queue = turn.catch(() => undefined);
    return turn;
  }

  /** What was found out in time: texts that are missing from the answer were not decided. */
  private async apart(task: PatternTask, patienceMs: number): Promise<ReadonlyMap<string, boolean>> {
    const found = new Map<string, boolean>();
    const thread = await this.living();
    const until = performance.now() + patienceMs;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (isDone: boolean) => {
        clearTimeout(timer);
        thread.off('message', hear).off('exit', giveUp);
        if (!isDone) this.end(thread);
        resolve(found);
      };
      const giveUp = () => end(false);
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, Math.min(MATCH_MS_MAX, until - performance.now()));
      };
      const hear = (verdict: boolean) => {
        found.set(task.texts[found.size] as string, verdict);
        if (found.size === task.texts.length) end(true);
        else wait();
      };
      thread.on('message', hear).on('exit', giveUp);
      wait();
      thread.postMessage(task);
    });
  }

  private async living(): Promise<Worker> {
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
