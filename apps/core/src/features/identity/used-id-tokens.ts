import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { badCredentialError } from '../../platform/auth/bad-credential.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** Longer than a token can be exchanged after it was issued. */
const KEPT = "interval '15 minutes'";

const USE = `
with old as (
  delete from used_id_token where hash in (
    select hash from used_id_token where expires_at < clock_timestamp() limit 100 for update skip locked))
insert into used_id_token (hash, expires_at) values ($1, clock_timestamp() + ${KEPT})
on conflict do nothing returning 1`;

/** Lets each id token be exchanged only once, by all cores together. */
@Injectable()
export class UsedIdTokens {
  constructor(private readonly reader: SnapshotReader) {}

  /**
   * Runs an exchange unless the token was exchanged before. If it fails, the token is not used up: the sign-in can be
   * repeated for another organization.
   */
  async once<Result>(token: string, exchange: () => Promise<Result>): Promise<Result> {
    const key = hash('sha256', signedPart(token), 'buffer');
    const [first] = await this.reader.query<object>(USE, [key]);
    if (!first) throw badCredentialError();
    try {
      return await exchange();
    } catch (error) {
      await this.reader.query('delete from used_id_token where hash = $1', [key]);
      throw error;
    }
  }
}

/** A signature can be written in several ways, so it does not identify a token. */
const signedPart = (token: string): string => token.slice(0, token.lastIndexOf('.'));
