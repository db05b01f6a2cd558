import { addressGuard, createGuardedFetch, type GuardedFetch } from '@strata/outbound';

/** A `fetch` for the metadata, the key sets and the token endpoint of an issuer. */
export type IssuerFetch = GuardedFetch['fetch'];

/** Returns a guarded `fetch` with limits on time and length that follows no redirects. */
export const createIssuerFetch = ({ allowPrivate }: { readonly allowPrivate: boolean }): IssuerFetch =>
  createGuardedFetch(addressGuard({ allowPrivate, setting: 'STRATA_PRIVATE_ISSUERS' })).fetch;
