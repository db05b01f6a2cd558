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

/** Returns the content members that the input contains. */
export function definedContent({ internal_value: text, interpolated }: ValuePatch): Partial<Content> {
  return { ...(text !== undefined && { text }), ...(interpolated !== undefined && { interpolated }) };
}

/** Converts the contents of values between clear text and their stored form. */
@Injectable()
export class ValueContents {
  constructor(
    private readonly vault: Vault,
    private readonly validator: Validator,
  ) {}

  /**
   * Validates a literal text against the parameter's type and rules, and encrypts it if the parameter is secret. An
   * explicit null needs neither. The evaluated text of a dynamic value is validated later, when its references are
   * stored.
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
    // Decrypts without recording a reveal: the text is only compared with its replacement, and the ledger records the
    // write if they differ.
    return withoutDisclosure(() => open(value));
  }
}
