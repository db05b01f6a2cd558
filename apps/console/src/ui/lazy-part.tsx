import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_AFTER_MS = 500;

/**
 * A part of a page that is loaded when it is needed. Where that fails twice, the part says so in its place, and the rest of the page,
 * with what was typed there, stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  const again = async () => {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return load();
  };
  return lazy(async () => ({
    default: await load()
      .catch(again)
      .catch(() => NotLoaded),
  }));
}

function NotLoaded() {
  return (
    <p role="alert" className="not-loaded">
      This part of the console could not be loaded: the connection is cut, or there is a new version. Reload the page;
      what waits as a draft is kept.
    </p>
  );
}
