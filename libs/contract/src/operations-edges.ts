import {
  ConfirmationQuery,
  CredentialConfirmation,
  FORWARDED_READ_LIMITS,
  ForwardedReads,
  ForwardedReadsResult,
} from './forwarded-read.ts';
import { operation, operations } from './operation.ts';

const API = '/api/v1';

export const CONFIRM_CREDENTIAL = operation({
  id: 'users_current_confirmation_retrieve',
  method: 'get',
  path: `${API}/users/current/confirmation/`,
  tag: 'edges',
  summary: 'Confirm the credential of the caller to an edge',
  description:
    'An edge sends it with the credential of a program, before it answers the program. It is not a read of the configuration.',
  requires: 'read',
  query: ConfirmationQuery,
  status: 200,
  response: CredentialConfirmation,
  errorStatuses: [],
});

export const FORWARD_READS = operation({
  id: 'forwarded_reads_create',
  method: 'post',
  path: `${API}/forwarded-reads/`,
  tag: 'edges',
  summary: 'Record reads that an edge answered',
  description: `Stores them in the last reads and in the access log, at the time of the read. The same read can be sent again. At most ${FORWARDED_READ_LIMITS.perRequest} reads.`,
  requires: 'read',
  body: ForwardedReads,
  bodyAs: 'json',
  status: 200,
  response: ForwardedReadsResult,
  errorStatuses: [],
});

export const edgeOperations = operations([CONFIRM_CREDENTIAL, FORWARD_READS]);
