import type { EnvironmentNode, Resolver, VisibleParameter } from '@strata/domain';
import { ANSWER_LENGTH_MAX, answerTooLong } from '../../platform/limits/answer-limits.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';

/** What a value takes of an answer beside its text, at least: names of members, ids and links, twice. */
const SHOWN_VALUE_BYTES = 2_000;
/** How often the text of a value that is no secret is shown, at least. */
const SHOWN_TEXTS = 4;

/** Refuses what is bound to be longer than an answer may be, before any of it is written. */
export function assertNotTooLong(
  resolved: Resolver<ParameterRecord, ValueRecord>,
  rows: readonly VisibleParameter<ParameterRecord>[],
  environments: readonly EnvironmentNode[],
): void {
  let left = ANSWER_LENGTH_MAX;
  for (const { parameter } of rows) {
    for (const { id } of environments) {
      const value = resolved.at(parameter, id);
      if (value) left -= SHOWN_VALUE_BYTES + SHOWN_TEXTS * (value.text?.length ?? 0);
    }
    if (left < 0) throw answerTooLong();
  }
}
