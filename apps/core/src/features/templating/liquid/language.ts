import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  fillPlainText,
  listPaths,
  type OrganizationId,
  type Path,
  type PlainText,
  plainText,
  TEMPLATE_LENGTH_MAX,
  type TextScope,
} from '@strata/domain';
import { type JobOutcome, type ScopeMessage, type Task, type TemplateProblem, TOO_LONG_TOGETHER } from './jobs.ts';
import { LiquidWorkers, THREAD_KILLED } from './workers.ts';

/** The maximum length of an evaluated text. It limits the memory of everything that stores or receives the text. */
export const OUTPUT_LENGTH_MAX = 1_048_576;
/** The time, in milliseconds, during which a text that killed a thread is not run again. */
const QUARANTINE_MS = 30_000;
const QUARANTINED_MAX = 1_000;
/** The size of the cache of parsed short texts, which limits it to a few megabytes. */
const PLAIN_MAX = 2_000;
const PLAIN_LENGTH_MAX = 1_024;

/** The time, in milliseconds, after which rendering in the main thread yields to other requests. */
const HERE_MS_MAX = 10;
/** The maximum time, in milliseconds, that the texts of one call may take in threads, including the waiting time. */
const ELSEWHERE_MS_MAX = 5_000;
/** The size of a batch that is copied to a thread, which takes some milliseconds. */
const BATCH_LENGTH = 1_048_576;
/**
 * The maximum size of a text's inputs in a thread. Larger ones would block the process while they are copied, and use
 * too much of the thread's memory.
 */
const SCOPE_LENGTH_MAX = 8 * 1_048_576;

/** Time limits in milliseconds for one text in a thread. Tests shorten them. */
export class LanguageTimes {
  /** The time after which the engine stops with a message. */
  readonly soft: number = 500;
  /** The time after which the thread is killed, if the engine did not stop. */
  readonly hard: number = 1_000;
}

export interface RenderTask {
  readonly text: string;
  readonly scope: TextScope;
}

/**
 * The language of templates and dynamic values. Texts that only contain names are rendered in the main thread. All
 * other texts run in threads that can be killed, so that no text can block the process.
 */
@Injectable()
export class Language implements OnApplicationShutdown {
  private readonly workers: LiquidWorkers;
  private readonly plain = new Map<string, PlainText | null>();
  private readonly quarantine = new Map<string, number>();

  constructor(times: LanguageTimes) {
    const limits = { textLength: TEMPLATE_LENGTH_MAX, outputLength: OUTPUT_LENGTH_MAX, memoryUnits: 4_000_000 };
    this.workers = new LiquidWorkers({ ...limits, renderMs: times.soft }, times.hard);
  }

  /** Returns the names that a text refers to, without running it. */
  async pathsIn(organizationId: OrganizationId, text: string): Promise<readonly Path[] | TemplateProblem> {
    const parts = this.parsePlain(text);
    if (parts) return listPaths(parts);
    const [outcome] = await this.workers.run(organizationId, [{ do: 'parse', text }]);
    if (outcome && 'paths' in outcome) return outcome.paths;
    return problemIn(outcome);
  }

  /** Returns each text with its project names replaced, or its error. */
  async renamed(
    organizationId: OrganizationId,
    texts: readonly string[],
    names: ReadonlyMap<string, string>,
  ): Promise<readonly (string | TemplateProblem)[]> {
    const tasks = texts.map((text): Task => ({ do: 'rename', text, names: [...names] }));
    const outcomes = await this.workers.run(organizationId, tasks);
    return texts.map((_, index) => {
      const outcome = outcomes[index];
      return outcome && 'text' in outcome ? outcome.text : problemIn(outcome);
    });
  }

  /**
   * Returns the text or the error of each task. Tasks after one that was too costly have no result. The same applies to
   * tasks after the total length has reached `lengthMax`, which is checked during rendering.
   */
  async render(
    organizationId: OrganizationId,
    tasks: readonly RenderTask[],
    lengthMax = Number.POSITIVE_INFINITY,
  ): Promise<readonly (string | TemplateProblem | undefined)[]> {
    const results: (string | TemplateProblem | undefined)[] = tasks.map(() => undefined);
    const slowTexts: number[] = [];
    let left = lengthMax;
    let startedAt = performance.now();
    for (const [index, { text, scope }] of tasks.entries()) {
      const parts = this.parsePlain(text);
      if (parts) {
        const filledText = fillPlainText(parts, scope, Math.min(OUTPUT_LENGTH_MAX, left));
        results[index] = filledText ?? (left < OUTPUT_LENGTH_MAX ? TOO_LONG_TOGETHER : TOO_LONG);
        if (filledText === null && left < OUTPUT_LENGTH_MAX) return results;
        left -= filledText?.length ?? 0;
      } else if (this.isQuarantined(organizationId, text)) results[index] = QUARANTINED;
      else slowTexts.push(index);
      if (performance.now() - startedAt > HERE_MS_MAX) {
        await new Promise((resolve) => setImmediate(resolve));
        startedAt = performance.now();
      }
    }
    await this.renderElsewhere(organizationId, tasks, slowTexts, left, results);
    return results;
  }

