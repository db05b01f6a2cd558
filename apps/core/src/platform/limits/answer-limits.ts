import { Failure } from '@strata/domain';

/** What one answer may weigh, in bytes: whoever asked has to hold it. */
export const ANSWER_LENGTH_MAX = 128 * 1_048_576;

/** Several of these may be in memory at the same time for one organization, so nobody has to wait for room. */
export const UNRESERVED_BYTES_MAX = 8 * 1_048_576;

/** No answer could show so much text, and none can be found without reading all of it. */
export const TEXTS_BYTES_MAX = 64 * 1_048_576;

/** How often a text is in memory while an answer is made of it: as it arrives, as JSON, as it is kept, as it is shown. */
export const TEXT_COPIES = 4;

export function answerTooLong(): Failure {
  return Failure.invalid(
    'answer_too_long',
    `The answer would be longer than ${ANSWER_LENGTH_MAX / 1_048_576} MiB. Ask for fewer things at once (page_size), or for one environment.`,
  );
}
