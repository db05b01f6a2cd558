import type { EnvironmentNode, Resolver, VisibleParameter } from '@strata/domain';
import { ANSWER_LENGTH_MAX, answerTooLong } from '../../platform/limits/answer-limits.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';

/** The minimum size of a value in a response without its text: member names, ids and links, twice. */
const SHOWN_VALUE_BYTES = 2_000;
/** The minimum number of times that a response contains a plain text. */
const SHOWN_TEXTS = 4;

/** Rejects a response that must exceed the limit, before any of it is written. */
export function assertResponseFits(
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