  /** Sends tasks in batches, because the inputs and results of a batch are copied as a whole. */
  private async renderElsewhere(
    organizationId: OrganizationId,
    tasks: readonly RenderTask[],
    slowTexts: readonly number[],
    lengthMax: number,
    results: (string | TemplateProblem | undefined)[],
  ): Promise<void> {
    let left = lengthMax;
    const startedAt = performance.now();
    for (let at = 0; at < slowTexts.length; ) {
      if (performance.now() - startedAt > ELSEWHERE_MS_MAX) {
        results[slowTexts[at] as number] = problemIn(undefined);
        return;
      }
      const batch: { readonly index: number; readonly task: Task }[] = [];
      for (let length = 0; at < slowTexts.length && (length < BATCH_LENGTH || batch.length === 0); at += 1) {
        const index = slowTexts[at] as number;
        const { text, scope } = tasks[index] as RenderTask;
        const size = text.length + estimateSize(scope);
        if (size > SCOPE_LENGTH_MAX) {
          results[index] = SEES_TOO_MUCH;
          return;
        }
        length += size;
        batch.push({ index, task: { do: 'render', text, scope: toMessage(scope) } });
      }
      const batchTasks = batch.map(({ task }) => task);
      const outcomes = await this.workers.run(organizationId, batchTasks, left);
      for (const [position, { index, task }] of batch.entries()) {
        const outcome = outcomes[position];
        if (!outcome) return;
        results[index] = 'text' in outcome ? outcome.text : this.remembered(organizationId, task.text, outcome);
        if ('text' in outcome) left -= outcome.text.length;
        else if ('code' in outcome && outcome.code === 'too_costly') return;
      }
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.close();
  }

  private parsePlain(text: string): PlainText | null {
    const cachedTemplate = this.plain.get(text);
    if (cachedTemplate !== undefined) return cachedTemplate;
    const parts = plainText(text);
    if (this.plain.size >= PLAIN_MAX) this.plain.clear();
    if (text.length <= PLAIN_LENGTH_MAX) this.plain.set(text, parts);
    return parts;
  }

  private isQuarantined(organizationId: OrganizationId, text: string): boolean {
    const until = this.quarantine.size === 0 ? undefined : this.quarantine.get(fingerprint(organizationId, text));
    return until !== undefined && until > performance.now();
  }

  private remembered(organizationId: OrganizationId, text: string, outcome: JobOutcome): TemplateProblem {
    if (outcome === THREAD_KILLED) {
      if (this.quarantine.size >= QUARANTINED_MAX) this.quarantine.clear();
      this.quarantine.set(fingerprint(organizationId, text), performance.now() + QUARANTINE_MS);
    }
    return problemIn(outcome);
  }
}

const QUARANTINED: TemplateProblem = {
  code: 'too_costly',
  problem: 'The text took too much time or memory a moment ago. Simplify it, or try again later.',
};

function fingerprint(organizationId: OrganizationId, text: string): string {
  return createHash('sha256').update(organizationId).update(text).digest('base64url');
}

const TOO_LONG: TemplateProblem = {
  code: 'too_costly',
  problem: `The text is longer than ${OUTPUT_LENGTH_MAX} characters after evaluation.`,
  params: { limit: OUTPUT_LENGTH_MAX },
};

const SEES_TOO_MUCH: TemplateProblem = {
  code: 'too_costly',
  problem: `The values that the text can refer to have more than ${SCOPE_LENGTH_MAX} characters in total. Refer to single values by name.`,
  params: { limit: SCOPE_LENGTH_MAX },
};

function problemIn(outcome: JobOutcome | undefined): TemplateProblem {
  if (outcome && 'problem' in outcome) return outcome;
  return { code: 'too_costly', problem: 'The text takes too much time or memory.' };
}

/** Returns the approximate size of the inputs of a text in characters. Each name adds a fixed number of them. */
function estimateSize(
  scope: Pick<TextScope, 'parameters' | 'templates'> & Partial<Pick<TextScope, 'projects'>>,
): number {
  let size = 0;
  for (const texts of [scope.parameters, scope.templates])
    for (const [name, text] of texts) size += ENTRY_SIZE + name.length + (text?.length ?? 0);
  for (const project of scope.projects?.values() ?? []) size += estimateSize(project);
  return size;
}

const ENTRY_SIZE = 50;

function toMessage({ project, environment, self, parameters, templates, projects }: TextScope): ScopeMessage {
  return {
    project,
    environment,
    self,
    parameters: [...parameters],
    templates: [...templates],
    projects: [...projects].map(([name, projectScope]) => [
      name,
      { parameters: [...projectScope.parameters], templates: [...projectScope.templates] },
    ]),
  };
}
