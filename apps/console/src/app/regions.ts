/** The element that had the focus when the user left a region. */
const left = new WeakMap<HTMLElement, HTMLElement>();

const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]:not([tabindex="-1"])';

/** Moves the focus to the next region of the page, or to the previous one. A region with regions inside is not one itself. */
export function focusOtherRegion(isBack: boolean): void {
  const markedElements = [...document.querySelectorAll<HTMLElement>('[data-region]')];
  const regions = markedElements.filter((region) => isShown(region) && !region.querySelector('[data-region]'));
  const from = document.activeElement;
  const at = regions.findIndex((region) => region.contains(from));
  const currentRegion = regions[at];
  if (currentRegion && from instanceof HTMLElement) left.set(currentRegion, from);
  const next = regions.at(isBack ? Math.max(at, 0) - 1 : (at + 1) % regions.length);
  if (next) targetIn(next).focus();
}

/** Returns the element that had the focus before, or the first one that can have it, or the region itself. */
function targetIn(region: HTMLElement): HTMLElement {
  const before = left.get(region);
  if (before && region.contains(before) && isShown(before)) return before;
  const first = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isShown);
  if (first) return first;
  region.tabIndex = -1;
  return region;
}

const isShown = (element: HTMLElement) =>
  element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert]') === null;
