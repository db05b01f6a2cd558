import { Injectable } from '@nestjs/common';
import {
  type EvaluationProblem,
  evaluationSteps,
  Failure,
  MASK,
  type OrganizationId,
  type Revision,
  type Standing,
  type Step,
  stepKey,
  type TextInPlace,
  TooManySteps,
} from '@strata/domain';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Slice } from '../../platform/slice.ts';
import { Vault } from '../../platform/vault/vault.ts';
import type { ProjectSnapshot } from '../snapshot/project-snapshot.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';
import { closedSteps, stepsToRun } from './closed-steps.ts';
import { TOO_LONG_TOGETHER } from './liquid/jobs.ts';
import { Language, type RenderTask } from './liquid/language.ts';
import { showsReference } from './referenced.ts';
import { NOBODY, Sources } from './sources.ts';
import { type ReferenceRecord, type World, type WorldQuestion, Worlds } from './world.ts';

/** How many texts are filled together. */
const TURN = 500;
/** And how much they may see together. */
const TURN_INPUTS = 20_000;
/** All evaluated texts of one answer together. */
const CHARACTERS_MAX = 64 * 1_048_576;

export interface Seen {
  /** Null when nobody asked for evaluated texts. */
  readonly text: string | null;
  readonly secret: boolean;
  /** Depends on a project that who asks has no access to: it was not even run. */
  readonly closed: boolean;
}

/** Texts as they look from the environments that were asked about. */
export interface Evaluated {
  /** Null for a text that is not evaluated: a literal value. */
  seen(place: TextInPlace): Seen | null;
  referencesOf(sourceId: string): readonly ReferenceRecord[];
}

/** What an answer without dynamic values uses; it costs nothing. */
export const NOTHING_EVALUATED: Evaluated = { seen: () => null, referencesOf: () => [] };

/** A value whose text may refer to others. */
type EvaluableText = Pick<ValueRecord, 'id' | 'text' | 'interpolated'>;

/** What was read before its dynamic values are evaluated. */
interface EvaluableSnapshot extends Pick<ProjectSnapshot, 'organizationId' | 'revision' | 'standing' | 'at'> {
  readonly values: readonly EvaluableText[];
}

export interface EvaluationQuestion {
  readonly organizationId: OrganizationId;
  /** Of who asks. What comes from projects that are closed to them is masked, whoever wrote the text. */
  readonly standing: Standing;
  readonly revision: Revision;
  readonly isPresent?: boolean;
  readonly wanted: readonly TextInPlace[];
  /** Name or id, when only one environment is asked about. */
  readonly environment?: string | undefined;
  /** Whether the texts are wanted, and not only what they refer to and whether they are secret. */
  readonly evaluate: boolean;
  /** A text that is not stored. */
  readonly draft?: Draft | undefined;
}

/** A text that is only looked at, as a template of its project would be. */
export interface Draft {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly body: string;
  readonly references: readonly ReferenceRecord[];
}

/** The one evaluator: lists, single answers, values, the effective map, exports, previews and checks all ask it. */
@Injectable()
export class Evaluations {
  constructor(
    private readonly worlds: Worlds,
    private readonly language: Language,
    private readonly vault: Vault,
  ) {}

  /** Throws a Failure (422) with an entry for each text that cannot be evaluated. */
  async of(question: EvaluationQuestion, reader?: SnapshotReader): Promise<Evaluated> {
    if (question.wanted.length === 0) return NOTHING_EVALUATED;
    return this.within(await this.world(question, reader), question.wanted, question);
  }

  /** The same of a world that is loaded already. */
  async within(
    world: World,
    wanted: readonly TextInPlace[],
    { organizationId, standing, evaluate }: Pick<EvaluationQuestion, 'organizationId' | 'standing' | 'evaluate'>,
  ): Promise<Evaluated> {
    const steps = await stepsOf(world, wanted);
    const closed = closedSteps(standing, world, steps);
    // what is hidden is not even run: whether it can be evaluated would tell something about what it sees
    const texts = evaluate
      ? await this.texts(organizationId, world, stepsToRun(steps, wanted, closed))
      : new Map<string, string>();
    const isShown = showsReference(standing, world.projectsNow === null);
    const references = Map.groupBy(world.references.filter(isShown), ({ sourceId }) => sourceId);
    return {
      seen: (place) => {
        const key = stepKey(place);
        const step = steps.get(key);
        if (!step) return null;
        if (closed.has(key)) return { text: evaluate ? MASK : null, secret: true, closed: true };
        return { text: texts.get(key) ?? null, secret: step.secret, closed: false };
      },
      referencesOf: (sourceId) => references.get(sourceId) ?? [],
    };
  }

