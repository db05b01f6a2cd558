import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { SecretLocation } from '../../data/explanation.ts';
import { valueRulesQuery } from '../../data/value-rules.ts';
import { SecretToggle } from '../../kit/editing/secret-toggle.tsx';
import pane from '../../kit/editing/text-pane.module.css';
import { TextPane } from '../../kit/editing/text-pane.tsx';
import { useSecretText } from '../../kit/reveal/use-secret-text.ts';
import { generatedSecret } from '../../lib/generated-secret.ts';
import { keepLineBreaks, withoutCarriageReturns } from '../../lib/line-breaks.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import type { EditorProps } from './editor-box.tsx';
import { Problems } from './text-editor.tsx';
import { useSaving } from './use-saving.ts';
import { useTextCheck } from './use-text-check.ts';

interface FullPageEditorProps extends Omit<EditorProps, 'isLast' | 'onFullPage'> {
  /** The location of the stored secret; null if the value is not secret or not stored. */
  readonly secret: SecretLocation | null;
  /** Called when the user returns to the cell, where the typed text stays. */
  onBack(isChanged: boolean): void;
}

/** Edits a value on the whole page: long texts, JSON and certificates. Escape returns to the cell with the typed text. */
export function FullPageEditor(props: FullPageEditorProps) {
  const { value, label } = props;
  const { content, check, isRejected, save, back } = useFullPageEditing(props);
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    // Before the editor, which would add a line.
    event.preventDefault();
    event.stopPropagation();
    save();
  };
  return (
    <Dialog title={label} isFullPage onClose={back}>
      <div className={pane.page} onKeyDownCapture={onKey}>
        <TextPane
          {...{ label, ...content }}
          isReadOnly={false}
          isSecret={value.isSecret}
          isTemplate={check.isDynamic}
          isJson={/json/i.test(value.rules.type) || null}
          unknown={check.isDynamic ? check.unknown : undefined}
          offered={check.offered}
          onChange={(text, isCompletion) => {
            content.write(text);
            if (isCompletion) check.choose(true);
          }}
        >
          {value.isSecret && <SecretToggle secretText={content} />}
          {value.isSecret && (
            <button type="button" className={button.plain} onClick={() => content.replace(generatedSecret())}>
              Generate
            </button>
          )}
          {check.mayBeDynamic && (
            <label className={pane.choice}>
              <input
                type="checkbox"
                checked={check.isDynamic}
                onChange={({ target }) => check.choose(target.checked)}
              />{' '}
              resolve {'{{ references }}'}
            </label>
          )}
        </TextPane>
        <Problems problems={check.problems} isRejected={isRejected} again="Save" />
        <div className={pane.foot}>
          <button type="button" className={button.main} title="Ctrl + Enter" onClick={save}>
            Save draft
          </button>
          <button type="button" className={button.plain} title="Esc" onClick={back}>
            Back to the cell
          </button>
          {value.isSecret && <span className={pane.size}>Held in this tab until you apply.</span>}
        </div>
      </div>
    </Dialog>
  );
}

/** The text of the editor and its checks. A changed text becomes a draft if the user leaves the page of the console. */
function useFullPageEditing(props: FullPageEditorProps) {
  const { value, initial, typed, soFar, secret, onBack, onDone } = props;
  const { data: rules } = useQuery(valueRulesQuery(useQueryClient(), value.rules));
  const [initialText] = useState(() => withoutCarriageReturns(soFar.text ?? typed ?? initial.text));
  const content = useSecretText({ initial: initialText, isSecret: value.isSecret, place: secret });
  const { text, revealed } = content;
  const check = useTextCheck({ value, rules: rules ?? null, text, initial, soFar });
  const isDone = useRef(false);
  const finish: EditorProps['onDone'] = (edit, then) => {
    isDone.current = true;
    onDone(edit, then);
  };
  const { rejectedText, isUntouched, save } = useSaving({ initial, typed, check, onDone: finish });
  const isChanged = text !== revealed && !isUntouched(text);
  const leave = useEffectEvent(() => {
    if (!isDone.current && isChanged) save(text, 'leave');
  });
  useEffect(() => () => leave(), []);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
  const back = () => {
    isDone.current = true;
    soFar.text = isChanged ? keepLineBreaks(initial.text, text) : null;
    onBack(isChanged);
  };
  return {
    content,
    check,
    isRejected: rejectedText === text,
    save: () => (isChanged ? save(text, 'stay') : finish(null, 'stay')),
    back,
  };
}
