import { createHash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  fillPlainText,
  type OrganizationId,
  type Path,
  type PlainText,
  pathsOf,
  plainText,
  TEMPLATE_LENGTH_MAX,
  type TextScope,
} from '@strata/domain';
import type { Outcome, ProblemCode, ScopeMessage, Task } from './jobs.ts';
import { KILLED, LiquidWorkers } from './workers.ts';

/** More than this is no configuration; it protects the memory of everybody who would hold it. */
export const OUTPUT_LENGTH_MAX = 1_048_576;
/** A text that cost a thread is not tried again for so long. */
const QUARANTINE_MS = 30_000;
const QUARANTINED_MAX = 1_000;
/** Short texts are kept with their pieces; the bounds keep this to a few megabytes. */
const PLAIN_MAX = 2_000;
const PLAIN_LENGTH_MAX = 1_024;

export interface TextProblem {
  readonly problem: string;
  readonly code: ProblemCode;
}

export interface RenderTask {
  readonly text: string;
  readonly scope: TextScope;
}

/**
 * The language of templates and dynamic values. What only names things is done here and at once; everything else runs
 * in threads that can be killed, so that no text can hold up the process.
 */
@Injectable()
export class Language implements OnApplicationShutdown {
  private readonly workers = new LiquidWorkers({
    textLength: TEMPLATE_LENGTH_MAX,
    outputLength: OUTPUT_LENGTH_MAX,
    renderMs: 500,
    memoryUnits: 4_000_000,
  });
  private readonly plain = new Map<string, PlainText | null>();
  private readonly quarantine = new Map<string, number>();

  /** The names that a text mentions, found without running it. */
  async pathsIn(organizationId: OrganizationId, text: string): Promise<readonly Path[] | TextProblem> {
    const parts = this.partsOf(text);
    if (parts) return pathsOf(parts);
    const [outcome] = await this.workers.run(organizationId, [{ do: 'parse', text }]);
    if (outcome && 'paths' in outcome) return outcome.paths;
    return problemIn(outcome);
  }

  /** For each task its text, or what is wrong with it; nothing for those that were not reached after one too costly. */
  async render(
    organizationId: OrganizationId,
    tasks: readonly RenderTask[],
  ): Promise<readonly (string | TextProblem | undefined)[]> {
    const results: (string | TextProblem | undefined)[] = tasks.map(() => undefined);
    const slow: { readonly index: number; readonly task: Task }[] = [];
    for (const [index, { text, scope }] of tasks.entries()) {
      const parts = this.partsOf(text);
      if (parts) results[index] = fillPlainText(parts, scope, OUTPUT_LENGTH_MAX) ?? TOO_LONG;
      else if (this.isQuarantined(organizationId, text)) results[index] = QUARANTINED;
      else slow.push({ index, task: { do: 'render', text, scope: messageOf(scope) } });
    }
    const outcomes = await this.workers.run(
      organizationId,
      slow.map(({ task }) => task),
    );
    for (const [position, { index, task }] of slow.entries()) {
      const outcome = outcomes[position];
      if (outcome)
        results[index] = 'text' in outcome ? outcome.text : this.remembered(organizationId, task.text, outcome);
    }
    return results;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.workers.close();
  }

  private partsOf(text: string): PlainText | null {
    const known = this.plain.get(text);
    if (known !== undefined) return known;
    const parts = plainText(text);
    if (this.plain.size >= PLAIN_MAX) this.plain.clear();
    if (text.length <= PLAIN_LENGTH_MAX) this.plain.set(text, parts);
    return parts;
  }

  private isQuarantined(organizationId: OrganizationId, text: string): boolean {
    const until = this.quarantine.size === 0 ? undefined : this.quarantine.get(fingerprint(organizationId, text));
    return until !== undefined && until > performance.now();
  }

  private remembered(organizationId: OrganizationId, text: string, outcome: Outcome): TextProblem {
    if (outcome === KILLED) {
      if (this.quarantine.size >= QUARANTINED_MAX) this.quarantine.clear();
      this.quarantine.set(fingerprint(organizationId, text), performance.now() + QUARANTINE_MS);
    }
    return problemIn(outcome);
  }
}

const QUARANTINED: TextProblem = {
  code: 'too_costly',
  problem: 'The text took too much time or memory a moment ago. Make it simpler, or try again later.',
};

function fingerprint(organizationId: OrganizationId, text: string): string {
  return createHash('sha256').update(organizationId).update(text).digest('base64url');
}

const TOO_LONG: TextProblem = {
  code: 'too_costly',
  problem: `The text is longer than ${OUTPUT_LENGTH_MAX} characters once evaluated.`,
};

function problemIn(outcome: Outcome | undefined): TextProblem {
  if (outcome && 'problem' in outcome) return outcome;
  return { code: 'too_costly', problem: 'The text takes too much time or memory.' };
}

function messageOf({ project, environment, self, parameters, templates, projects }: TextScope): ScopeMessage {
  return {
    project,
    environment,
    self,
    parameters: [...parameters],
    templates: [...templates],
    projects: [...projects].map(([name, other]) => [
      name,
      { parameters: [...other.parameters], templates: [...other.templates] },
    ]),
  };
}
