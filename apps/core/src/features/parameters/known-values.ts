import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import { demandIfControlled, demandOnScope, Failure, type ValueId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { Work, type Written } from '../../platform/database/work.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { RecentCells } from './recent-cells.ts';
import type { MeasuredCell, ValueCell } from './value-cell.ts';
import { definedContent, type StoredContent, ValueContents } from './value-contents.ts';
import { changeOf, type StoredValue, updateOne } from './value-writes.ts';

/** Changes of values of which everything is known from the write before. */
@Injectable()
export class KnownValues {
  constructor(
    private readonly work: Work,
    private readonly recent: RecentCells,
    private readonly contents: ValueContents,
  ) {}

  /**
   * In one journey, when the cell is known from a write before it and nothing has happened since. Null when it has, or when
   * anything speaks against the change: whether that is so must be found out with the head in hand.
   */
  async change(caller: Caller, key: ParameterKey, id: ValueId, wish: ValuePatch): Promise<Written<ValueCell> | null> {
    const cell = this.recent.of(key.organizationId, id);
    const isPlain = !wish.external && !wish.interpolated && !cell?.value.interpolated && !cell?.isMentioned;
    if (!cell || !isPlain || cell.parameter.id !== key.id || cell.project.id !== key.projectId) return null;
    const content = await this.contentOf(caller, cell, wish);
    if (!content) return null;
    return this.work.writeAt<StoredValue, ValueCell>(caller, {
      // others may have written while this one waited
      at: () => this.recent.truthOf(cell),
      statement: updateOne(cell, content),
      change: changeOf('update', id, cell),
      made: ([stored], revision) => {
        const changed = { ...cell, revision, value: { ...cell.value, ...stored } };
        this.recent.keep(changed);
        return changed;
      },
    });
  }

  private async contentOf(caller: Caller, cell: MeasuredCell, wish: ValuePatch): Promise<StoredContent | null> {
    try {
      demandOnScope(caller, 'write', cell.project.id);
      demandIfControlled(caller, 'write', cell.environment.id);
      const text = await this.contents.textOf(cell);
      const wanted = { text, interpolated: false, ...definedContent(wish) };
      if (wanted.text === text) return null;
      return await this.contents.stored(cell.parameter, cell.value.id, wanted, async () => cell.type);
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  }
}
