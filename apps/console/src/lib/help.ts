/** The page of the documentation about each page of the console, by route. Its address is below `/help/`. */
export const HELP_PAGES: Readonly<Record<string, string>> = {
  '/': 'reference/console.html#home',
  '/account': 'reference/access.html',
  '/access': 'guides/manage-access.html',
  '/compare': 'guides/compare-environments.html',
  '/destinations/new': 'guides/receive-changes-by-http.html',
  '/destinations/$destination': 'guides/receive-changes-by-http.html',
  '/environments': 'guides/manage-environments.html',
  '/history': 'reference/history.html',
  '/history/$revision/revert': 'guides/roll-back-a-change.html',
  '/history/return': 'guides/roll-back-a-change.html',
  '/import': 'guides/move-from-a-snapshot.html',
  '/integrations': 'guides/push-to-aws.html',
  '/organization': 'reference/access.html',
  '/projects': 'guides/manage-projects.html',
  '/projects/$name': 'guides/change-values.html',
  '/projects/$name/connect': 'guides/follow-a-configuration.html',
  '/projects/$name/export': 'guides/export-a-configuration.html',
  '/projects/$name/import': 'guides/import-a-configuration.html',
  '/projects/$name/instances': 'guides/see-what-runs-where.html',
  '/projects/$name/lint': 'guides/search-and-lint.html',
  '/projects/$name/parameters/$parameter/rules': 'guides/define-types.html',
  '/projects/$name/settings': 'guides/manage-projects.html',
  '/projects/$name/templates': 'guides/write-a-template.html',
  '/review': 'guides/change-values.html',
  '/rotations': 'guides/rotate-secrets.html',
  '/search': 'guides/search-and-lint.html',
  '/start': 'guides/import-a-configuration.html',
  '/types': 'guides/define-types.html',
  '/webhooks': 'guides/connect-chat.html',
};

const ANY_PAGE = 'reference/console.html';

/** Returns the address of the documentation about a page of the console, or else about the page above it. */
export function helpFor(route: string): string {
  for (let at = route.replace(/\/$/, '') || '/'; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const page = HELP_PAGES[at];
    if (page !== undefined) return `/help/${page}`;
  }
  return `/help/${ANY_PAGE}`;
}
