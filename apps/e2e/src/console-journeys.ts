import { randomBytes, randomUUID } from 'node:crypto';
import type { InvitationCreated } from '@strata/contract';
import {
  type OwnGateway,
  RawClient,
  type RunningCore,
  sharedCore,
  startGateway,
  type TestOrganization,
} from '@strata/testkit';
import type { BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../../../tools/browser/chromium.mjs';
import { ConsolePerson, LOOKS } from './console-browser.ts';

/** Who signs in. */
export interface ConsoleMember {
  readonly email: string;
  readonly password: string;
}

/** One browser and one gateway with a console, for the tests of a file. */
export interface ConsoleJourneys {
  /** `it`, or `it.skip` where no browser can run. */
  readonly journey: jest.It;
  /** Said in the names of what is skipped. */
  readonly reason: string;
  core(): RunningCore;
  gateway(): OwnGateway;
  /** Somebody at the door, who opens an address. */
  visitor(address: string, look?: BrowserContextOptions): Promise<ConsolePerson>;
  /** Somebody whom an organization invited, with a session and at an address. */
  signedIn(organization: TestOrganization, address: string, given?: SignedInOptions): Promise<ConsolePerson>;
  memberOf(organization: TestOrganization, role?: string): Promise<ConsoleMember>;
}

interface SignedInOptions {
  readonly role?: string;
  readonly look?: BrowserContextOptions;
}

/**
 * To be called at the top of a spec file. Where no browser can run, the tests say so instead of failing. `begin` gives the core
 * where the shared one will not do. The gateway answers no documents but the console's own, since that is all that it may need.
 */
export async function consoleJourneys(begin: () => Promise<RunningCore> = sharedCore): Promise<ConsoleJourneys> {
  const { browser, missing } = await startBrowser();
  let core: RunningCore;
  let gateway: OwnGateway;
  const people: ConsolePerson[] = [];
  beforeAll(async () => {
    if (!browser) return;
    core = await begin();
    const STRATA_SESSION_KEY = randomBytes(32).toString('base64');
    const settings = { STRATA_CONSOLE: 'on', STRATA_SESSION_KEY, STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' };
    gateway = await startGateway(core, settings);
  }, 120_000);
  afterEach(async () => {
    for (const person of people.splice(0)) await person.leave();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  const arrive = async (look: BrowserContextOptions = LOOKS.light ?? {}) => {
    if (!browser) throw new Error(missing);
    const person = await ConsolePerson.arrive(browser, gateway.origin, look);
    people.push(person);
    return person;
  };
  const visitor = async (address: string, look?: BrowserContextOptions) => {
    const person = await arrive(look);
    await person.page.goto(address);
    return person;
  };
  const memberOf = async (organization: TestOrganization, role = 'VIEWER'): Promise<ConsoleMember> => {
    const nobody = new RawClient(core.origin, null);
    const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
    const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role });
    await nobody.post(`invitations/${body.id}/accept/`, { token: body.token, password, name: 'Ada' });
    return { email, password };
  };
  return {
    journey: (browser ? it : it.skip) as jest.It,
    reason: missing === undefined ? '' : ` (skipped: ${missing})`,
    core: () => core,
    gateway: () => gateway,
    visitor,
    memberOf,
    signedIn: async (organization, address, { role = 'CONTRIB', look } = {}) => {
      const person = await arrive(look);
      await person.beginSession(gateway.origin, await memberOf(organization, role));
      await person.page.goto(address);
      return person;
    },
  };
}
