import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Env } from '../../platform/env.ts';
import { StartError } from '../../platform/start-errors.ts';
import { ENV } from '../../platform/tokens.ts';
import { ServiceKeys } from '../../platform/vault/service-keys.ts';
import { NewOrganizations } from './new-organization.ts';
import { hashPassword } from './password.ts';

const FIRST_ORGANIZATION = 'My organization';
/** The key of an advisory lock, so that only one process creates the first organization. The number is arbitrary. */
const BOOTSTRAP_LOCK = 7_224_110_454;

/** Creates the organization, the owner and the service account that the environment variables describe. */
@Injectable()
export class Bootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly organizations: NewOrganizations,
    private readonly serviceKeys: ServiceKeys,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Creates the objects that do not exist yet. Never changes existing ones. */
  async run(): Promise<void> {
    const lock = this.dataSource.createQueryRunner();
    try {
      // Disables the timeouts, because a second process has to wait until the first one has finished.
      await lock.query('set lock_timeout = 0; set statement_timeout = 0');
      await lock.query(`select pg_advisory_lock(${BOOTSTRAP_LOCK})`);
      await this.ensure();
    } finally {
      await lock.query(`select pg_advisory_unlock(${BOOTSTRAP_LOCK})`).catch(() => undefined);
      await lock.release();
    }
  }

  private async ensure(): Promise<void> {
    const owner = await this.ensureOwner();
    if (owner) await this.ensureServiceAccount(owner);
  }

  /**
   * Returns the existing owner even if the e-mail address in the environment variables has changed. Otherwise a second
   * owner and a second organization would be created.
   */
  private async ensureOwner(): Promise<{ personId: string; organizationId: string } | null> {
    const { STRATA_BOOTSTRAP_EMAIL: email, STRATA_BOOTSTRAP_PASSWORD: password } = this.env;
    const [existingOwner] = await this.dataSource.query<{ person_id: string; organization_id: string }[]>(
      `select membership.person_id, membership.organization_id from membership join person on person.id = membership.person_id
        where person.type = 'interactive' order by lower(person.email) = lower($1) desc, membership.created_at limit 1`,
      [email],
    );
    if (existingOwner) return { personId: existingOwner.person_id, organizationId: existingOwner.organization_id };
    if (!password) return null;
    const person = { id: randomUUID(), name: 'Owner' };
    await this.dataSource.query(
      `insert into person (id, type, name, email, password_hash) values ($1, 'interactive', $2, $3, $4)`,
      [person.id, person.name, email, await hashPassword(password)],
    );
    const organizationId = randomUUID();
    await this.dataSource.transaction((em) =>
      this.organizations.create(em, organizationId, FIRST_ORGANIZATION, person),
    );
    return { personId: person.id, organizationId };
  }

  private async ensureServiceAccount({ organizationId }: { organizationId: string }): Promise<void> {
    const key = this.env.STRATA_BOOTSTRAP_API_KEY;
    if (!key) return;
    const prefix = key.slice(0, key.indexOf('.'));
    const hmac = this.serviceKeys.apiKeyHmac(key);
    const [existingKey] = await this.dataSource.query<{ secret_hmac: Buffer }[]>(
      'select secret_hmac from api_key where prefix = $1',
      [prefix],
    );
    if (existingKey && !existingKey.secret_hmac.equals(hmac)) {
      throw new StartError(`STRATA_BOOTSTRAP_API_KEY: another key begins with ${prefix}. Choose other letters.`);
    }
    if (existingKey) return;
    await this.dataSource.transaction(async (em) => {
      const id = randomUUID();
      await em.query(`insert into person (id, type, name) values ($1, 'service', 'bootstrap')`, [id]);
      await em.query(`insert into membership (organization_id, id, person_id, role) values ($1, $2, $3, 'OWNER')`, [
        organizationId,
        randomUUID(),
        id,
      ]);
      await em.query(
        `insert into service_account (organization_id, person_id, description) values ($1, $2, 'Created at first start')`,
        [organizationId, id],
      );
      await em.query(
        'insert into api_key (organization_id, person_id, prefix, secret_hmac, name) values ($1, $2, $3, $4, $5)',
        [organizationId, id, prefix, hmac, 'bootstrap'],
      );
    });
  }
}
