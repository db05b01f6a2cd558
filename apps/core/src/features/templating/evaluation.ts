import { Injectable } from '@nestjs/common';
import {
  type EvaluationProblem,
  type EvaluationStep,
  evaluationSteps,
  Failure,
  MASK,
  type OrganizationId,
  type Permissions,
  type ProjectId,
  type Revision,
  stepKey,
  type TextInEnvironment,
  TooManyStepsError,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Vault } from '../../platform/vault/vault.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import {
  type EvaluationInputs,
  type EvaluationInputsQuery,
  EvaluationInputsReader,
  type ReferenceRecord,
} from './evaluation-inputs.ts';
import { forbiddenSteps, selectStepsToRun } from './forbidden-steps.ts';
import { inputDigests, storedTexts } from './input-digests.ts';
import { TOO_LONG_TOGETHER } from './liquid/jobs.ts';
import { Language, type RenderTask } from './liquid/language.ts';
import { isReferenceVisible } from './reference-links.ts';
import { Sources, UNNAMED } from './sources.ts';
import { EMPTY_RUN, listProblemsBySource, secretSteps, type TextRun, withoutDependentsOfFailed } from './text-run.ts';

/** The number of texts that are rendered in one call. */
const CHUNK = 500;
/** The number of inputs of the texts that are rendered in one call. */
const CHUNK_INPUTS = 20_000;
/** The maximum total length of the evaluated texts of one response. */
const CHARACTERS_MAX = 64 * 1_048_576;

export interface EvaluatedText {
  /** Null if evaluated texts were not requested. */
  readonly text: string | null;
  readonly secret: boolean;
  /** Whether the text depends on a forbidden project. If so, it was not evaluated at all. */
  readonly forbidden: boolean;
  /**
   * The reason why the text cannot be evaluated, and the text that causes it. Null unless each text reports its own
   * errors.
   */
  readonly problem: EvaluationProblem | null;
}

/** The evaluated texts in the requested environments. */
export interface EvaluationResults {
  /** Returns null for a literal value, which is not evaluated. */
  evaluatedText(text: TextInEnvironment): EvaluatedText | null;
  referencesOf(sourceId: string): readonly ReferenceRecord[];
  /** The projects whose content the texts depend on, directly or transitively. */
  readonly inputProjects: readonly ProjectId[];
  /**
   * Returns a digest that stands for a hidden text. If two digests are equal, the texts count as equal, as far as the
   * caller may know.
   */
  inputDigest(text: TextInEnvironment): string;
}

/**
 * The texts to evaluate. `all` evaluates every text, and rejects the whole response if one fails. `each` evaluates
 * every text, and lets each report its own error. `open` is like `each`, but skips secret texts.
 */
export type EvaluationMode = 'all' | 'each' | 'open';

/** The result without dynamic values. It needs no evaluation. */
export const NOTHING_EVALUATED: EvaluationResults = {
  evaluatedText: () => null,
  referencesOf: () => [],
  inputProjects: [],
  inputDigest: () => '',
};

/** A value whose text may be dynamic. */
type EvaluableText = Pick<ValueRecord, 'id' | 'text' | 'interpolated'>;

/** A snapshot whose dynamic values are not evaluated yet. */
interface EvaluableSnapshot extends Pick<ProjectSnapshot, 'organizationId' | 'revision' | 'permissions' | 'at'> {
  readonly values: readonly EvaluableText[];
}

export interface EvaluationRequest {
  readonly organizationId: OrganizationId;
  /**
   * The caller's permissions. Contents of forbidden projects are masked, even if the author of the text had access to
   * them.
   */
  readonly permissions: Permissions;
  readonly revision: Revision;
  readonly isPresent?: boolean;
  readonly requested: readonly TextInEnvironment[];
  /** The name or id of the requested environment, if there is only one. */
  readonly environment?: string | undefined;
  /** Whether to evaluate the texts. If false, only their references and secret flags are determined. */
  readonly evaluate: boolean;
  /** The default is `all`. */
  readonly mode?: EvaluationMode;
  /** The values that a plan writes. Their own text is the only input of their digests. */
  readonly written?: ReadonlySet<string>;
  /** Returns the keys of further steps to skip, as if they depended on a forbidden project. */
  readonly skippedSteps?: (steps: ReadonlyMap<string, EvaluationStep>) => ReadonlySet<string>;
  /** A text that is not stored. */
  readonly draft?: UnstoredText | undefined;
}

