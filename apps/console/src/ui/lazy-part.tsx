import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import button from './button.module.css';

/**
 * Returns a component that is loaded when it is first rendered. If loading fails, an error replaces the component, and the rest of the page
 * keeps its input.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => NotLoaded) }));
}

/** Reloads the page, because browsers remember that a module failed to load. */
export const reloadPage = (): void => window.location.reload();

/** Returns whether a module of the console failed to load. The message depends on the browser. */
export const isNotLoaded = (error: unknown): boolean =>
  error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);

function NotLoaded() {
  return (
    <div role="alert" className="not-loaded">
      <p>
        Couldn’t load this part of the console. The connection was lost, or a new version was released. “Try again”
        reloads the page and keeps your drafts.
      </p>
      <button type="button" className={button.plain} onClick={reloadPage}>
        Try again
      </button>
    </div>
  );
}
