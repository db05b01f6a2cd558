import { Injectable } from '@nestjs/common';
import {
  canOnScope,
  type EffectiveCell,
  type EffectiveCellChange,
  effectiveDifference,
  Failure,
  type Revision,
  resolver,
} from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { parametersOf, rowsAt } from '../../platform/postgres/versioned-table.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { canReadChain, chainOf } from '../snapshot/lookup.ts';
import type { ConfigurationSnapshot, ValueRecord, ViewedParameter } from '../snapshot/snapshot.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { type Evaluated, Evaluations, NOTHING_EVALUATED } from '../templating/evaluation.ts';

/** What is looked at on either side; each cell is resolved, and dynamic ones are evaluated. */
const CELLS_MAX = 200_000;
/** What is told exactly. */
const CHANGES_MAX = 10_000;

type Snapshot = ConfigurationSnapshot<ViewedParameter, ValueRecord>;
type RawCell = Omit<EffectiveCell, 'text' | 'sources'> & { readonly value: ValueRecord };

/** What a changeset has changed for programs, inherited values included: the difference of what was shown before and after it. */
@Injectable()
export class EffectiveChanges {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly snapshots: Snapshots,
    private readonly evaluations: Evaluations,
    private readonly vault: Vault,
  ) {}

  /** In projects and environments that the caller may read; 400 where that is too much to tell. */
  async of(caller: Caller, revision: Revision): Promise<readonly EffectiveCellChange[]> {
    const [before, after] = [await this.cellsAt(caller, revision - 1), await this.cellsAt(caller, revision)];
    const changes = effectiveDifference(before, after);
    if (changes.length > CHANGES_MAX) throw tooMuch();
    return changes;
  }

  private async cellsAt(caller: Caller, at: Revision): Promise<readonly EffectiveCell[]> {
    const { organizationId } = caller;
    const projects = await this.reader.query<{ id: string }>(
      `select id from ${rowsAt('project', at)} p where $2::bigint is not null`,
      parametersOf(organizationId, at),
    );
    const snapshot = await this.snapshots.of({
      organizationId,
      at,
      projectIds: projects.map(({ id }) => id),
      parameters: 'effective',
      values: 'complete',
    });
    const raw = await rawCells(snapshot, caller);
    const evaluated = await this.evaluated(caller, at, raw);
    const open = await this.vault.valueOpener(organizationId, snapshot.values);
    const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
    return raw.map(({ value, ...cell }) => {
      const seen = evaluated.seen({ sourceId: value.id, environmentId: cell.environment.id });
      if (!seen) return { ...cell, text: open(value), sources: [value.ledger_id] };
      const said = evaluated
        .referencesOf(value.id)
        .flatMap(({ targetId }) => (targetId && valuesOf.get(targetId)) || []);
      const sources = [value.ledger_id, ...said.map(({ ledger_id: id }) => id).sort()];
      return { ...cell, text: seen.text, secret: cell.secret || seen.secret, sources };
    });
  }

  private evaluated(
    { organizationId, role, scopes }: Caller,
    revision: Revision,
    cells: readonly RawCell[],
  ): Promise<Evaluated> | Evaluated {
    const wanted = cells.flatMap(({ value, environment }) =>
      value.interpolated && value.text !== null ? [{ sourceId: value.id, environmentId: environment.id }] : [],
    );
    if (wanted.length === 0) return NOTHING_EVALUATED;
    return this.evaluations.of({ organizationId, permissions: { role, scopes }, revision, wanted, evaluate: true });
  }
}

async function rawCells(snapshot: Snapshot, caller: Caller): Promise<readonly RawCell[]> {
  const environments = snapshot.environments.filter(({ id }) => canOnScope(caller, 'read', id));
  const parametersOfProject = Map.groupBy(snapshot.parameters, ({ projectId }) => projectId);
  const valuesOf = Map.groupBy(snapshot.values, ({ parameterId }) => parameterId);
  const yielder = new EventLoopYielder();
  const cells: RawCell[] = [];
  for (const project of snapshot.projects.filter(({ id }) => canReadChain(snapshot, id, caller))) {
    const projectChain = chainOf(snapshot, project.id);
    const parameters = projectChain.flatMap(({ id }) => parametersOfProject.get(id) ?? []);
    const values = parameters.flatMap(({ id }) => valuesOf.get(id) ?? []);
    const { visible, inEnvironment } = resolver({
      environments: snapshot.environments,
      projectChain,
      parameters,
      values,
    });
    for (const environment of environments) {
      for (const [index, value] of inEnvironment(environment.id).entries()) {
        const parameter = visible[index]?.parameter;
        if (value && parameter)
          cells.push({ project, environment, name: parameter.name, secret: parameter.secret, value });
      }
      if (cells.length > CELLS_MAX) throw tooMuch();
      if (yielder.isOver) await yielder.next();
    }
  }
  return cells;
}

function tooMuch(): Failure {
  return Failure.invalid(
    'answer_too_long',
    'That is too much to compare at once. Read the effective configuration of single projects at the revisions instead.',
  );
}