/** Options for the dynamic texts of a snapshot. */
type ShownTexts = Pick<EvaluationRequest, 'evaluate' | 'environment' | 'mode'>;

/** A text that is evaluated as if it were a template of its project. */
export interface UnstoredText {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly body: string;
  readonly references: readonly ReferenceRecord[];
}

/**
 * The only class that evaluates texts. Lists, single reads, values, effective configurations, exports, previews and
 * validation use it.
 */
@Injectable()
export class TextEvaluator {
  constructor(
    private readonly inputs: EvaluationInputsReader,
    private readonly language: Language,
    private readonly vault: Vault,
  ) {}

  /** Evaluates texts. Throws a Failure (422) with one entry for each text that cannot be evaluated. */
  async of(request: EvaluationRequest, reader?: SnapshotReader): Promise<EvaluationResults> {
    if (request.requested.length === 0) return NOTHING_EVALUATED;
    return this.within(await this.evaluationInputs(request, reader), request.requested, request);
  }

  /** Evaluates texts with inputs that were already loaded. */
  async within(
    inputs: EvaluationInputs,
    requestedTexts: readonly TextInEnvironment[],
    {
      organizationId,
      permissions,
      evaluate,
      mode = 'all',
      written,
      skippedSteps,
    }: Pick<EvaluationRequest, 'organizationId' | 'permissions' | 'evaluate' | 'mode' | 'written' | 'skippedSteps'>,
  ): Promise<EvaluationResults> {
    const steps = await planSteps(inputs, requestedTexts);
    const forbiddenKeys = new Set([...forbiddenSteps(permissions, inputs, steps), ...(skippedSteps?.(steps) ?? [])]);
    // Hidden texts are not evaluated at all, because a failure would reveal something about their inputs.
    const hiddenKeys = mode === 'open' ? new Set([...forbiddenKeys, ...secretSteps(steps)]) : forbiddenKeys;
    const { texts, problems } = evaluate
      ? await this.texts(organizationId, inputs, selectStepsToRun(steps, requestedTexts, hiddenKeys), mode)
      : EMPTY_RUN;
    let digests: EvaluationResults['inputDigest'] | null = null;
    const isShown = isReferenceVisible(permissions, inputs.projectsNow === null);
    const references = Map.groupBy(inputs.references.filter(isShown), ({ sourceId }) => sourceId);
    return {
      evaluatedText: (text) => {
        const key = stepKey(text);
        const step = steps.get(key);
        if (!step) return null;
        if (forbiddenKeys.has(key))
          return { text: evaluate ? MASK : null, secret: true, forbidden: true, problem: null };
        const problem = problems.get(key) ?? null;
        return { text: texts.get(key) ?? null, secret: step.secret, forbidden: false, problem };
      },
      referencesOf: (sourceId) => references.get(sourceId) ?? [],
      inputProjects: inputs.projects.map(({ id }) => id),
      inputDigest: (text) => {
        digests ??= inputDigests(inputs, steps, storedTexts(inputs, written), forbiddenKeys);
        return digests(text);
      },
    };
  }

  /**
   * Evaluates the dynamic values that a response shows, each in an environment. Calls `shown` only if there are dynamic
   * values.
   */
  async ofSnapshot(
    snapshot: EvaluableSnapshot,
    listShown: () => Iterable<readonly [value: EvaluableText | null, environmentId: string]>,
    { evaluate, environment, mode = 'all' }: ShownTexts,
    reader?: SnapshotReader,
  ): Promise<EvaluationResults> {
    const { organizationId, revision, permissions, at } = snapshot;
    if (!snapshot.values.some(({ interpolated }) => interpolated)) return NOTHING_EVALUATED;
    const requestedTexts: TextInEnvironment[] = [];
    for (const [value, environmentId] of listShown()) {
      if (value?.interpolated && value.text !== null) requestedTexts.push({ sourceId: value.id, environmentId });
    }
    return this.of(
      {
        organizationId,
        permissions,
        revision,
        isPresent: at === 'now',
        requested: requestedTexts,
        environment,
        evaluate,
        mode,
      },
      reader,
    );
  }

