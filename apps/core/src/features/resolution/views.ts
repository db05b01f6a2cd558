import { Injectable } from '@nestjs/common';
import { afterWrites, canOnScope, Failure, type Revision, type Standing } from '@strata/domain';
import { type Head, isNotBefore } from '../../platform/database/heads.ts';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import { EffectiveRows, type Place, type PlacedView } from './effective-rows.ts';
import { type Moved, Moves } from './moves.ts';

const BYTES_MAX = 48 * 1_048_576;
/** Objects and entries of tables; texts come on top. */
const VIEW_BYTES = 2_048;
const PLACE_BYTES = 160;
const PARAMETER_BYTES = 320;
const VALUE_BYTES = 360;

/** A view of the present, and a number that changes with its content: equal numbers, equal content. */
export interface PresentView extends PlacedView {
  readonly edition: number;
  /** What it takes of memory, about. */
  readonly bytes: number;
}

/**
 * Effective values of projects. A view of the present is kept and follows the ledger: after a write only what was written is resolved
 * again, and rows are read only when something else than values moved. Secrets stay sealed.
 */
@Injectable()
export class Views {
  private readonly kept = new RecentlyUsed<PresentView>(BYTES_MAX, ({ bytes }) => bytes);
  private editions = 0;

  constructor(
    private readonly rows: EffectiveRows,
    private readonly moves: Moves,
  ) {}

  /** As it was. Throws 404, and 403 for an environment that who asks has no access to. */
  async at(revision: Revision, place: Place, standing: Standing): Promise<PlacedView> {
    const view = await this.rows.at(revision, place, standing);
    demandOnEnvironment(standing, view);
    return view;
  }

  /** As it is, not before `head`. Refuses like `at`. */
  async now(place: Place, head: Head, standing: Standing): Promise<PresentView> {
    const { organizationId, projectId, environment, name } = place;
    const key = JSON.stringify([organizationId, projectId, environment, name]);
    const known = this.kept.get(key);
    const view = known && isNotBefore(known.head, head) ? known : await this.brought(place, known, head, standing);
    if (view !== known) this.kept.put(key, view);
    demandOnEnvironment(standing, view);
    return view;
  }

  private async brought(place: Place, known: PresentView | null, head: Head, standing: Standing): Promise<PresentView> {
    const moved = known && (await this.moves.since(place.organizationId, known.head, head));
    const followed = moved && this.followed(known, moved);
    return followed ?? this.edited(await this.rows.at('now', place, standing));
  }

  /** Null when rows must be read again. */
  private followed(known: PresentView, { head, moves }: Moved): PresentView | null {
    const projects = new Set(known.projectChain.map(({ id }) => id));
    const isElsewhere = moves.every(
      (move) => move.of === 'value' || (move.of === 'project' && !projects.has(move.projectId)),
    );
    if (!isElsewhere) return null;
    const view = afterWrites(
      known.view,
      moves.flatMap((move) => (move.of === 'value' ? move : [])),
    );
    if (view === null) return null;
    return view === known.view ? { ...known, head } : this.edited({ ...known, head, view });
  }

  private edited(view: PlacedView): PresentView {
    this.editions += 1;
    return { ...view, edition: this.editions, bytes: bytesOf(view) };
  }
}

/** 403 unless who asks has access to the environment itself; values of others are inherited from all the same. */
function demandOnEnvironment(standing: Standing, { environment }: PlacedView): void {
  if (!canOnScope(standing, 'read', environment.id)) throw Failure.forbidden();
}

function bytesOf({ view, projectChain }: PlacedView): number {
  let bytes = VIEW_BYTES + (view.lineage.length + projectChain.length) * PLACE_BYTES;
  for (const { parameter, owners } of view.visible) {
    bytes += owners.length * PARAMETER_BYTES + (parameter.name.length + parameter.description.length) * 2;
  }
  for (const { text, sealed } of view.nearest.values()) {
    bytes += VALUE_BYTES + ((text?.length ?? 0) + (sealed?.length ?? 0)) * 2;
  }
  return bytes;
}
