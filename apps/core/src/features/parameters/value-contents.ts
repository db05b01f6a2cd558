import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import type { ValueId, ValueType } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { Vault } from '../../platform/vault/vault.ts';
import { Validator } from '../validation/validator.ts';
import type { ParameterEntity } from './parameter.entity.ts';
import type { CellParameter, ValueCell } from './value-cell.ts';

export interface Content {
  readonly text: string | null;
  readonly interpolated: boolean;
}

export interface StoredContent extends Content {
  readonly sealed: Buffer | null;
}

/** What a wish says, and nothing of what it leaves out. */
export function definedContent({ internal_value: text, interpolated }: ValuePatch): Partial<Content> {
  return { ...(text !== undefined && { text }), ...(interpolated !== undefined && { interpolated }) };
}

/** What values hold: as people read it, and as it is stored. */
@Injectable()
export class ValueContents {
  constructor(
    private readonly vault: Vault,
    private readonly validator: Validator,
  ) {}

  /**
   * A literal text is checked against the parameter's type and rules, and sealed if the parameter is secret; an explicit null
   * skips both. A dynamic text is checked as it looks once evaluated, when its references are kept.
   */
  async stored(
    parameter: CellParameter,
    id: ValueId,
    { text, interpolated }: Content,
    measure: () => Promise<ValueType>,
  ): Promise<StoredContent> {
    if (text === null || interpolated) return { text, sealed: null, interpolated };
    await this.validator.validateText(await measure(), text);
    if (!parameter.secret) return { text, sealed: null, interpolated };
    const { organizationId } = parameter;
    const sealed = await this.vault.seal({ organizationId, column: 'value.sealed', rowId: id }, text);
    return { text: null, sealed, interpolated };
  }

  /** By what the texts of a parameter are measured now. */
  typeOf(em: EntityManager, parameter: ParameterEntity): Promise<ValueType> {
    return this.validator.typeOf(em, parameter);
  }

  async textOf({ organizationId, value }: ValueCell): Promise<string | null> {
    return (await this.vault.valueOpener(organizationId, [value]))(value);
  }
}