  private async evaluationInputs(request: EvaluationRequest, reader?: SnapshotReader): Promise<EvaluationInputs> {
    const { organizationId, revision, isPresent, requested, environment, draft } = request;
    const sourceIds = [...new Set(requested.map(({ sourceId }) => sourceId))];
    const query: EvaluationInputsQuery = {
      organizationId,
      revision,
      isPresent: isPresent ?? false,
      sourceIds,
      environment,
      more: draft?.references ?? [],
      projectIds: draft ? [draft.projectId] : [],
    };
    const inputs = await this.inputs.of(query, reader);
    return draft ? { ...inputs, templates: [...inputs.templates, draft] } : inputs;
  }

  private async texts(
    organizationId: OrganizationId,
    inputs: EvaluationInputs,
    steps: readonly EvaluationStep[],
    mode: EvaluationMode,
  ): Promise<TextRun> {
    const openedSources = new Sources(inputs, await this.opener(organizationId, inputs));
    const texts = new Map<string, string>();
    const problems = new Map<string, EvaluationProblem>();
    const levels = [...Map.groupBy(steps, ({ depth }) => depth)].sort(([a], [b]) => a - b);
    const yielder = new EventLoopYielder();
    let left = CHARACTERS_MAX;
    for (const [, level] of levels) {
      for (const chunk of splitChunks(withoutDependentsOfFailed(level, problems))) {
        const tasks: RenderTask[] = [];
        for (const step of chunk) {
          tasks.push({
            text: openedSources.readText(step),
            scope: await openedSources.createScope(step, texts, yielder),
          });
          if (yielder.isDue) await yielder.yield();
        }
        const results = await this.language.render(organizationId, tasks, left);
        for (const [index, step] of chunk.entries()) {
          const result = results[index];
          if (typeof result === 'string') {
            texts.set(step.key, result);
            left -= result.length;
          } else if (result) {
            const { code, problem: message, params } = result;
            problems.set(step.key, { ...openedSources.findOwner(step), code, message, params });
          }
        }
        if (mode === 'all' && problems.size > 0) throw Failure.evaluation(listProblemsBySource(chunk, problems));
        await yielder.yield();
      }
    }
    return { texts, problems };
  }

  private async opener(organizationId: OrganizationId, inputs: EvaluationInputs) {
    if (!inputs.values.some(({ sealed }) => sealed !== null)) return null;
    return this.vault.opener(organizationId);
  }
}

/** Returns the steps that evaluate some texts, each with its inputs. Throws a Failure (422) if there are too many. */
export async function planSteps(
  inputs: EvaluationInputs,
  requestedTexts: readonly TextInEnvironment[],
): Promise<ReadonlyMap<string, EvaluationStep>> {
  const yielder = new EventLoopYielder();
  try {
    const planning = evaluationSteps(inputs, requestedTexts);
    for (let step = planning.next(); ; step = planning.next()) {
      if (step.done) return step.value;
      if (yielder.isDue) await yielder.yield();
    }
  } catch (error) {
    throw error instanceof TooManyStepsError ? tooLargeError() : error;
  }
}

/** Yields chunks of steps to render in one call. Chunks are smaller if their steps have many inputs. */
function* splitChunks(steps: readonly EvaluationStep[]): Generator<readonly EvaluationStep[], void> {
  let chunk: EvaluationStep[] = [];
  let inputs = 0;
  for (const step of steps) {
    chunk.push(step);
    inputs += step.inputs.length;
    if (chunk.length < CHUNK && inputs < CHUNK_INPUTS) continue;
    yield chunk;
    chunk = [];
    inputs = 0;
  }
  if (chunk.length > 0) yield chunk;
}

function tooLargeError(): Failure {
  return Failure.evaluation([{ ...UNNAMED, code: TOO_LONG_TOGETHER.code, message: TOO_LONG_TOGETHER.problem }]);
}
