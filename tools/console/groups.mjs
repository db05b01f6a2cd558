// Groups the modules of the console into files: modules that load together, and modules that a release usually
// leaves unchanged. A returning browser reloads only the files whose content, and therefore whose name, has changed.

const inRooms = (files) => new RegExp(`[\\\\/]console[\\\\/]src[\\\\/](${files})`);
const ofPackages = (names) => new RegExp(`[\\\\/]node_modules[\\\\/]${names}.*\\.[cm]?js$`);

/** Modules that follow every page to keep it live, and modules so small that they are loaded with them. */
const LIVE = inRooms(
  'lib/(affected-data|draft-status)|data/(present-values|write-access|matrix)\\.ts|graphql/(present-values|matrix)\\.graphql|ui/use-settled',
);
/**
 * The modules of the matrix, of which other pages use parts. Operations are built from drafts where drafts are
 * reviewed.
 */
const MATRIX = inRooms(
  '(features/matrix|kit/(cells|drafts|explain|reveal))/|lib/draft(-refusals)?\\.ts|data/(cell|refresh-matrix|explanation)\\.ts|graphql/explain\\.graphql',
);
/** The components of pages that list, create and delete. */
const LISTS = inRooms('ui/(list-page|list-table|name-filter|form-dialog|confirm-dialog|empty)\\.');
/** How many pages and dialogs share what comes with the first of them. Were it fewer, each would load much that it does not need. */
const SHARED_BY_MANY = 10;

/** The first group that matches takes a module. A module without a group is bundled with its importer. */
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
 * A module that names other files, to load them later, changes with each of them. Modules that many pages share are in
 * separate groups, so that a change of one page does not rename the files of all others.
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
