import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import button from './button.module.css';

/**
 * A part of a page that is loaded when it is needed. If that fails, an error replaces the part, and the rest of the page keeps its
 * input.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => NotLoaded) }));
}

/** A browser remembers that a module failed to load until the page is reloaded. */
export const reloadPage = (): void => window.location.reload();

/** Whether a module of the console failed to load. Each browser has its own message for that. */
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
