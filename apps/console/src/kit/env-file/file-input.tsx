import { decodeText } from '@strata/domain';
import { type DragEvent, useState } from 'react';
import { RequestError } from '../../lib/request-error.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import styles from './first-run-page.module.css';

/** A text from the user, with the name of its file if it came from a file. */
export interface ChosenFile {
  readonly name: string | null;
  readonly text: string;
}

interface FileTakerProps {
  readonly label: string;
  readonly placeholder: string;
  /** Whether the user can choose several files at once. */
  readonly isMany?: boolean;
  onTaken(files: readonly ChosenFile[]): void;
}

/** Accepts texts by paste, drop or file selection. The texts never become part of the page, because they may contain secrets. */
export function FileInput({ label, placeholder, isMany = false, onTaken }: FileTakerProps) {
  const [isTyped, setIsTyped] = useState(false);
  const [rejectedNames, setRejectedNames] = useState<readonly string[]>([]);
  const takeFiles = async (files: FileList | null) => {
    const chosenFiles = [...(files ?? [])].slice(0, isMany ? undefined : 1);
    const decodedFiles = await Promise.all(
      chosenFiles.map(async (file) => ({ name: file.name, ...decodeText(new Uint8Array(await file.arrayBuffer())) })),
    );
    const textFiles = decodedFiles.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
    setRejectedNames(
      decodedFiles.flatMap(({ name, line, problem }) =>
        problem === undefined ? [] : [`${name}, line ${line}: ${problem}`],
      ),
    );
    if (textFiles.length > 0) onTaken(textFiles);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void takeFiles(event.dataTransfer.files);
  };
  const submit = (form: FormData) => {
    onTaken([{ name: null, text: String(form.get('source') ?? '') }]);
    setIsTyped(false);
  };
  return (
    <form className={styles.taker} action={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <label htmlFor="source">{label}</label>
      <textarea
        id="source"
        name="source"
        rows={6}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setIsTyped(event.target.value.trim() !== '')}
        onPaste={(event) => {
          const pastedText = event.clipboardData.getData('text/plain');
          if (isTyped || pastedText.trim() === '') return;
          event.preventDefault();
          onTaken([{ name: null, text: pastedText }]);
        }}
      />
      <div className={styles.buttons}>
        <button type="submit" className={button.main} disabled={!isTyped}>
          Preview
        </button>
        <label className={button.plain}>
          {isMany ? 'Choose files' : 'Choose a file'}
          <input
            type="file"
            className="heard"
            multiple={isMany}
            onChange={({ target }) => {
              void takeFiles(target.files);
              // Resets the field, so that the user can choose the same file again.
              target.value = '';
            }}
          />
        </label>
        <span className={styles.hint}>{isMany ? 'or drop them here' : 'or drop one here'}</span>
      </div>
      {rejectedNames.map((message) => (
        <ActionError key={message} error={new RequestError('not_utf8', message, null)} />
      ))}
    </form>
  );
}
