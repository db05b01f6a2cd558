import { Injectable } from '@nestjs/common';
import type { ValuePatch } from '@strata/contract';
import { Failure, type Mention, sentence, type ValueId, type ValueType } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { SetRequest } from '../../../platform/ledger/command.ts';
import { withoutDisclosure } from '../../../platform/limits/request-limits.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { References } from '../../templating/references.ts';
import type { NamesChange } from '../../validation/validation-inputs.ts';
import { Validator } from '../../validation/validator.ts';
import type { ParameterContext, ValueWithContext } from './value-with-context.ts';
import type { StoredContent, ValueContext } from './value-writer.ts';

const INTERNAL_VALUE = { field: 'internal_value' };

interface Content {
  readonly text: string | null;
  readonly interpolated: boolean;
}

/** A stored value, and what depends on it. */
interface SettledValue {
  readonly id: ValueId;
  readonly context: ValueContext & { readonly parameter: ParameterContext };
  readonly content: Content;
  /** Whether to replace the references of its text. */
  readonly hasReferences: boolean;
  /** The references, if they were found before the write. */
  readonly mentions: readonly Mention[] | null;
  /** Whether other texts may depend on the value. */
  readonly isMentioned: boolean;
}

/** Returns the content members that the input contains. */
export function pickDefinedContent({ internal_value: text, interpolated }: ValuePatch): Partial<Content> {
  return { ...(text !== undefined && { text }), ...(interpolated !== undefined && { interpolated }) };
}

/** Rejects contradictory members of a request for external content (behaviour.md §6.2 rule 3). */
export function assertOneSource({ external, external_fqn: fqn, internal_value: text }: ValuePatch): void {
  if (!external) {
    if (!fqn) return;
    throw Failure.field('external_fqn_without_external', 'external_fqn', 'Only an external value has external_fqn.');
  }
  if (text !== undefined && text !== null) {
    const message = 'An external value has no internal_value. Omit it.';
    throw Failure.field('external_with_text', 'internal_value', message);
  }
  if (!fqn) throw Failure.field('required', 'external_fqn', 'An external value needs external_fqn.');
}

/** Rejects a dynamic secret: every text that is evaluated with it would show it (E44). */
export function assertNotDynamicSecret(
  { secret, name }: Pick<ParameterContext, 'secret' | 'name'>,
  { interpolated }: ValuePatch,
): void {
  if (!secret || !interpolated) return;
  throw Failure.field(
    'secret_is_literal',
    'interpolated',
    sentence`${{ name }} is secret, and the text of a secret cannot refer to others. Refer to it from a parameter that is not secret.`,
  );
}

/**
 * Returns the name and environment whose dependents need validation. Texts in the environment and in its descendants
 * may depend on the value.
 */
export function toNamesChange({ parameter, project, environment }: ValueContext): NamesChange {
  return { kind: 'names', projectId: project.id, names: [parameter.name], environmentId: environment.id };
}

/**
 * Converts the contents of values between clear text and their stored form, and validates the texts that depend on
 * them.
 */
@Injectable()
export class ValueContents {
  constructor(
    private readonly vault: Vault,
    private readonly validator: Validator,
    private readonly references: References,
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
    type: ValueType,
  ): Promise<StoredContent> {
    if (text === null || interpolated) return { text, sealed: null, interpolated };
    await this.validator.validateText(type, text);
    if (!parameter.secret) return { text, sealed: null, interpolated };
    const sealedText = await this.vault.sealValue(parameter.organizationId, id, text);
    return { text: null, sealed: sealedText, interpolated };
  }

  /** Returns the stored content, so that it can be stored at another revision. */
  async keep({ organizationId, value: { id, text, sealed, interpolated } }: ValueWithContext): Promise<StoredContent> {
    const sealedText =
      sealed === null ? null : await this.vault.sealAgain(organizationId, id, Buffer.from(sealed.slice(2), 'hex'));
    return { text, sealed: sealedText, interpolated };
  }

  async readText({ organizationId, value }: ValueWithContext): Promise<string | null> {
    const open = await this.vault.valueOpener(organizationId, [value]);
    // Decrypts without recording a reveal: the text is only compared with its replacement, and the ledger records the
    // write if they differ.
    return withoutDisclosure(() => open(value));
  }

  /** Finds the references of a dynamic text before the write, which would otherwise hold its lock during that time. */
  async mentionsIn({ organizationId }: Caller, { interpolated, internal_value: text }: ValuePatch) {
    return interpolated && typeof text === 'string'
      ? this.references.mentionsIn(organizationId, text, Failure.list)
      : null;
  }

  /** Stores the references of a stored value, and validates its evaluated text and the texts that depend on it. */
  async settle({ em, caller }: SetRequest<unknown>, value: SettledValue): Promise<void> {
    if (value.hasReferences) await this.storeReferences(em, caller, value);
    if (value.isMentioned)
      await this.validator.validateDependents(em, caller, toNamesChange(value.context), INTERNAL_VALUE);
  }

  private async storeReferences(
    em: EntityManager,
    caller: SetRequest<unknown>['caller'],
    { id, context: { parameter }, content: { text, interpolated }, mentions: mentionsBeforeWrite }: SettledValue,
  ): Promise<void> {
    const { organizationId, projectId } = parameter;
    const source = { organizationId, projectId, id, kind: 'value' } as const;
    if (!interpolated || text === null) return this.references.store(em, caller, source, []);
    const mentions = mentionsBeforeWrite ?? (await this.references.mentionsIn(organizationId, text, Failure.list));
    await this.references.store(em, caller, source, mentions);
    await this.validator.validateDynamicValue(em, caller, parameter, id);
  }
}
