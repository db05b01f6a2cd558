import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { valueRulesQuery } from '../../data/value-rules.ts';
import { isTrue, toggleBooleanText } from '../../lib/boolean-text.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './editor.module.css';
import { EditorBox, type EditorProps } from './editor-box.tsx';
import { TextEditor } from './text-editor.tsx';

export const FullPageEditor = lazyPart(async () => (await import('./full-page-editor.tsx')).FullPageEditor);

/** Edits the value of a cell: a boolean with a switch, everything else as text. */
export function Editor(props: EditorProps) {
  const { value, initial, typed, soFar, onDone } = props;
  const { data: rules } = useQuery(valueRulesQuery(useQueryClient(), value.rules));
  const isOnlyText = value.isSecret || initial.dynamic || typed !== null || soFar.text !== null;
  const [isSwitch, setSwitch] = useState(rules?.base === 'boolean' && !isOnlyText);
  const isDone = useRef(false);
  const done: EditorProps['onDone'] = (edit, then) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(edit, then);
  };
  if (isSwitch) return <SwitchEditor {...props} onDone={done} onText={() => setSwitch(false)} />;
  return <TextEditor {...props} rules={rules ?? null} onDone={done} />;
}

interface SwitchEditorProps extends EditorProps {
  /** Called to edit the value as text, for example to refer to another parameter. */
  onText(): void;
}

/** A switch that saves when it is toggled. */
function SwitchEditor({ label, initial, isLast, onDone, onText }: SwitchEditorProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => toggle.current?.focus({ preventScroll: true }), []);
  return (
    <EditorBox {...{ label, isLast }} onLeave={() => onDone(null, 'leave')} onCancel={() => onDone(null, 'stay')}>
      <button
        ref={toggle}
        type="button"
        role="switch"
        aria-checked={isTrue(initial.text)}
        aria-label={label}
        className={styles.switch}
        onClick={() => onDone({ kind: 'set', text: toggleBooleanText(initial.text), dynamic: false }, 'stay')}
        onKeyDown={(event) => {
          if (event.key !== 'Tab' || event.shiftKey) return;
          event.preventDefault();
          onDone(null, 'right');
        }}
      >
        <span className={styles.track} aria-hidden />
        <span>{initial.text === '' ? 'not set' : <UserText>{initial.text}</UserText>}</span>
      </button>
      <div className={styles.strip}>
        <button type="button" className={styles.choice} onClick={onText}>
          edit as text
        </button>
        <button type="button" className={styles.choice} onClick={() => onDone({ kind: 'null' }, 'stay')}>
          set to null
        </button>
        <span className={styles.keys} aria-hidden>
          <kbd>Space</kbd> toggles <kbd>Esc</kbd> cancels
        </span>
      </div>
    </EditorBox>
  );
}
