import { describeTypes, type InferredTypes as Types } from '@strata/import';
import { useEffect, useEffectEvent } from 'react';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';

interface InferredTypesProps {
  readonly types: Types;
  onDismiss(): void;
}

/** Lists the types that new parameters get because of their texts. Escape makes all of them strings. */
export function InferredTypes({ types, onDismiss }: InferredTypesProps) {
  const isShown = types.size > 0;
  const dismiss = useEffectEvent(onDismiss);
  useEffect(() => {
    if (!isShown) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return;
      // Captured, because the same key closes what contains the list.
      event.preventDefault();
      event.stopPropagation();
      dismiss();
    };
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <p role="status">
      <UserText>{describeTypes(types)}</UserText>{' '}
      <button type="button" className={button.quiet} aria-keyshortcuts="Escape" onClick={onDismiss}>
        Use string <kbd>Esc</kbd>
      </button>
    </p>
  );
}
