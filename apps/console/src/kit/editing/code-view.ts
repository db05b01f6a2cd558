import { autocompletion, type Completion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { Compartment, EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
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
import { type Completions, completeOutput, type MarkedProblem } from '../../lib/mentions.ts';
import { preventCopy } from '../../ui/clipboard.ts';
import { type CodeLanguage, languageSupport } from './code-language.ts';
import { LOOK } from './code-look.ts';

interface CodeViewOptions {
  /**
   * The shadow root, which adopts the style sheets of the editor. A style element in the page would violate the content security policy.
   */
  readonly root: ShadowRoot;
  readonly text: string;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly language: CodeLanguage;
  /** Whether Tab indents instead of moving the focus. */
  readonly isIndentedByTab: boolean;
  /** Called with a selected text instead of copying it. The text cannot be dragged either. */
  readonly onCopy?: ((text: string) => void) | undefined;
  /** Returns the completions after `{{`. */
  offered(): readonly Completions[] | Promise<readonly Completions[]>;
  /** Called with the text, and whether the change inserted a completion. */
  onChange(text: string, isCompletion: boolean): void;
}

export interface CodeView {
  /** Replaces the text as one undoable step. */
  replace(text: string): void;
  setLanguage(language: CodeLanguage): void;
  /** Underlines the ranges with problems. */
  mark(problems: readonly MarkedProblem[]): void;
  focus(): void;
  destroy(): void;
}

/** Creates an editor for templates and values. */
export function codeView(options: CodeViewOptions): CodeView {
  const { root, text, label, isReadOnly, isIndentedByTab, offered, onChange } = options;
  const language = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        isIndentedByTab ? [keymap.of([indentWithTab]), leavingByTab, TAB_HINT] : [],
        language.of(languageSupport(options.language)),
        EditorView.lineWrapping,
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-readonly': String(isReadOnly),
          spellcheck: 'false',
          // Shows that the text scrolls by keyboard.
          tabindex: '0',
        }),
        autocompletion({ override: [(context) => completionsAt(context, offered)], icons: false }),
        parts,
        problemMarks,
        hoverTooltip(tooltipAt),
        NO_FILES,
        copying(options),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const isCompletion = transactions.some((transaction) => transaction.isUserEvent('input.complete'));
          if (docChanged) onChange(state.doc.toString(), isCompletion);
        }),
        LOOK,
      ],
    }),
  });
  return {
    replace: (newText) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: newText } }),
    setLanguage: (newLanguage) => view.dispatch({ effects: language.reconfigure(languageSupport(newLanguage)) }),
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
const TAB_HINT = EditorView.contentAttributes.of({
  'aria-description': 'Tab indents. To leave with Tab, press Escape first.',
});

/** The library would insert dropped files, with U+FFFD for bytes that are not UTF-8. The browser would open them. */
const NO_FILES = EditorView.domEventHandlers({
  drop(event) {
    if (!event.dataTransfer?.files.length) return false;
    event.preventDefault();
    return true;
  },
});

/** Hands copied and cut texts over, if the page decides what happens with them. */
function copying({ onCopy }: CodeViewOptions): Extension {
  if (!onCopy) return [];
  const take = (event: ClipboardEvent, { state }: EditorView): boolean => {
    const { from, to } = state.selection.main;
    preventCopy(event);
    if (from !== to) onCopy(state.sliceDoc(from, to));
    return true;
  };
  return EditorView.domEventHandlers({
    dragstart(event) {
      event.preventDefault();
      return true;
    },
    copy: take,
    cut(event, view) {
      if (!view.state.readOnly) view.dispatch(view.state.replaceSelection(''));
      return take(event, view);
    },
  });
}

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
  let problem: { readonly from: number; readonly to: number; readonly message: string } | null = null;
  view.state.field(problemMarks).between(at, at, (from, to, { spec }) => {
    problem = { from, to, message: String(spec.message) };
  });
  return problem && toDiagnostic(problem);
}

const toDiagnostic = ({ from, to, message }: MarkedProblem) => ({
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
async function completionsAt(context: CompletionContext, offeredCompletions: CodeViewOptions['offered']) {
  const before = context.matchBefore(/\{\{-?[ \t]*[^\s{}|]*|\{%-?[^%{}]*[ \t][^\s{}|%]*/);
  if (!before) return null;
  const word = WORD.exec(before.text)?.[0] ?? '';
  const isOutput = before.text.startsWith('{{');
  return {
    from: before.to - word.length,
    validFor: /^[^\s{}|]*$/,
    options: (await offeredCompletions()).map(({ label, detail, kind }): Completion => {
      const apply = isOutput ? writtenOutput(label) : label;
      return { label, detail, type: kind, apply, boost: kind === 'parameter' ? 1 : 0 };
    }),
  };
}

/** Inserts a completion, with spaces and closing braces if they are missing. */
const writtenOutput = (label: string) => (view: EditorView, _: Completion, from: number, to: number) => {
  const { doc } = view.state;
  const insert = completeOutput(label, doc.sliceString(from - 1, from), doc.sliceString(to, doc.lineAt(to).to));
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: 'input.complete',
  });
};
