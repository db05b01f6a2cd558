/** The space at the end of a cell. */
const END = 12;

/** Returns the width in pixels that a cell needs to show its visible texts completely. */
export function textWidth(cell: HTMLElement): number {
  const { left } = cell.getBoundingClientRect();
  const range = document.createRange();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  let end = left;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    // Texts for screen readers take no space.
    if (node.parentElement?.closest('.heard')) continue;
    range.selectNodeContents(node);
    end = Math.max(end, range.getBoundingClientRect().right);
  }
  return end - left + END;
}
