import type { EnvironmentNode, Resolver, VisibleParameter } from '@strata/domain';
import { ANSWER_LENGTH_MAX, responseTooLongError } from '../../platform/limits/response-limits.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';

/**
 * The minimum size of a value in a response, without its text. A response contains member names, ids and links of each
 * value twice.
 */
const SHOWN_VALUE_BYTES = 2_000;
/** A response contains each plain text at least this many times. */
const SHOWN_TEXTS = 4;

/** Rejects a response that certainly exceeds the limit, before any of it is presented. */
export function assertResponseFits(
  parameterResolver: Resolver<ParameterRecord, ValueRecord>,
  rows: readonly VisibleParameter<ParameterRecord>[],
  environments: readonly EnvironmentNode[],
): void {
  let left = ANSWER_LENGTH_MAX;
  for (const { parameter } of rows) {
    for (const { id } of environments) {
      const value = parameterResolver.at(parameter, id);
      if (value) left -= SHOWN_VALUE_BYTES + SHOWN_TEXTS * (value.text?.length ?? 0);
    }
    if (left < 0) throw responseTooLongError();
  }
}
