import { Worker } from 'node:worker_threads';
import { Failure } from '@strata/domain';
import type { JobMessage, JobOutcome, Task, WorkerLimits } from './jobs.ts';

/** The number of threads. With two of them, one organization with costly texts cannot block all others. */
const WORKERS = 2;
/** The maximum number of waiting jobs. Further jobs would time out before they run. */
const WAITING_MAX = 100;
const WAITING_OF_ONE_MAX = 25;
const JOB_MS_MAX = 5_000;
const MEMORY_MB_MAX = 64;

interface Job {
  readonly owner: string;
  readonly tasks: readonly Task[];
  /** The maximum total length of the texts of the job. */
  readonly lengthMax: number;
  readonly outcomes: JobOutcome[];
  readonly done: (outcomes: readonly JobOutcome[]) => void;
}

interface Slot {
  worker: Worker | null;
  isReady: boolean;
  job: Job | null;
  taskTimer: NodeJS.Timeout | null;
  jobTimer: NodeJS.Timeout | null;
}

/** The outcome of a task whose thread was killed. */
export const THREAD_KILLED: JobOutcome = {
  code: 'too_costly',
  problem: 'The text takes too much time or memory. Simplify it.',
};

/**
 * Parses and renders texts in threads. If a task takes too much time or memory, its thread is killed and the remaining
 * tasks of the job fail. The caller then knows which text caused this. Each owner can use only one thread at a time.
 */
export class LiquidWorkers {
  private readonly slots: Slot[] = Array.from({ length: WORKERS }, () => ({
    worker: null,
    isReady: false,
    job: null,
    taskTimer: null,
    jobTimer: null,
  }));
  private readonly waiting: Job[] = [];

  /**
   * `taskMs` is the time after which a thread is killed. The engine's own limit is shorter and ends most slow texts
   * with a message.
   */
  constructor(
    private readonly limits: WorkerLimits,
    private readonly taskMs: number,
  ) {}

  /** Returns one outcome for each task, up to the first one that is too costly. */
  run(owner: string, tasks: readonly Task[], lengthMax = Number.POSITIVE_INFINITY): Promise<readonly JobOutcome[]> {
    if (tasks.length === 0) return Promise.resolve([]);
    const ofOwner = this.waiting.filter((job) => job.owner === owner).length;
    if (this.waiting.length >= WAITING_MAX || ofOwner >= WAITING_OF_ONE_MAX) {
      const message = 'Too many texts are being evaluated at once. Try again in a moment.';
      throw new Failure({ kind: 'unavailable', code: 'evaluation_busy', message, retryAfterSeconds: 1 });
    }
    return new Promise((resolve) => {
      this.waiting.push({ owner, tasks, lengthMax, outcomes: [], done: resolve });
      this.next();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.slots.map(({ worker }) => worker?.terminate()));
  }

  private next(): void {
    for (const slot of this.slots) {
      if (slot.job) continue;
      const busyOwners = new Set(this.slots.map(({ job }) => job?.owner));
      const index = this.waiting.findIndex(({ owner }) => !busyOwners.has(owner));
      if (index === -1) return;
      const [job] = this.waiting.splice(index, 1);
      if (job) this.start(slot, job);
    }
  }

  private start(slot: Slot, job: Job): void {
    slot.job = job;
    slot.worker ??= this.spawn(slot);
    slot.worker.ref();
    if (slot.isReady) this.send(slot, job);
  }

  private send(slot: Slot, job: Job): void {
    slot.worker?.postMessage({ tasks: job.tasks, lengthMax: job.lengthMax } satisfies JobMessage);
    slot.jobTimer = setTimeout(() => this.kill(slot), JOB_MS_MAX);
    slot.taskTimer = setTimeout(() => this.kill(slot), this.taskMs);
  }

  private spawn(slot: Slot): Worker {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const worker = new Worker(new URL(`./liquid-worker.${extension}`, import.meta.url), {
      workerData: this.limits,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    worker.on('message', (message: 'ready' | JobOutcome) => this.onMessage(slot, worker, message));
    worker.on('error', () => this.lost(slot, worker));
    worker.on('exit', () => this.lost(slot, worker));
    return worker;
  }

  private onMessage(slot: Slot, worker: Worker, message: 'ready' | JobOutcome): void {
    if (slot.worker !== worker) return;
    if (message === 'ready') {
      slot.isReady = true;
      if (slot.job) this.send(slot, slot.job);
      return;
    }
    slot.taskTimer?.refresh();
    slot.job?.outcomes.push(message);
    const isLast = 'code' in message && message.code === 'too_costly';
    if (isLast || slot.job?.outcomes.length === slot.job?.tasks.length) this.finish(slot);
  }

  private kill(slot: Slot): void {
    const { worker } = slot;
    if (!worker) return;
    this.lost(slot, worker);
    void worker.terminate();
  }

  /** Handles a thread that was killed, ran out of memory, or exited. The running task caused it. */
  private lost(slot: Slot, worker: Worker): void {
    if (slot.worker !== worker) return;
    slot.worker = null;
    slot.isReady = false;
    slot.job?.outcomes.push(THREAD_KILLED);
    this.finish(slot);
  }

  private finish(slot: Slot): void {
    const { job } = slot;
    if (slot.taskTimer) clearTimeout(slot.taskTimer);
    if (slot.jobTimer) clearTimeout(slot.jobTimer);
    slot.job = null;
    // An idle thread must not keep the process running.
    slot.worker?.unref();
    job?.done(job.outcomes);
    this.next();
  }
}
