import {
  type RunningCore,
  type RunningGateway,
  sharedCore,
  sharedGateway,
  startGateway,
  type TestOrganization,
} from '@strata/testkit';
import type { BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../../../tools/browser/chromium.mjs';
import { ConsolePerson, LOOKS } from './console-browser.ts';
import { addMember, type ConsoleMember } from './console-members.ts';

declare global {
  /** Functions that describe the state in which a test of this file failed (tools/jest/environment.mjs). */
  var strataFailures: (() => Promise<string>)[];
}

/** A browser and a gateway with a console for the tests of a file. */
export interface ConsoleJourneys {
  /** `it`, or `it.skip` if no browser can run. */
  readonly journey: jest.It;
  /** The reason why tests are skipped, as a suffix for their titles. */
  readonly reason: string;
  core(): RunningCore;
  gateway(): RunningGateway;
  /** Opens a URL in a new browser without a session. */
  visitor(address: string, contextOptions?: BrowserContextOptions): Promise<ConsolePerson>;
  /** Opens a URL with the session of a new member of an organization. */
  signedIn(organization: TestOrganization, address: string, options?: SignedInOptions): Promise<ConsolePerson>;
  memberOf(organization: TestOrganization, role?: string): Promise<ConsoleMember>;
}

interface SignedInOptions {
  readonly role?: string;
  readonly look?: BrowserContextOptions;
}

/**
 * Starts a browser and a gateway. Call this at the top of a spec file. If no browser can run, its tests are skipped and their titles state
 * why. `begin` starts a core for this file; without it, the file uses the core and the gateway that the files of a worker share. The
 * gateway accepts only the documents of the console, because the console must not need others. `more` returns further settings of the gateway
 * on that core.
 */
export async function setUpConsoleTests(
  begin?: () => Promise<RunningCore>,
  readHeaders: () => Readonly<Record<string, string>> = () => ({}),
): Promise<ConsoleJourneys> {
  const { browser, missing } = await startBrowser();
  let core: RunningCore;
  let gateway: RunningGateway & { close?(): Promise<void> };
  const people: ConsolePerson[] = [];
  beforeAll(async () => {
    if (!browser) return;
    core = await (begin ?? sharedCore)();
    const settings = { STRATA_CONSOLE: 'on', STRATA_GRAPHQL_OTHER_DOCUMENTS: 'off' };
    gateway = await (begin ? startGateway(core, { ...settings, ...readHeaders() }) : sharedGateway(settings));
  });
  strataFailures.push(async () => (await Promise.all(people.map((person) => person.describeState()))).join('\n'));
  afterEach(async () => {
    for (const person of people.splice(0)) await person.leave();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close?.();
  });

  const arrive = async (contextOptions: BrowserContextOptions = LOOKS.light ?? {}) => {
    if (!browser) throw new Error(missing);
    const person = await ConsolePerson.arrive(browser, gateway.origin, contextOptions);
    people.push(person);
    return person;
  };
  const visitor = async (address: string, contextOptions?: BrowserContextOptions) => {
    const person = await arrive(contextOptions);
    await person.page.goto(address);
    return person;
  };
  const createMember = (organization: TestOrganization, role = 'VIEWER') =>
    addMember(core.database, organization, role);
  return {
    journey: (browser ? it : it.skip) as jest.It,
    reason: missing === undefined ? '' : ` (skipped: ${missing})`,
    core: () => core,
    gateway: () => gateway,
    visitor,
    memberOf: createMember,
    signedIn: async (organization, address, { role = 'CONTRIB', look } = {}) => {
      const person = await arrive(look);
      await person.beginSession(gateway.origin, await createMember(organization, role));
      await person.page.goto(address);
      return person;
    },
  };
}
