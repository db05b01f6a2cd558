import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import { revealedParameter, type SecretLocation } from '../../data/explanation.ts';
import { describeError } from '../../lib/request-error.ts';
import { copySecret } from '../../ui/clipboard.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { NoReveal } from './no-reveal.tsx';
import styles from './reveal.module.css';
import { useAutoHide } from './use-auto-hide.ts';

type RevealState =
  | { readonly kind: 'hidden' }
  /** The secret is being loaded; the controller aborts the request. */
  | { readonly kind: 'reading'; readonly controller: AbortController }
  | RevealResult;

const HIDDEN: RevealState = { kind: 'hidden' };

interface RevealProps {
  readonly place: SecretLocation;
  /** The tab index of the button. In a grid, only the active cell is a tab stop. */
  readonly isInGrid?: boolean;
}

/** Shows dots with a button to reveal the secret, or with the reason why there is no button. */
export function Reveal(props: RevealProps) {
  if (!useMayReveal()) return <Hidden isInGrid={props.isInGrid} />;
  // A key of the cell, so that the secret of one cell is never shown in another.
  return <RevealHere key={JSON.stringify(props.place)} {...props} />;
}

/** A grid has no space for the reason. There, the explanation of the cell contains it. */
function Hidden({ isInGrid = false }: Pick<RevealProps, 'isInGrid'>) {
  return (
    <>
      <span className={styles.dots} role="img" aria-label="secret" />
      {!isInGrid && <NoReveal />}
    </>
  );
}

/** The state of a revealed secret and the actions on it. */
export type RevealResult =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * Reveals a secret with one request. The text exists only in the state of this component. It is hidden after half a minute and when the
 * page loses the focus. A response that arrives later is ignored.
 */
export function useRevealed(load: (signal: AbortSignal) => Promise<RevealResult>) {
  const [state, setState] = useState<RevealState>(HIDDEN);
  useAutoHide(state.kind === 'hidden' ? null : state, () => setState(HIDDEN));
  useEffect(
    () => () => {
      if (state.kind === 'reading') state.controller.abort();
    },
    [state],
  );
  const reveal = async () => {
    const controller = new AbortController();
    setState({ kind: 'reading', controller });
    const result = await load(controller.signal).catch(describeFailure);
    if (!controller.signal.aborted) setState(result);
  };
  return {
    result: state.kind === 'text' || state.kind === 'failed' ? state : null,
    isReading: state.kind === 'reading',
    toggle: () => (state.kind === 'hidden' ? void reveal() : setState(HIDDEN)),
    hide: () => setState(HIDDEN),
  };
}

/** Returns the reason why a secret is not revealed. */
export const describeFailure = (error: unknown): RevealResult => ({
  kind: 'failed',
  message: describeError(error),
});

/** Shows a masked value with a button to reveal it. The value is also hidden when the focus moves away. */
function RevealHere({ place, isInGrid = false }: RevealProps) {
  const { result, isReading, toggle, hide } = useRevealed((signal) => loadSecret(place, signal));
  const isHidden = result === null;
  const revealedText = result?.kind === 'text' ? result.text : null;
  const Sign = isHidden ? Eye : EyeOff;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus of its buttons and a copied selection are handled, not clicks
    <span
      className={styles.reveal}
      data-line={isInGrid || undefined}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) hide();
      }}
      onCopy={(event) => {
        if (revealedText === null) return;
        event.preventDefault();
        // The grid copies a secret as empty.
        event.stopPropagation();
        void copySecret(revealedText);
      }}
    >
      {isHidden ? (
        <span className={styles.dots} />
      ) : (
        <span className={result.kind === 'text' ? styles.text : styles.failed} dir="auto" role="status">
          {result.kind === 'text' ? withVisibleCharacters(result.text ?? 'null') : result.message}
        </span>
      )}
      <button
        type="button"
        tabIndex={isInGrid ? -1 : 0}
        className={styles.button}
        aria-label={isHidden ? 'Reveal secret' : 'Hide secret'}
        aria-busy={isReading}
        onClick={toggle}
      >
        <Sign size={13} aria-hidden />
      </button>
      {revealedText !== null && <CopyButton text={revealedText} label="Copy secret" isIcon isSecret />}
    </span>
  );
}

/** Loads a secret in plain text. The core records it. */
export async function loadSecret(location: SecretLocation, signal: AbortSignal): Promise<RevealResult> {
  const parameter = await revealedParameter(location, signal);
  if (!parameter) return { kind: 'failed', message: 'The parameter was deleted.' };
  return { kind: 'text', text: parameter.effective?.value ?? null };
}
