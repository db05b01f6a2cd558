import { useEffect, useState } from 'react';
import { ask, Refused } from '../graphql/ask.ts';
import type { MomentArgs } from '../moment/moment.ts';
import { RevealValue } from './explain.graphql.ts';
import styles from './reveal.module.css';

/** How long a secret can be read before it hides again. */
const SHOWN_MS = 30_000;

export interface SecretPlace {
  readonly projectId: string;
  readonly parameterId: string;
  readonly environment: string;
  readonly moment: MomentArgs;
}

type Told =
  | { readonly kind: 'text'; readonly text: string | null }
  | { readonly kind: 'refused'; readonly words: string };

interface RevealProps {
  readonly place: SecretPlace;
  /** A grid has one stop of the Tab key, which is its active cell. */
  readonly isInGrid?: boolean;
}

/**
 * A secret that somebody asks to see: one read, kept nowhere but in what is shown. It hides after half a minute, and when the
 * page is not looked at.
 */
export function useRevealed<Told>(read: () => Promise<Told>) {
  const [told, setTold] = useState<Told | null>(null);
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    if (told === null) return;
    const hide = () => setTold(null);
    const timer = setTimeout(hide, SHOWN_MS);
    addEventListener('blur', hide);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', hide);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [told]);
  const reveal = async () => {
    setReading(true);
    const found = await read();
    setTold(found);
    setReading(false);
  };
  return { told, isReading, reveal, hide: () => setTold(null) };
}

/** Dots that a click turns into the secret, one value; they come back when the focus goes elsewhere, too. */
export function Reveal({ place, isInGrid = false }: RevealProps) {
  const { told, isReading, reveal, hide } = useRevealed(() => tell(place));
  return (
    <button
      type="button"
      tabIndex={isInGrid ? -1 : 0}
      className={styles.reveal}
      data-line={isInGrid || undefined}
      aria-label={told === null ? 'Secret: reveal it' : 'Hide the secret'}
      aria-busy={isReading}
      onClick={() => (told === null ? void reveal() : hide())}
      onBlur={hide}
    >
      {told === null ? (
        <span className={styles.dots} />
      ) : (
        <span className={told.kind === 'text' ? styles.text : styles.refused}>
          {told.kind === 'text' ? (told.text ?? 'null') : told.words}
        </span>
      )}
    </button>
  );
}

async function tell({ projectId, parameterId, environment, moment }: SecretPlace): Promise<Told> {
  try {
    const { parameter } = await ask(RevealValue, { projectId, parameterId, environment, ...moment });
    return { kind: 'text', text: parameter?.effective?.value ?? null };
  } catch (error) {
    return { kind: 'refused', words: error instanceof Refused ? error.message : 'This did not work. Try again.' };
  }
}
