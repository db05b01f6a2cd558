import { type ComponentType, createContext, lazy, useContext, useState } from 'react';
import button from './button.module.css';

const AGAIN_AFTER_MS = 500;

/** Loads the part once more that failed to load. */
const TryAgain = createContext<() => void>(() => undefined);

/**
 * A part of a page that is loaded when it is needed. Where that fails twice, the part says so in its place and offers to try again,
 * and the rest of the page, with what was typed there, stays.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const again = async () => {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    return load();
  };
  const lazily = () =>
    lazy(async () => ({
      default: await load()
        .catch(again)
        .catch((): ComponentType<Props> => NotLoaded),
    }));
  let part = lazily();
  return function LazyPart(props) {
    const [Part, setPart] = useState(() => part);
    const tryAgain = () => {
      part = lazily();
      setPart(part);
    };
    return (
      <TryAgain value={tryAgain}>
        <Part {...props} />
      </TryAgain>
    );
  };
}

function NotLoaded() {
  const tryAgain = useContext(TryAgain);
  return (
    <div role="alert" className="not-loaded">
      <p>
        This part of the console could not be loaded: the connection is cut, or there is a new version. Try again, or
        reload the page; what waits as a draft is kept.
      </p>
      <button type="button" className={button.plain} onClick={tryAgain}>
        Try again
      </button>
    </div>
  );
}
