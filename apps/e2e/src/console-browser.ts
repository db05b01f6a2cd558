import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, CDPSession, Locator, Page, ViewportSize } from 'playwright-core';

/** The script of axe. It runs through the debugger, which the content security policy of the page does not restrict. */
const AXE = fs.readFileSync(path.resolve(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8');
/** The GraphQL documents of the built console. The file exists once a gateway that serves the console has started. */
const DOCUMENTS = path.resolve(import.meta.dirname, '../../console/dist/documents.json');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The timeout of each step, long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000;
/** A script that waits for two frames, after which the page has been redrawn. */
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** The themes and screen sizes in which pages are tested. */
export const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'at 375 px': { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true },
};

/**
 * The themes and screen sizes that are checked without reloading the page. The dark theme only has other colours, so only its contrast is
 * checked.
 */
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

/** The globals of the page, which differ from those of the tests. */
interface PageMarks {
  breaches: string[];
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (event: { readonly violatedDirective: string; readonly blockedURI: string }) => void,
  ): void;
}

/** The router of the page, which the library makes a global. */
interface RoutedPage {
  readonly __TSR_ROUTER__: {
    readonly state: {
      readonly status: string;
      readonly location: { readonly href: string };
      readonly resolvedLocation?: { readonly href: string };
    };
    navigate(target: { readonly href: string }): Promise<void>;
  };
}

