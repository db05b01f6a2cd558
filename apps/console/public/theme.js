// Sets the stored theme before the first paint. The modules of the console set it again (lib/theme.ts).
try {
  const theme = localStorage.getItem('strata-theme');
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme;
    document.querySelector('meta[name="color-scheme"]').content = theme;
  }
} catch {
  // Without storage, the theme is that of the system.
}
