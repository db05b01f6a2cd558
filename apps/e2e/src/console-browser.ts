import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContextOptions, CDPSession, Locator, Page, ViewportSize } from 'playwright-core';

/** Runs in the page by way of the debugger, which the page's policy does not concern. */
const AXE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8');
/** The console that is served was built with these; there is none before the first gateway that has one. */
const DOCUMENTS = path.resolve(import.meta.dirname, '../../console/dist/documents.json');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000;
/** A page has been redrawn after two frames. */
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** How a page is looked at: a theme, or a telephone. */
export const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'at 375 px': { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true },
};

/** Does not reload the page. The themes differ only in colours, so the dark one is checked for nothing else. */
const EVERY_LOOK: readonly PageLook[] = [
  { name: 'light', colorScheme: 'light', only: { type: 'tag', values: RULES } },
  { name: 'dark', colorScheme: 'dark', only: { type: 'rule', values: ['color-contrast'] } },
  {
    name: 'at 375 px',
    colorScheme: 'light',
    only: { type: 'tag', values: RULES },
    screen: { width: 375, height: 740 },
  },
];

interface PageLook {
  readonly name: string;
  readonly colorScheme: 'light' | 'dark';
  readonly only: { readonly type: 'tag' | 'rule'; readonly values: readonly string[] };
  readonly screen?: ViewportSize;
}

/** The globals of the page, as far as they are used here; the tests' own are others. */
interface PageMarks {
  breaches: string[];
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: { readonly violatedDirective: string; readonly blockedURI: string }) => void,
  ): void;
}

/** A user with their own browser: cookies, storage, and the errors that the page logged. */
export class ConsolePerson {
  private readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly debuggerOfPage: CDPSession,
  ) {
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(message.text());
    });
  }

  static async arrive(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<ConsolePerson> {
    const context = await browser.newContext({
      baseURL,
      viewport: { width: 1280, height: 800 },
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    await page.addInitScript(() => {
      const marks = globalThis as unknown as PageMarks;
      marks.breaches = [];
      marks.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        marks.breaches.push(`${violatedDirective} ${blockedURI}`);
      });
    });
    return new ConsolePerson(page, await context.newCDPSession(page));
  }

  /** Fills in the form and sends it. */
  async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /**
   * Creates a session that began on an earlier day, so the test does not wait for the page that requires a password.
   */
  async beginSession(origin: string, credential: { readonly email: string; readonly password: string }): Promise<void> {
    const answer = await this.page.request.post('/session', { data: credential, headers: { origin } });
    if (!answer.ok()) throw new Error(await answer.text());
  }

  /** Errors and warnings in the browser's console, and breaches of the policy. */
  async allComplaints(): Promise<readonly string[]> {
    const breaches = await this.page.evaluate(() => (globalThis as unknown as PageMarks).breaches);
    return [...this.complaints, ...breaches];
  }

  /** To be called where the page had to complain: a refusal that was provoked. */
  forgetComplaints(): void {
    this.complaints.length = 0;
  }

  /** Returns the violations of WCAG 2.2 AA. */
  async barriers(only: PageLook['only'] = { type: 'tag', values: RULES }): Promise<readonly string[]> {
    await this.debuggerOfPage.send('Runtime.evaluate', { expression: AXE });
    const options = JSON.stringify({ runOnly: only, resultTypes: ['violations'] });
    const { result, exceptionDetails } = await this.debuggerOfPage.send('Runtime.evaluate', {
      expression: `axe.run(document, ${options}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  }

  /**
   * Returns the violations of the present page in both themes and at the width of a phone, and whether it must be
   * scrolled sideways.
   */
  async barriersInEveryLook(): Promise<readonly string[]> {
    const before = this.page.viewportSize();
    const found: string[] = [];
    for (const { name, colorScheme, only, screen } of EVERY_LOOK) {
      await this.page.emulateMedia({ colorScheme });
      if (screen) await this.page.setViewportSize(screen);
      await this.page.evaluate(TWO_FRAMES);
      found.push(...(await this.barriers(only)).map((barrier) => `${name}: ${barrier}`));
      if (await this.widerThanScreen()) found.push(`${name}: wider than the screen`);
    }
    await this.page.emulateMedia({ colorScheme: 'light' });
    if (before) await this.page.setViewportSize(before);
    return found;
  }

  /** Returns everything that a script of the page, or a person who looks at the screen, could read. */
  async everythingReadable(): Promise<string> {
    const stored = await this.page.evaluate(() => {
      // This runs in the browser, whose globals are not those of the tests.
      const page = globalThis as unknown as {
        document: { documentElement: { outerHTML: string }; cookie: string; title: string };
        localStorage: object;
        sessionStorage: object;
      };
      const { document, localStorage, sessionStorage } = page;
      return [
        document.documentElement.outerHTML,
        document.cookie,
        document.title,
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
      ].join('\n');
    });
    return `${stored}\n${this.page.url()}`;
  }

  /** Returns whether the page must be scrolled sideways. */
  async widerThanScreen(): Promise<boolean> {
    const width = await this.page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    return width > (this.page.viewportSize()?.width ?? 0);
  }

  /** The row of a parameter in the matrix. */
  row(name: string): Locator {
    const head = this.page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}(?![A-Za-z0-9_])`) });
    return this.page.getByRole('row').filter({ has: head });
  }

  /** A cell of the matrix, by the place of its column. */
  cell(name: string, column: number): Locator {
    return this.row(name).locator(`[data-column="${column}"]`);
  }

  /** Types into a cell of the matrix, in place of what it says. */
  async write(name: string, column: number, text: string): Promise<void> {
    await this.cell(name, column).click();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the page follows the changes of others. */
  live(): Promise<void> {
    const sign = this.page.getByRole('status').filter({ hasText: /^Live$/ });
    return sign.waitFor();
  }

  /** Returns what screen readers announce for the cells of a row, in the order of the environments. */
  async heard(name: string): Promise<readonly string[]> {
    const texts = this.row(name).getByRole('gridcell');
    await texts.first().waitFor();
    return texts.evaluateAll((found) =>
      (found as unknown as { textContent: string; querySelector(of: string): { ariaLabel: string } | null }[]).map(
        (cell) => {
          const sign = cell.querySelector('[role="img"], button')?.ariaLabel ?? '';
          return `${sign} ${cell.textContent}`.trim();
        },
      ),
    );
  }

  /** Records the names of the operations that the page sends to the gateway from now on. */
  listen(): readonly string[] {
    const asked: string[] = [];
    this.page.on('request', (request) => {
      if (!request.url().endsWith('/graphql')) return;
      asked.push(/"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1] ?? 'unnamed');
    });
    return asked;
  }

  /** Sends an operation of the console to the gateway, with the browser's session but without the page. */
  async ask(operation: string, variables: object = {}): Promise<void> {
    const hash = ownOperations().find(({ name }) => name === operation)?.hash;
    await this.page.evaluate(
      (body) => fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }),
    );
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}

function ownOperations(): readonly { readonly hash: string; readonly name: string }[] {
  const texts = JSON.parse(fs.readFileSync(DOCUMENTS, 'utf8')) as Readonly<Record<string, string>>;
  return Object.entries(texts).map(([hash, text]) => ({ hash, name: /^\w+ (\w+)/.exec(text)?.[1] ?? '' }));
}