  /** The dynamic ones among the values that an answer shows, each as seen from an environment. `shown` is only asked if there are any. */
  async ofSnapshot(
    snapshot: EvaluableSnapshot,
    shown: () => Iterable<readonly [value: EvaluableText | null, environmentId: string]>,
    { evaluate, environment }: { readonly evaluate: boolean; readonly environment?: string | undefined },
    reader?: SnapshotReader,
  ): Promise<Evaluated> {
    const { organizationId, revision, standing, at } = snapshot;
    if (!snapshot.values.some(({ interpolated }) => interpolated)) return NOTHING_EVALUATED;
    const wanted: TextInPlace[] = [];
    for (const [value, environmentId] of shown()) {
      if (value?.interpolated && value.text !== null) wanted.push({ sourceId: value.id, environmentId });
    }
    return this.of(
      { organizationId, standing, revision, isPresent: at === 'now', wanted, environment, evaluate },
      reader,
    );
  }

  private async world(question: EvaluationQuestion, reader?: SnapshotReader): Promise<World> {
    const { organizationId, revision, isPresent, wanted, environment, draft } = question;
    const sourceIds = [...new Set(wanted.map(({ sourceId }) => sourceId))];
    const asked: WorldQuestion = {
      organizationId,
      revision,
      isPresent: isPresent ?? false,
      sourceIds,
      environment,
      more: draft?.references ?? [],
      homes: draft ? [draft.projectId] : [],
    };
    const world = await this.worlds.of(asked, reader);
    return draft ? { ...world, templates: [...world.templates, draft] } : world;
  }

  private async texts(
    organizationId: OrganizationId,
    world: World,
    steps: readonly Step[],
  ): Promise<ReadonlyMap<string, string>> {
    const sources = new Sources(world, await this.opener(organizationId, world));
    const texts = new Map<string, string>();
    const levels = [...Map.groupBy(steps, ({ depth }) => depth)].sort(([a], [b]) => a - b);
    const slice = new Slice();
    let left = CHARACTERS_MAX;
    for (const [, level] of levels) {
      for (const turn of turnsOf(level)) {
        const tasks: RenderTask[] = [];
        for (const step of turn) {
          tasks.push({ text: sources.textOf(step), scope: await sources.scopeOf(step, texts, slice) });
          if (slice.isOver) await slice.next();
        }
        const results = await this.language.render(organizationId, tasks, left);
        const problems = new Map<string, EvaluationProblem>();
        for (const [index, step] of turn.entries()) {
          const result = results[index];
          if (typeof result === 'string') {
            texts.set(step.key, result);
            left -= result.length;
          } else if (result) {
            problems.set(step.sourceId, { ...sources.whose(step), code: result.code, message: result.problem });
          }
        }
        if (problems.size > 0) throw Failure.evaluation([...problems.values()]);
        await slice.next();
      }
    }
    return texts;
  }

  private async opener(organizationId: OrganizationId, world: World) {
    if (!world.values.some(({ sealed }) => sealed !== null)) return null;
    return this.vault.opener(organizationId);
  }
}

async function stepsOf(world: World, wanted: readonly TextInPlace[]): Promise<ReadonlyMap<string, Step>> {
  const slice = new Slice();
  try {
    const planning = evaluationSteps(world, wanted);
    for (let found = planning.next(); ; found = planning.next()) {
      if (found.done) return found.value;
      if (slice.isOver) await slice.next();
    }
  } catch (error) {
    throw error instanceof TooManySteps ? tooMuch() : error;
  }
}

/** Steps that are filled together: some hundred, fewer of those that see much. */
function* turnsOf(steps: readonly Step[]): Generator<readonly Step[], void> {
  let turn: Step[] = [];
  let inputs = 0;
  for (const step of steps) {
    turn.push(step);
    inputs += step.inputs.length;
    if (turn.length < TURN && inputs < TURN_INPUTS) continue;
    yield turn;
    turn = [];
    inputs = 0;
  }
  if (turn.length > 0) yield turn;
}

function tooMuch(): Failure {
  return Failure.evaluation([{ ...NOBODY, code: TOO_LONG_TOGETHER.code, message: TOO_LONG_TOGETHER.problem }]);
}
