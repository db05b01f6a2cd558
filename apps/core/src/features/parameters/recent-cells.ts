import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { OrganizationId, Revision, ValueId } from '@strata/domain';
import { Bell } from '../../platform/database/bell.ts';
import type { At } from '../../platform/database/work.ts';
import { RecentlyUsed } from '../../platform/recently-used.ts';
import type { MeasuredCell } from './value-cell.ts';

/** As of one revision. */
interface Memory {
  readonly epoch: string;
  revision: Revision;
  readonly cells: Map<ValueId, MeasuredCell>;
}

const CELLS_MAX = 64;
/** Of its texts, types and rules. */
const CELL_LENGTH_MAX = 4_096;
/** Of all organizations together, and more than one can take: characters may be two bytes. */
const BYTES_MAX = 64 * 1_048_576;
const BYTES_OF_ONE = CELLS_MAX * (1_024 + 2 * CELL_LENGTH_MAX);

/**
 * What writes of values have just learned of their cells. It holds for exactly one revision: whoever uses it must let the
 * write fail when the organization is at another. Writes of values that follow each other carry it along; after anything
 * else, here or elsewhere, the numbers do not follow and it begins anew.
 */
@Injectable()
export class RecentCells implements OnModuleDestroy {
  private memories = nothing();
  private readonly stopListening: () => void;

  constructor(bell: Bell) {
    // behind a line that was down there may be another database, whose history has other revisions of the same numbers
    this.stopListening = bell.onRing((organizationId) => {
      if (organizationId === null) this.memories = nothing();
    });
  }

  /** A cell, if it is known. */
  of(organizationId: OrganizationId, id: ValueId): MeasuredCell | null {
    return this.memories.get(organizationId)?.cells.get(id) ?? null;
  }

  /** When this very cell is true; null when it is no longer known to be. */
  truthOf(cell: MeasuredCell): At | null {
    const memory = this.memories.get(cell.organizationId);
    return memory?.cells.get(cell.value.id) === cell ? { epoch: memory.epoch, revision: memory.revision } : null;
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

  onModuleDestroy(): void {
    this.stopListening();
  }
}

const nothing = () => new RecentlyUsed<Memory>(BYTES_MAX, () => BYTES_OF_ONE);

function isSmall({ value: { text, sealed }, weight }: MeasuredCell): boolean {
  return (text?.length ?? 0) + (sealed?.length ?? 0) + weight <= CELL_LENGTH_MAX;
}
