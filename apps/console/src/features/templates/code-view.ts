import { autocompletion, type Completion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Completions, type MarkedProblem, outputText } from '../../lib/mentions.ts';

interface CodeViewOptions {
  /**
   * The shadow root, which adopts the style sheets of the editor. A style element in the page would violate the content security policy.
   */
  readonly root: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  /** Returns the completions after `{{`. */
  offered(): readonly Completions[] | Promise<readonly Completions[]>;
  onChange(text: string): void;
}

export interface CodeView {
  /** Replaces the text as one undoable step. */
  replace(text: string): void;
  /** Underlines the ranges with problems. */
  mark(problems: readonly MarkedProblem[]): void;
  focus(): void;
  destroy(): void;
}

/** Creates an editor for templates. */
export function codeView({ root, text, label, isReadOnly, offered, onChange }: CodeViewOptions): CodeView {
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-readonly': String(isReadOnly),
          'aria-description': 'Tab indents. To leave with Tab, press Escape first.',
          spellcheck: 'false',
        }),
        autocompletion({ override: [(context) => completionsAt(context, offered)], icons: false }),
        parts,
        problemMarks,
        hoverTooltip(tooltipAt),
        leavingByTab,
        EditorView.updateListener.of(({ docChanged, state }) => docChanged && onChange(state.doc.toString())),
        LOOK,
      ],
    }),
  });
  return {
    replace: (fresh) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: fresh } }),
    mark: (problems) => view.dispatch({ effects: setProblems.of(problems) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** After Escape, the next Tab leaves the editor. The library's default of two seconds is too short for many users. */
const leavingByTab = EditorView.domEventHandlers({
  keyup: ({ key }, view) => {
    if (key === 'Escape') view.setTabFocusMode(LEAVING_MS);
    return false;
  },
});
const LEAVING_MS = 30_000;

/** Highlights outputs and tags. */
const PART = new MatchDecorator({
  regexp: /\{\{[^\n]*?\}\}|\{%[^\n]*?%\}/g,
  decoration: ([part]) => Decoration.mark({ class: part.startsWith('{%') ? 'cm-tag' : 'cm-output' }),
});
const parts = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = PART.createDeco(view);
    }

    update(update: ViewUpdate): void {
      this.decorations = PART.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

const setProblems = StateEffect.define<readonly MarkedProblem[]>();
const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects, newDoc }) {
    const set = effects.find((effect) => effect.is(setProblems));
    if (!set) return marks.map(changes);
    const within = (set.value as readonly MarkedProblem[]).filter(({ to }) => to <= newDoc.length);
    return Decoration.set(
      within.map(({ from, to, message }) => Decoration.mark({ class: 'cm-problem', message }).range(from, to)),
    );
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Shows the problem below the pointer. */
function tooltipAt(view: EditorView, at: number) {
  let found: { readonly from: number; readonly to: number; readonly message: string } | null = null;
  view.state.field(problemMarks).between(at, at, (from, to, { spec }) => {
    found = { from, to, message: String(spec.message) };
  });
  return found && shown(found);
}

const shown = ({ from, to, message }: MarkedProblem) => ({
  pos: from,
  end: to,
  create: () => {
    const dom = document.createElement('p');
    dom.className = 'cm-reason';
    dom.textContent = message;
    return { dom };
  },
});

const WORD = /[^\s{}|]*$/;

/** Completes references after `{{` and in tags. */
async function completionsAt(context: CompletionContext, offered: CodeViewOptions['offered']) {
  const before = context.matchBefore(/\{\{-?[ \t]*[^\s{}|]*|\{%-?[^%{}]*[ \t][^\s{}|%]*/);
  if (!before) return null;
  const word = WORD.exec(before.text)?.[0] ?? '';
  const isOutput = before.text.startsWith('{{');
  return {
    from: before.to - word.length,
    validFor: /^[^\s{}|]*$/,
    options: (await offered()).map(({ label, detail, kind }): Completion => {
      const apply = isOutput ? writtenOutput(label) : label;
      return { label, detail, type: kind, apply, boost: kind === 'parameter' ? 1 : 0 };
    }),
  };
}

/** Inserts a completion, with spaces and closing braces if they are missing. */
const writtenOutput = (label: string) => (view: EditorView, _: Completion, from: number, to: number) => {
  const { doc } = view.state;
  const insert = outputText(label, doc.sliceString(from - 1, from), doc.sliceString(to, doc.lineAt(to).to));
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
  });
};

/** The theme uses the colours and sizes of the page, because custom properties are inherited by the shadow root. */
const LOOK = EditorView.theme({
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
  },
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
