import { Injectable } from '@nestjs/common';
import type { OrganizationId, Revision, ValueId } from '@strata/domain';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import type { MeasuredCell } from './value-cell.ts';

/** As of one revision. */
interface Memory {
  readonly epoch: string;
  revision: Revision;
  readonly cells: Map<ValueId, MeasuredCell>;
}

const CELLS_MAX = 64;
const TEXT_LENGTH_MAX = 4_096;
/** Of all organizations together, and an estimate of one. */
const BYTES_MAX = 16 * 1_048_576;
const BYTES_OF_ONE = CELLS_MAX * 1_024;

/**
 * What writes of values have just learned of their cells. It holds for exactly one revision: whoever uses it must let the
 * write fail when the organization is at another. Writes of values that follow each other carry it along; after anything
 * else, here or elsewhere, the numbers do not follow and it begins anew.
 */
@Injectable()
export class RecentCells {
  private readonly memories = new RecentlyUsed<Memory>(BYTES_MAX, () => BYTES_OF_ONE);

  /** The cell, as of the revision that it tells; null when nothing is known. */
  of(organizationId: OrganizationId, id: ValueId): MeasuredCell | null {
    const memory = this.memories.get(organizationId);
    const cell = memory?.cells.get(id);
    return memory && cell ? { ...cell, revision: memory.revision } : null;
  }

  /** After a write that changed the last of these cells, and nothing else that cells tell. */
  keep(...cells: readonly [...MeasuredCell[], MeasuredCell]): void {
    const { organizationId, epoch, revision } = cells.at(-1) as MeasuredCell;
    let memory = this.memories.get(organizationId);
    if (!memory || memory.epoch !== epoch || memory.revision !== revision - 1) {
      memory = { epoch, revision, cells: new Map() };
      this.memories.put(organizationId, memory);
    }
    memory.revision = revision;
    for (const cell of cells) {
      memory.cells.delete(cell.value.id);
      if (isSmall(cell)) memory.cells.set(cell.value.id, cell);
    }
    for (const id of memory.cells.keys()) {
      if (memory.cells.size <= CELLS_MAX) break;
      memory.cells.delete(id);
    }
  }
}

function isSmall({ value: { text, sealed } }: MeasuredCell): boolean {
  return (text?.length ?? 0) + (sealed?.length ?? 0) <= TEXT_LENGTH_MAX;
}
