// Groups the modules of the console into files: modules that load together, and modules that a release usually
// leaves unchanged. A returning browser reloads only the files whose content, and therefore whose name, has changed.

const inRooms = (files) => new RegExp(`[\\\\/]console[\\\\/]src[\\\\/](${files})`);
const ofPackages = (names) => new RegExp(`[\\\\/]node_modules[\\\\/]${names}.*\\.[cm]?js$`);

/** The modules that keep every page live, and small modules that are loaded with them. */
const LIVE = inRooms(
  'lib/(affected-data|draft-status)|data/(present-values|write-access|matrix)\\.ts|graphql/(present-values|matrix)\\.graphql|ui/use-settled',
);
/** The modules of the matrix. Other pages also use parts of them. */
const MATRIX = inRooms(
  '(features/matrix|kit/(cells|drafts|explain|reveal))/|lib/draft(-errors)?\\.ts|data/(cell|refresh-matrix|explanation)\\.ts|graphql/explain\\.graphql',
);
/** The form, the plan and the differences of a change. Pages that only show values do not load them. */
const PLANNED = inRooms('kit/(planned|difference)/|lib/(draft-operations|text-difference)\\.ts|data/plan\\.ts');
/** The components of pages that list, create and delete. */
const LISTS = inRooms('ui/(list-page|list-table|name-filter|form-dialog|confirm-dialog|empty)\\.');
/**
 * The number of pages and dialogs that must share a module for it to be loaded with the first of them. With a lower
 * number, each page would load many modules that it does not need.
 */
const SHARED_BY_MANY = 10;

/**
 * Assigns modules to groups. The group with the highest priority that matches a module contains it. A module without a
 * group is bundled with its importer.
 */
export const groups = [
  // The packages that every page needs. They change only with the lockfile.
  { name: 'vendor', test: ofPackages(''), tags: ['$initial'], priority: 7 },
  { ...stayingAsItIs('base'), tags: ['$initial'], priority: 6 },
  { name: 'icons', test: ofPackages('lucide-react'), minShareCount: 2, priority: 5 },
  // The packages that only some pages need (the editor, YAML, the websocket), separate from the code of these pages.
  { name: 'packages', test: ofPackages('(?!lucide-react|@tanstack)'), entriesAware: true, priority: 4 },
  { name: 'planned', test: PLANNED, entriesAware: true, entriesAwareMergeThreshold: 4_000, priority: 4 },
  { ...stayingAsItIs('parts'), minShareCount: SHARED_BY_MANY, priority: 3 },
  { name: 'lists', test: LISTS, minShareCount: 2, priority: 2 },
  { name: 'live', test: LIVE, priority: 2 },
  { name: 'matrix', test: MATRIX, minShareCount: 2, priority: 1 },
];

/**
 * A module that imports other files on demand changes whenever one of them changes. Modules that many pages share are
 * in separate groups, so that a change of one page does not rename the files of all others.
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
