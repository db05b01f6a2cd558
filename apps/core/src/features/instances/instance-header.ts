import type { IncomingHttpHeaders } from 'node:http';
import { INSTANCE_HEADER, INSTANCE_LIMITS, InstanceName } from '@strata/contract';
import { Failure, sentence } from '@strata/domain';

/** ASCII without control characters, which header fields transport unchanged. */
const TRANSPORTED = /^[\x20-\x7e]+$/;

/** Throws 400 if a request names an instance that cannot be stored. */
export function assertInstanceName(headers: IncomingHttpHeaders): void {
  const header = headers[INSTANCE_HEADER];
  if (header === undefined || readInstanceName(headers) !== null) return;
  throw Failure.invalid(
    'invalid_instance',
    sentence`X-Strata-Instance must be 1 to ${{ limit: INSTANCE_LIMITS.name }} printable ASCII characters, such as the name of a host or a pod.`,
  );
}

/** Returns the name of the instance that sends a request; null if the request names none. */
export function readInstanceName(headers: IncomingHttpHeaders): string | null {
  const { success, data = '' } = InstanceName.safeParse(headers[INSTANCE_HEADER]);
  return success && TRANSPORTED.test(data) ? data : null;
}
