import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import type { ValueId, ValueType } from '@strata/domain';
import { withoutDisclosure } from '../../../platform/limits/request-limits.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { Validator } from '../../validation/validator.ts';
import type { StoredContent } from './value.store.ts';
import type { ParameterContext, ValueWithContext } from './value-with-context.ts';

export interface Content {
  readonly text: string | null;
  readonly interpolated: boolean;
}

/** What the input names, and nothing of what it leaves out. */
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
   * A literal text is validated against the parameter's type and rules, and sealed if the parameter is secret; an explicit
   * null skips both. A dynamic text is validated as it looks once evaluated, when its references are stored.
   */
  async stored(
    parameter: ParameterContext,
    id: ValueId,
    { text, interpolated }: Content,
    typeOf: () => ValueType | Promise<ValueType>,
  ): Promise<StoredContent> {
    if (text === null || interpolated) return { text, sealed: null, interpolated };
    await this.validator.validateText(await typeOf(), text);
    if (!parameter.secret) return { text, sealed: null, interpolated };
    const { organizationId } = parameter;
    const sealed = await this.vault.seal({ organizationId, column: 'value.sealed', rowId: id }, text);
    return { text: null, sealed, interpolated };
  }

  async textOf({ organizationId, value }: ValueWithContext): Promise<string | null> {
    const open = await this.vault.valueOpener(organizationId, [value]);
    // only compared with a text that replaces it: a wrong guess is in the ledger
    return withoutDisclosure(() => open(value));
  }
}
