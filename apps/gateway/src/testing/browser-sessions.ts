import { randomBytes, randomUUID } from 'node:crypto';
import type { InvitationCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { readEnv } from '../env.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { BrowserLike } from './browser-like.ts';

export const SESSION_KEY = randomBytes(32);

/** Gateways with browser sessions and a real core. Each test has its own organization. */
export class BrowserSessions {
  /** The gateways of a test file, by settings. */
  private readonly gateways = new Map<string, Promise<Gateway>>();

  private constructor(
    readonly core: RunningCore,
    public organization: TestOrganization,
  ) {}

  static async begin(): Promise<BrowserSessions> {
    const core = await sharedCore();
    return new BrowserSessions(core, await core.organization());
  }

  async renewOrganization(): Promise<void> {
    this.organization = await this.core.organization();
  }

  async end(): Promise<void> {
    await Promise.all([...this.gateways.values()].map(async (gateway) => (await gateway).close()));
  }

  async gatewayWith(settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = JSON.stringify(settings);
    const gateway = this.gateways.get(name) ?? this.start(settings);
    this.gateways.set(name, gateway);
    return (await gateway).url();
  }

  private async start(settings: Readonly<Record<string, string>>): Promise<Gateway> {
    const env = readEnv({
      STRATA_CORE_URL: this.core.origin,
      STRATA_SESSION_KEY: SESSION_KEY.toString('base64'),
      ...settings,
    });
    const gateway = await createGateway(env, { logger: false });
    await gateway.listen(0, '127.0.0.1');
    return gateway;
  }

  /** A person who was invited to the organization. */
  async member() {
    const anonymous = new RawClient(this.core.origin, null);
    const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
    const { body } = await this.organization.owner.post<InvitationCreated>('invitations/', { email, role: 'VIEWER' });
    await anonymous.post(`invitations/${body.id}/accept/`, { token: body.token, password });
    return { email, password };
  }

  async signedIn() {
    const person = await this.member();
    const browser = new BrowserLike(await this.gatewayWith());
    const response = await browser.signIn(person);
    return { browser, reply: response, ...person };
  }
}
