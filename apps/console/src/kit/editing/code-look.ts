import { EditorView } from '@codemirror/view';

/** The theme uses the colours and sizes of the page, because custom properties are inherited by the shadow root. */
export const LOOK = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: 'var(--text-s)', blockSize: '100%' },
  // The element around the shadow root shows the focus, including the gutter.
  '&.cm-focused': { outline: '0' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.6', fontFeatureSettings: '"calt" 0' },
  '.cm-content': { caretColor: 'var(--ink)', padding: 'var(--space-2) 0' },
  '.cm-gutters': {
    color: 'var(--ink-faint)',
    backgroundColor: 'var(--sunk)',
    border: '0',
    borderInlineEnd: '1px solid var(--line)',
    // The numbers of a hidden text stay visible.
    WebkitTextSecurity: 'none',
  },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  '.cm-foldPlaceholder': { color: 'var(--ink-soft)', backgroundColor: 'var(--hover)', border: '0' },
  '.cm-output': { color: 'var(--dynamic)' },
  '.cm-tag': { color: 'var(--accent)' },
  '.cm-problem': { textDecoration: 'underline wavy var(--danger)', textUnderlineOffset: '0.25em' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '0',
    borderRadius: 'var(--corner)',
    boxShadow: 'var(--shadow)',
    // Forced colours show it instead of the shadow.
    outline: '1px solid transparent',
    fontFamily: 'var(--font-words)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)', maxHeight: '14rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--chosen)',
    // Forced colours show it instead of the background.
    outline: '2px solid transparent',
    outlineOffset: '-2px',
  },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontFamily: 'var(--font-words)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-reason': { margin: '0', padding: '0.25rem 0.5rem', color: 'var(--danger)', maxInlineSize: '28rem' },
});
