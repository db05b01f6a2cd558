import { readStored, writeStored } from './browser-storage.ts';

const STORED_AS = 'strata-theme';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function chosenTheme(): Theme {
  return THEMES.find((theme) => theme === readStored(STORED_AS)) ?? 'system';
}

/** Stores the theme in this browser and shows it. */
export function chooseTheme(theme: Theme): void {
  writeStored(STORED_AS, theme === 'system' ? null : theme);
  showTheme(theme);
}

/** Shows a theme. The style sheets contain both themes, and follow the operating system if none is set. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const isDark = (theme: Theme): boolean =>
  theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
