import type { Destination } from '@strata/contract';
import { createProblemAt, Failure } from '@strata/domain';
import { addressGuard } from '@strata/outbound';
import type { Env } from '../../../platform/env.ts';

type DestinationKind = Destination['type'];
type ReceiverInput = { readonly address?: string | undefined; readonly recipients?: readonly string[] | undefined };
type AddressEnv = Pick<Env, 'STRATA_PRIVATE_DESTINATIONS' | 'STRATA_SMTP_URL' | 'STRATA_SMTP_FROM'>;

const HIDDEN = '*****';
/** Masked addresses show these characters of a path or a query. */
const SHOWN = 4;

/** Returns an address as responses show it: its origin and the end of its path, which is the credential. */
export function maskAddress(address: string): string {
  const { origin, pathname, search } = new URL(address);
  const pathAndQuery = `${pathname}${search}`;
  return pathAndQuery.length <= 2 * SHOWN ? `${origin}/${HIDDEN}` : `${origin}/${HIDDEN}${pathAndQuery.slice(-SHOWN)}`;
}

/** Returns whether a text is a result of `maskAddress`. Clients may send it back, which means that it stays the same. */
export function isMaskedAddress(address: string): boolean {
  return URL.canParse(address) && new URL(address).pathname.startsWith(`/${HIDDEN}`);
}

/** Throws 400 unless the input has a receiver of the type: recipients for e-mail, an address for the others. */
export function assertReceiver(type: DestinationKind, { address, recipients }: ReceiverInput, env: AddressEnv): void {
  if (type === 'email') {
    if (address !== undefined)
      throw invalidAddressError('address', 'E-mail has recipients and no address. Omit this field.');
    if (recipients?.length === 0) throw invalidAddressError('recipients', 'Enter at least one e-mail address.');
    const isMailOff = env.STRATA_SMTP_URL === undefined || env.STRATA_SMTP_FROM === undefined;
    if (isMailOff && recipients !== undefined) throw mailDisabledError();
    return;
  }
  if (recipients !== undefined && recipients.length > 0) {
    throw invalidAddressError('recipients', 'Only e-mail has recipients. Omit this field.');
  }
  if (address === undefined) throw Failure.field('required', 'address', 'Enter the URL that receives the messages.');
  if (isMaskedAddress(address)) return;
  assertAddress(address, env);
}

function assertAddress(address: string, env: AddressEnv): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidAddressError('address', 'Enter a URL, such as https://hooks.example.com/strata.');
  }
  const allowPrivate = env.STRATA_PRIVATE_DESTINATIONS;
  if (url.username !== '' || url.password !== '') {
    throw invalidAddressError('address', 'The URL must not contain a user name or a password.');
  }
  if (url.protocol === 'http:' && !allowPrivate) {
    throw invalidAddressError('address', 'The URL must begin with https, because the messages are confidential.');
  }
  try {
    addressGuard({ allowPrivate, setting: 'STRATA_PRIVATE_DESTINATIONS' }).assertHost(url);
  } catch {
    throw Failure.field(
      'private_address',
      'address',
      'This address is not public. Enter a public address, or ask your operator to set STRATA_PRIVATE_DESTINATIONS.',
    );
  }
}

const invalidAddressError = (field: string, text: string): Failure =>
  Failure.fields('invalid', [createProblemAt([field], text)]);

const mailDisabledError = (): Failure =>
  Failure.field(
    'mail_off',
    'type',
    'This installation sends no e-mail. Ask your operator to set STRATA_SMTP_URL and STRATA_SMTP_FROM.',
  );