/** A user with their own browser: cookies, storage, and the errors that the page logged. */
export class ConsolePerson {
  private readonly errors: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly debuggerOfPage: CDPSession,
  ) {
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.errors.push(message.text());
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

  /**
   * Opens another page as a link does and waits until the console has rendered it. This takes a fraction of the time of loading the
   * console again.
   */
  async open(address: string): Promise<void> {
    await this.page.evaluate(
      (href) => (globalThis as unknown as RoutedPage).__TSR_ROUTER__.navigate({ href }),
      address,
    );
    await this.page.waitForFunction(() => {
      const { location, resolvedLocation, status } = (globalThis as unknown as RoutedPage).__TSR_ROUTER__.state;
      return status === 'idle' && resolvedLocation?.href === location.href;
    });
  }

  /** Fills in and submits the sign-in form. */
  async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Starts a session with a request instead of the sign-in page. */
  async beginSession(origin: string, credential: { readonly email: string; readonly password: string }): Promise<void> {
    const response = await this.page.request.post('/session', { data: credential, headers: { origin } });
    if (!response.ok()) throw new Error(await response.text());
  }

  /** Returns the errors and warnings that the page logged, and the violations of its content security policy. */
  async allErrors(): Promise<readonly string[]> {
    const breaches = await this.page.evaluate(() => (globalThis as unknown as PageMarks).breaches);
    return [...this.errors, ...breaches];
  }

  /** Clears the errors that the test has provoked. */
  clearErrors(): void {
    this.errors.length = 0;
  }

  /** Returns the violations of WCAG 2.2 AA. */
  async accessibilityViolations(scope: PageLook['only'] = { type: 'tag', values: RULES }): Promise<readonly string[]> {
    await this.debuggerOfPage.send('Runtime.evaluate', { expression: AXE });
    const options = JSON.stringify({ runOnly: scope, resultTypes: ['violations'] });
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
   * Returns the accessibility violations of the page in both themes and at the width of a phone, and whether the page is wider than the
   * screen.
   */
  async violationsInEveryLook(): Promise<readonly string[]> {
    const before = this.page.viewportSize();
    const violations: string[] = [];
    for (const { name, colorScheme, only, screen } of EVERY_LOOK) {
      await this.page.emulateMedia({ colorScheme });
      if (screen) await this.page.setViewportSize(screen);
      await this.page.evaluate(TWO_FRAMES);
      violations.push(...(await this.accessibilityViolations(only)).map((barrier) => `${name}: ${barrier}`));
      if (await this.isWiderThanScreen()) violations.push(`${name}: wider than the screen`);
    }
    await this.page.emulateMedia({ colorScheme: 'light' });
    if (before) await this.page.setViewportSize(before);
    return violations;
  }

  /** Returns everything that a script of the page or a viewer of the screen can read. */
  async everythingReadable(): Promise<string> {
    const storedEntries = await this.page.evaluate(() => {
      // This function runs in the browser, whose globals differ from those of the tests.
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
    return `${storedEntries}\n${this.page.url()}`;
  }

  /** Returns whether the page is wider than the screen. */
  async isWiderThanScreen(): Promise<boolean> {
    const width = await this.page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    return width > (this.page.viewportSize()?.width ?? 0);
  }

  /** Returns the row of a parameter in the matrix. */
  row(name: string): Locator {
    const head = this.page.getByRole('rowheader').filter({ hasText: new RegExp(`^${name}(?![A-Za-z0-9_])`) });
    return this.page.getByRole('row').filter({ has: head });
  }

  /** Returns a cell of the matrix by the position of its column. */
  cell(name: string, column: number): Locator {
    return this.row(name).locator(`[data-column="${column}"]`);
  }

  /** Replaces the text of a cell of the matrix by typing. */
  async write(name: string, column: number, text: string): Promise<void> {
    await this.cell(name, column).click();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Pastes a text into a field. */
  async paste(field: Locator, text: string): Promise<void> {
    await field.evaluate((element, pastedText) => {
      const dom = globalThis as unknown as { DataTransfer: new () => { setData(type: string, text: string): void } };
      const clipboardData = new dom.DataTransfer();
      clipboardData.setData('text/plain', pastedText);
      const { ClipboardEvent } = globalThis as unknown as { ClipboardEvent: new (type: string, init: object) => never };
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  /** Applies the reviewed drafts. */
  apply(): Promise<void> {
    return this.page.getByRole('button', { name: /^Apply/ }).click();
  }

  /** Waits until the console reports that the drafts were applied. */
  applied(): Promise<void> {
    return this.page.getByText('Applied as revision').waitFor();
  }

  /** Waits until the page receives the changes of other users. */
  live(): Promise<void> {
    const sign = this.page.getByRole('status').filter({ hasText: /^Live$/ });
    return sign.waitFor();
  }

  /** Returns what screen readers announce for the cells of a row, in the order of the environments. */
  async announced(name: string): Promise<readonly string[]> {
    const texts = this.row(name).getByRole('gridcell');
    await texts.first().waitFor();
    return texts.evaluateAll((cells) =>
      (
        cells as unknown as { textContent: string; querySelector(selector: string): { ariaLabel: string } | null }[]
      ).map((cell) => {
        const sign = cell.querySelector('[role="img"], button')?.ariaLabel ?? '';
        return `${sign} ${cell.textContent}`.trim();
      }),
    );
  }

  /** Records the names of the operations that the page sends from now on. */
  recordOperations(): readonly string[] {
    const operations: string[] = [];
    this.page.on('request', (request) => {
      if (!request.url().endsWith('/graphql')) return;
      operations.push(/"operationName":"(\w+)"/.exec(request.postData() ?? '')?.[1] ?? 'unnamed');
    });
    return operations;
  }

  /** Sends an operation of the console to the gateway, with the session of the browser. */
  async send(operation: string, variables: object = {}): Promise<void> {
    const hash = ownOperations().find(({ name }) => name === operation)?.hash;
    await this.page.evaluate(
      (body) => fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }),
    );
  }

  /** Returns what the page shows to a user who looks for the reason of a failure: its URL, headings, notes, and logged errors. */
  async describeState(): Promise<string> {
    const shownTexts = this.page.locator('h1, h2, h3, [role="alert"], [role="status"]');
    const texts = await Promise.race([
      shownTexts.allInnerTexts().catch((error: unknown) => [String(error)]),
      sleep(5_000, ['The page does not respond.']),
    ]);
    return [this.page.url(), ...texts.filter(Boolean), ...this.errors].join('\n  ');
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}

function ownOperations(): readonly { readonly hash: string; readonly name: string }[] {
  const texts = JSON.parse(fs.readFileSync(DOCUMENTS, 'utf8')) as Readonly<Record<string, string>>;
  return Object.entries(texts).map(([hash, text]) => ({ hash, name: /^\w+ (\w+)/.exec(text)?.[1] ?? '' }));
}
