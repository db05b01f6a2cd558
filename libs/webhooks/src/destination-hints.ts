const RETRIED = 'Strata retries automatically.';

const HINTS: ReadonlyMap<string, string> = new Map([
  ['rate_limited', `The destination accepts fewer messages than it gets. ${RETRIED}`],
  ['timeout', `The destination did not respond in time. Respond before you process the message. ${RETRIED}`],
  ['connection_lost', `The connection was lost before the destination responded. ${RETRIED}`],
  ['connection_refused', `No server listens at the address. Check the address and the server. ${RETRIED}`],
  ['name_not_found', `The host name of the address is unknown. Check the address. ${RETRIED}`],
  ['connect_timeout', `The network blocks the connection, or the server is down. ${RETRIED}`],
  ['unreachable', `The network blocks the connection. ${RETRIED}`],
  ['tls_failed', 'The certificate of the server is invalid or expired. Install a certificate from a public authority.'],
  [
    'private_address',
    'The address is in a private network. Ask your operator to set STRATA_PRIVATE_DESTINATIONS, or enter a public address. Then resume the destination.',
  ],
  ['http_400', 'The destination rejected the format of the message. Check that the address is of this type.'],
  ['http_401', 'The destination rejected the request. Check the address, then resume the destination.'],
  ['http_403', 'The destination rejected the request. Check the address, then resume the destination.'],
  ['http_404', 'Nothing exists at the address. Create a new address and enter it here.'],
  ['http_410', 'The address no longer exists. Enter a new address, or delete the destination.'],
  ['http_413', 'The destination rejected the message because of its length. Allow bodies of 1 MB.'],
  [
    'confirm',
    'The database was restored from a backup. Enable the destination once the restored state is right. Earlier events are not sent.',
  ],
  ['mail_off', 'This installation sends no e-mail. Ask your operator to set STRATA_SMTP_URL and STRATA_SMTP_FROM.'],
  ['mail_rejected', 'The mail server rejected all recipients. Check their addresses, then resume the destination.'],
  ['mail_failed', `The mail server reported an error. Ask your operator to check STRATA_SMTP_URL. ${RETRIED}`],
]);

/** Returns one or two sentences that say how to resolve the code of a failed attempt. */
export function destinationHint(code: string): string {
  const hint = HINTS.get(code);
  if (hint !== undefined) return hint;
  if (/^http_3\d\d$/.test(code)) return 'Strata does not follow redirects. Enter the final address.';
  if (/^http_5\d\d$/.test(code)) return `The destination reports an internal error. ${RETRIED}`;
  return `The destination did not accept the message. ${RETRIED}`;
}
