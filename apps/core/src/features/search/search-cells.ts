import { Injectable } from '@nestjs/common';
import {
  type EnvironmentId,
  type EnvironmentNode,
  effectiveValueOfName,
  MASK,
  type Permissions,
  type TextInEnvironment,
  type VisibleParameter,
  valuesOfName,
  type WinningCell,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { WalkedProject } from '../effective/project-walk.ts';
import type { Forest } from '../snapshot/forest.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import { TextEvaluator } from '../templating/evaluation.ts';
import { evaluateInParts, type SplitEvaluation } from '../templating/split-evaluation.ts';

type Visible = VisibleParameter<ParameterRecord>;

/** The cells to evaluate, and the caller's permissions. */
export interface CellQuery {
  readonly forest: Forest;
  readonly permissions: Permissions;
  /** The environments to evaluate, in display order. */
  readonly environments: readonly EnvironmentNode[];
  readonly lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[];
}

interface Winner {
  readonly environmentId: EnvironmentId;
  readonly value: ValueRecord;
}

/** Evaluates the effective values of some names of a project in each environment. */
@Injectable()
export class SearchCells {
  constructor(private readonly evaluations: TextEvaluator) {}

  /** Returns one list of cells per name. Marks texts that cannot be evaluated; these do not affect the others. */
  async of(
    walkedProject: WalkedProject,
    names: readonly Visible[],
    request: CellQuery,
  ): Promise<readonly (readonly WinningCell[])[]> {
    const yielder = new EventLoopYielder();
    const winners: (readonly Winner[])[] = [];
    for (const name of names) {
      winners.push(listWinners(walkedProject, name, request));
      if (yielder.isDue) await yielder.yield();
    }
    const evaluationResults = await this.evaluated(winners.flat(), request);
    const cells: WinningCell[][] = [];
    for (const parameterWinners of winners) {
      cells.push(parameterWinners.map((winner) => createCell(walkedProject, winner, evaluationResults)));
      if (yielder.isDue) await yielder.yield();
    }
    return cells;
  }

  private evaluated(
    winners: readonly Winner[],
    { forest: { organizationId, at, revision }, permissions }: CellQuery,
  ): Promise<SplitEvaluation> {
    const dynamic = winners.flatMap(({ value, environmentId }): TextInEnvironment[] =>
      value.interpolated && value.text !== null ? [{ sourceId: value.id, environmentId }] : [],
    );
    const request = {
      organizationId,
      permissions,
      revision,
      isPresent: at === 'now',
      evaluate: true,
      mode: 'open',
    } as const;
    return evaluateInParts(dynamic, (requestedTexts) => this.evaluations.of({ ...request, requested: requestedTexts }));
  }
}

function listWinners(
  { index }: WalkedProject,
  { owners }: Visible,
  { environments, lineageOf }: CellQuery,
): readonly Winner[] {
  const values = valuesOfName(owners, index);
  return environments.flatMap(({ id: environmentId }) => {
    const value = effectiveValueOfName(values, lineageOf(environmentId));
    return value ? [{ environmentId, value }] : [];
  });
}

function createCell(
  { owners }: WalkedProject,
  { environmentId, value }: Winner,
  evaluationResults: SplitEvaluation,
): WinningCell {
  const evaluatedText = evaluationResults.seen({ sourceId: value.id, environmentId });
  const owner = owners.get(value.parameterId);
  const secret = (owner?.secret ?? false) || (evaluatedText !== 'failed' && (evaluatedText?.secret ?? false));
  // Never reported for secrets, because a failure would reveal something about their inputs.
  const hasFailed = !secret && (evaluatedText === 'failed' || (evaluatedText?.problem ?? null) !== null);
  return {
    environmentId,
    valueId: value.id,
    parameterId: value.parameterId,
    sourceEnvironmentId: value.environmentId,
    sourceProjectId: owner?.projectId ?? '',
    text: hasFailed
      ? null
      : secret
        ? hideText(value)
        : evaluatedText && evaluatedText !== 'failed'
          ? evaluatedText.text
          : value.text,
    secret,
    dynamic: value.interpolated,
    failed: hasFailed,
  };
}

/**
 * Returns the mask, or null if the value is an explicit null. Secrets are never compared; the response only shows
 * whether one is set.
 */
function hideText({ text, sealed }: ValueRecord): string | null {
  return text === null && sealed === null ? null : MASK;
}
