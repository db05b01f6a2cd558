import { json } from '@codemirror/lang-json';
import { foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export type CodeLanguage = 'plain' | 'json';

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--project)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--staged-ink)' },
]);

const JSON_SUPPORT: Extension = [json(), syntaxHighlighting(COLOURS), foldGutter(), keymap.of(foldKeymap)];

/** Returns the colours and the folding of a language. */
export const languageSupport = (language: CodeLanguage): Extension => (language === 'json' ? JSON_SUPPORT : []);
