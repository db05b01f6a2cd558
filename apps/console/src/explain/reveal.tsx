import { useState } from 'react';
import { ask, Refused } from '../graphql/ask.ts';
import type { MomentArgs } from '../moment/moment.ts';
import { RevealValue } from './explain.graphql.ts';
import styles from './reveal.module.css';
import { useHiding } from './use-hiding.ts';

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
 * Dots that a click turns into the secret: one read of this one value, kept nowhere but in what is shown. It hides after half
 * a minute, when the focus goes elsewhere, and when the page is not looked at.
 */
export function Reveal({ place, isInGrid = false }: RevealProps) {
  const [told, setTold] = useState<Told | null>(null);
  const [isReading, setReading] = useState(false);
  useHiding(told !== null, () => setTold(null));
  const reveal = async () => {
    setReading(true);
    setTold(await tell(place));
    setReading(false);
  };
  return (
    <button
      type="button"
      tabIndex={isInGrid ? -1 : 0}
      className={styles.reveal}
      data-line={isInGrid || undefined}
      aria-label={told === null ? 'Secret: reveal it' : 'Hide the secret'}
      aria-busy={isReading}
      onClick={() => (told === null ? void reveal() : setTold(null))}
      onBlur={() => setTold(null)}
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
