import { ReferenceList, type TextWithReferences } from '../../kit/env-file/reference-list.tsx';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import page from '../../ui/page.module.css';

interface ReferencesDialogProps {
  readonly texts: readonly TextWithReferences[];
  /** Called with the choice of the user; null to cancel. */
  onAnswer(resolves: boolean | null): void;
}

/** Lets the user choose once whether the references in pasted texts are resolved, and lists the texts. */
export function ReferencesDialog({ texts, onAnswer }: ReferencesDialogProps) {
  return (
    <Dialog title="Resolve references" onClose={() => onAnswer(null)}>
      <p>
        {texts.length === 1 ? '1 pasted value contains' : `${texts.length.toLocaleString()} pasted values contain`}{' '}
        references. If you resolve them, the values follow the parameters that they refer to.
      </p>
      <ReferenceList texts={texts} />
      <form
        className={page.buttons}
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(true);
        }}
      >
        <button type="submit" className={button.main}>
          Resolve references
        </button>
        <button type="button" className={button.plain} onClick={() => onAnswer(false)}>
          Keep as text
        </button>
        <button type="button" className={button.quiet} onClick={() => onAnswer(null)}>
          Cancel
        </button>
      </form>
    </Dialog>
  );
}
