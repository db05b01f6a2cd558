// Which modules of the console come in one file: what is loaded together, and what a release leaves as it is.
// A page of somebody who comes back reads anew only the files whose content, and so whose name, has changed.

const inRooms = (files) => new RegExp(`[\\\\/]console[\\\\/]src[\\\\/](${files})`);
const ofPackages = (names) => new RegExp(`[\\\\/]node_modules[\\\\/]${names}.*\\.[cm]?js$`);

/** What comes behind every page, to keep it as things are now, and what is so small that it comes along. */
const LIVE = inRooms(
  'lib/(touched|draft-standing)|data/(present-values|write-access|matrix)\\.ts|graphql/(present-values|matrix)\\.graphql|ui/use-settled',
);
/** What the matrix is made of, and others take parts of. Operations are made of drafts where those are reviewed. */
const MATRIX = inRooms(
  '(features/matrix|kit/(cells|drafts|explain|reveal))/|lib/draft(-refusals)?\\.ts|data/(cell|refresh-matrix|explanation|since)\\.ts|graphql/explain\\.graphql',
);
/** The components of pages that list, create and delete. */
const LISTS = inRooms('ui/(list-page|list-table|name-filter|form-dialog|confirm-dialog|empty)\\.');
/** How many pages and dialogs share what comes with the first of them. Were it fewer, each would load much that it does not need. */
const SHARED_BY_MANY = 10;

/** Those that come first take a module. What none takes comes with what loads it. */
export const groups = [
  // The packages that every page needs: they change with the lockfile only.
  { name: 'vendor', test: ofPackages(''), tags: ['$initial'], priority: 7 },
  { ...stayingAsItIs('base'), tags: ['$initial'], priority: 6 },
  { name: 'icons', test: ofPackages('lucide-react'), minShareCount: 2, priority: 5 },
  // Packages of some pages (the editor, YAML, the websocket), apart from what those pages are themselves. Single functions of those that
  // every page needs come with who calls them.
  { name: 'packages', test: ofPackages('(?!lucide-react|@tanstack)'), entriesAware: true, priority: 4 },
  { ...stayingAsItIs('parts'), minShareCount: SHARED_BY_MANY, priority: 3 },
  { name: 'lists', test: LISTS, minShareCount: 2, priority: 2 },
  { name: 'live', test: LIVE, priority: 2 },
  { name: 'matrix', test: MATRIX, minShareCount: 2, priority: 1 },
];

/**
 * Modules that name other files, to load them later, change with each of those. What many pages share stands apart from them, so that
 * a change to one page does not give a new name to the files of all others.
 */
function stayingAsItIs(name) {
  return { name: (id, modules) => (namesFiles(id, modules) ? null : name), debugName: name };
}

function namesFiles(id, modules, seen = new Set()) {
  if (seen.has(id)) return false;
  seen.add(id);
  const { dynamicallyImportedIds = [], importedIds = [] } = modules.getModuleInfo(id) ?? {};
  return dynamicallyImportedIds.length > 0 || importedIds.some((imported) => namesFiles(imported, modules, seen));
}
