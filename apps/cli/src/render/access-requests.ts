import { describeRequest, type NamedRequest } from '../api/access-requests.ts';
import { printJson, printNote } from '../core/output.ts';

/** Prints the state of a request for access. */
export function printRequest(request: NamedRequest, { json }: { readonly json?: boolean | undefined }): void {
  if (json) printJson(request);
  else printNote(describeRequest(request));
}
