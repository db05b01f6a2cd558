import type { Page } from 'playwright-core';

interface ShownElement {
  readonly tagName: string;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}

/** The globals of the page, which differ from those of the tests. */
interface ShownPage {
  readonly document: {
    readonly title: string;
    readonly body: object;
    querySelectorAll(selector: string): Iterable<ShownElement>;
    createTreeWalker(
      root: object,
      what: number,
    ): { nextNode(): { readonly data: string; readonly parentElement: ShownElement } | null };
  };
  getComputedStyle(element: object): { readonly display: string; readonly unicodeBidi: string };
}

/**
 * Returns the texts of a page that could be displayed in another order than they are stored, or that could reorder the text beside them.
 */
export function findBidiProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as ShownPage;
    const [controls, fromTheRight, texts] = [/[\u202a-\u202e\u2066-\u2069]/, /[\u0590-\u05ff]/, 4];
    const problems: string[] = [];
    if (controls.test(document.title)) problems.push(`title: ${document.title}`);
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder']) {
        const attribute = element.getAttribute(name);
        if (attribute !== null && controls.test(attribute)) problems.push(`${element.tagName} ${name}: ${attribute}`);
      }
    }
    const walker = document.createTreeWalker(document.body, texts);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { data, parentElement: element } = node;
      // A text area isolates its text from the text around it.
      if (element.tagName === 'TEXTAREA') continue;
      if (controls.test(data)) problems.push(`${element.tagName}: ${data}`);
      if (!fromTheRight.test(data) || ['OPTION', 'TITLE'].includes(element.tagName)) continue;
      const { display, unicodeBidi } = getComputedStyle(element);
      const isApart = /isolate|plaintext/.test(unicodeBidi) && display === 'inline';
      const isAlone = display !== 'inline' && element.textContent === data;
      if (!isApart && !isAlone) problems.push(`${element.tagName} beside others: ${element.textContent}`);
    }
    return problems;
  });
}
