import type { Page } from 'playwright-core';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface LaidOutElement {
  readonly tagName: string;
  readonly ariaLabel: string | null;
  readonly textContent: string;
  readonly parentElement: LaidOutElement | null;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string }>;
  getBoundingClientRect(): Box;
  getClientRects(): Iterable<Box>;
  checkVisibility(options: object): boolean;
  closest(selector: string): LaidOutElement | null;
  contains(descendant: LaidOutElement | null): boolean;
  matches(selector: string): boolean;
}

/** The globals of the page, which differ from those of the tests. */
interface LaidOutPage {
  layout: Layout;
  readonly document: {
    readonly documentElement: { readonly clientWidth: number; readonly clientHeight: number };
    querySelectorAll(selector: string): Iterable<LaidOutElement>;
    elementFromPoint(x: number, y: number): LaidOutElement | null;
  };
  getComputedStyle(element: LaidOutElement): {
    readonly overflowX: string;
    readonly overflowY: string;
    readonly textOverflow: string;
    readonly clipPath: string;
    readonly position: string;
  };
}

/** The measurements of a page that the checks below use. */
interface Layout {
  readonly texts: readonly LaidOutElement[];
  readonly controls: readonly LaidOutElement[];
  describeElement(element: LaidOutElement): string;
  around(element: LaidOutElement): readonly LaidOutElement[];
  /** Returns the part of a box of an element that its ancestors show; null if an ancestor hides it on purpose. */
  shownPart(element: LaidOutElement, box: Box): Box | null;
  /** Returns whether an element is part of a bar or a menu that covers others while they scroll. */
  isFloating(element: LaidOutElement): boolean;
}

/**
 * Returns the texts and controls of a page that its width cuts off, texts that overlap, and controls that other elements cover. Contents of
 * areas that scroll, and texts that end with an ellipsis, are not cut off.
 */
export async function findLayoutProblems(page: Page): Promise<string[]> {
  await page.evaluate(measure);
  const [cutOff, overlaps, covered] = [
    await page.evaluate(findCutOff),
    await page.evaluate(findOverlaps),
    await page.evaluate(findCovered),
  ];
  return [...cutOff, ...overlaps, ...covered];
}

/** Adds the measurements to the page. This function and the next three run in the browser. */
function measure(): void {
  const page = globalThis as unknown as LaidOutPage;
  const visibleElements = [...page.document.querySelectorAll('body *')].filter((element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
  );
  const boxAround = (element: LaidOutElement) => {
    const chain = [element];
    for (let next = element.parentElement; next; next = next.parentElement) chain.push(next);
    return chain;
  };
  page.layout = {
    texts: visibleElements.filter(({ childNodes }) =>
      [...childNodes].some(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== ''),
    ),
    controls: visibleElements.filter((element) => element.matches('a, button, input, select, textarea, summary')),
    describeElement: ({ tagName, ariaLabel, textContent }) =>
      `${tagName.toLowerCase()} ${(ariaLabel ?? textContent).trim().slice(0, 40)}`,
    around: boxAround,
    shownPart: (element, box) => {
      let { left, right, top, bottom } = box;
      for (const ancestor of boxAround(element)) {
        const { overflowX, overflowY, clipPath } = page.getComputedStyle(ancestor);
        if (clipPath !== 'none') return null;
        const limits = ancestor.getBoundingClientRect();
        if (overflowX !== 'visible') [left, right] = [Math.max(left, limits.left), Math.min(right, limits.right)];
        if (overflowY !== 'visible') [top, bottom] = [Math.max(top, limits.top), Math.min(bottom, limits.bottom)];
      }
      return right - left < 2 || bottom - top < 2 ? null : { left, right, top, bottom };
    },
    isFloating: (element) =>
      boxAround(element).some((ancestor) =>
        ['sticky', 'fixed', 'absolute'].includes(page.getComputedStyle(ancestor).position),
      ),
  };
}

function findCutOff(): readonly string[] {
  const { document, getComputedStyle, layout } = globalThis as unknown as LaidOutPage;
  const isCutOff = (element: LaidOutElement) => {
    const { left, right } = element.getBoundingClientRect();
    if (right - left < 2) return false;
    for (const ancestor of layout.around(element).slice(1)) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(ancestor);
      // The page itself only scrolls down.
      const scrolls = ['auto', 'scroll'].includes(overflowX) && !ancestor.matches('main, aside');
      if (scrolls || textOverflow === 'ellipsis' || clipPath !== 'none') return false;
      const limits = ancestor.getBoundingClientRect();
      if (overflowX !== 'visible' && (right > limits.right + 1 || left < limits.left - 1)) return true;
    }
    return right > document.documentElement.clientWidth + 1 || left < -1;
  };
  const cutOffNames = new Set([...layout.texts, ...layout.controls].filter(isCutOff).map(layout.describeElement));
  return [...cutOffNames].map((name) => `cut off: ${name}`);
}

function findOverlaps(): readonly string[] {
  const { layout } = globalThis as unknown as LaidOutPage;
  const lines = layout.texts.flatMap((element) => {
    const parts = [...element.getClientRects()].map((line) => layout.shownPart(element, line));
    return parts.flatMap((box) => (box ? [{ element, box }] : []));
  });
  const overlaps = new Set<string>();
  lines.forEach(({ element, box }, at) => {
    for (const { element: otherElement, box: otherBox } of lines.slice(at + 1)) {
      const across = Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left);
      const overlapHeight = Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top);
      if (across < 3 || overlapHeight < 6 || element.contains(otherElement) || otherElement.contains(element)) continue;
      if (layout.isFloating(element) || layout.isFloating(otherElement)) continue;
      overlaps.add(`overlap: ${layout.describeElement(element)} / ${layout.describeElement(otherElement)}`);
    }
  });
  return [...overlaps];
}

function findCovered(): readonly string[] {
  const { document, layout } = globalThis as unknown as LaidOutPage;
  const { clientWidth, clientHeight } = document.documentElement;
  return layout.controls.flatMap((control) => {
    const box = layout.shownPart(control, control.getBoundingClientRect());
    const [x, y] = box ? [(box.left + box.right) / 2, (box.top + box.bottom) / 2] : [-1, -1];
    if (x < 0 || y < 0 || x > clientWidth || y > clientHeight) return [];
    const top = document.elementFromPoint(x, y);
    const isReached = top === null || control.contains(top) || top.contains(control);
    if (isReached || top.closest('label')?.contains(control) || layout.isFloating(top)) return [];
    return [`covered: ${layout.describeElement(control)} by ${layout.describeElement(top)}`];
  });
}
