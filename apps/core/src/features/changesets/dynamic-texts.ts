import { Injectable } from '@nestjs/common';
import type { SettableValue } from '@strata/contract';
import { asSentence, Failure, type Mention, type OrganizationId } from '@strata/domain';
import type { WriteContext } from '../../platform/ledger/command.ts';
import { type CreateInvalidTextError, References } from '../templating/references.ts';
import type { DynamicParameterText } from '../validation/validation-inputs.ts';
import { Validator } from '../validation/validator.ts';
import type { NamedLocation } from './named-state.ts';
import { locateValues } from './set-steps.ts';

/** The references of dynamic texts, by the names of their parameters. */
export type MentionsByName = ReadonlyMap<string, readonly Mention[]>;

/** Stores the references of the dynamic texts of a `set`. Runs the same number of statements for any number of texts. */
@Injectable()
export class DynamicTexts {
  constructor(
    private readonly references: References,
    private readonly validator: Validator,
  ) {}

  /** Returns the references of the dynamic texts. Call it before the write starts, because parsing takes time. */
  async mentionsIn(
    organizationId: OrganizationId,
    values: Readonly<Record<string, SettableValue>>,
  ): Promise<MentionsByName> {
    const mentionsByName = new Map<string, readonly Mention[]>();
    for (const [name, { value, interpolated }] of Object.entries(values)) {
      if (!interpolated || typeof value !== 'string') continue;
      const createInvalidTextError: CreateInvalidTextError = (code, texts) =>
        Failure.fields(
          code,
          texts.map((text) => ({ field: name, ...asSentence(text) })),
        );
      const mentions = () => this.references.mentionsIn(organizationId, value, createInvalidTextError);
      mentionsByName.set(name, await locateValues(values, mentions));
    }
    return mentionsByName;
  }

  /** Stores the references of values that the write has stored, and validates the evaluated texts. */
  async store(
    { em, caller }: WriteContext,
    { project }: NamedLocation,
    values: readonly DynamicParameterText[],
    mentions: MentionsByName,
  ): Promise<void> {
    if (values.length === 0) return;
    const referenceSource = { organizationId: caller.organizationId, projectId: project.id, kind: 'value' } as const;
    const texts = values.map(({ id, name }) => ({ id, mentions: mentions.get(name) ?? [], field: name }));
    await this.references.storeMany(em, caller, referenceSource, texts);
    await this.validator.validateDynamicValues(em, caller, values);
  }
}
