import { Failure, sentence } from '@strata/domain';

/** The size limit of one response, in bytes. The client must be able to hold it in memory. */
export const ANSWER_LENGTH_MAX = 128 * 1_048_576;

/** Smaller responses reserve no memory. One organization may have several of them in memory at once. */
export const UNRESERVED_BYTES_MAX = 8 * 1_048_576;

/** A response may not read more stored text than this. A text can only be searched after all of it was read. */
export const TEXTS_BYTES_MAX = 64 * 1_048_576;

/**
 * The number of copies of a text in memory while the core builds a response: as received, as JSON, as cached, as
 * rendered.
 */
export const TEXT_COPIES = 4;

export function responseTooLongError(): Failure {
  return Failure.invalid(
    'answer_too_long',
    sentence`The response would be longer than ${{ limit: ANSWER_LENGTH_MAX / 1_048_576 }} MiB. Request fewer objects (page_size), or one environment.`,
  );
}
