// Generates a module beside each .graphql file of the console. It contains the hash of the document and the types of
// its variables and its result, so the browser neither loads nor parses GraphQL. The gateway finds the documents by
// their hashes (docs/adr/0047). A document that does not match docs/schema.graphql is an error. The modules are not
// committed: builds, checks and tests generate them. After a change of a document or the schema, an editor needs this
// command: node tools/console/documents.mjs
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSchema, Kind, parse, print, stripIgnoredCharacters, validate, visit } from 'graphql';

const root = path.join(import.meta.dirname, '..', '..');
const sources = path.join(root, 'apps', 'console', 'src', 'graphql');
const schemaFile = path.join(root, 'docs', 'schema.graphql');
const stampFile = path.join(root, 'node_modules', '.cache', 'strata', 'documents');

/** The files with fragments that every document may use. */
const SHARED = 'fragments.graphql';

const CONFIG = {
  skipTypename: true,
  enumsAsTypes: true,
  strictScalars: true,
  immutableTypes: true,
  avoidOptionals: { field: true, inputValue: false },
  scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown', TextMap: 'Record<string, string | null>' },
};

/** Generates the modules if a document, the schema or a module has changed since the last time. */
export async function ensureDocuments() {
  if (readIf(stampFile) === fingerprint()) return;
  const modules = await documents();
  for (const [file, content] of modules) if (readIf(file) !== content) replace(file, content);
  for (const file of generatedFiles()) if (!modules.has(file)) fs.rmSync(file, { force: true });
  fs.mkdirSync(path.dirname(stampFile), { recursive: true });
  replace(stampFile, fingerprint());
}

/** Returns a text that changes whenever an input or an output of the generator changes. */
function fingerprint() {
  const inputs = [import.meta.filename, schemaFile, path.join(root, 'package-lock.json')];
  const files = [...inputs, ...documentFiles().map((file) => path.join(sources, file)), path.join(sources, SHARED)];
  const hash = createHash('sha256');
  for (const file of [...files, ...generatedFiles()]) {
    hash.update(`${path.relative(root, file)}\0${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}\n`);
  }
  return hash.digest('hex');
}

const generatedFiles = () =>
  fs
    .readdirSync(sources)
    .filter((file) => file.endsWith('.graphql.ts'))
    .sort()
    .map((file) => path.join(sources, file));

/** A process that reads the file at the same time sees either the old or the new content. */
function replace(file, content) {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, content);
  fs.renameSync(draft, file);
}

/** Returns the expected content of each generated file by its path. Throws if a document does not match the schema. */
async function documents() {
  // Loaded on demand, because loading takes longer than finding that nothing has changed.
  const [{ codegen }, operations] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/typescript-operations'),
  ]);
  const text = fs.readFileSync(schemaFile, 'utf8');
  const [schema, parsed] = [buildSchema(text), parse(text)];
  const files = documentFiles();
  const shared = sharedFragments();
  const modules = await Promise.all(
    files.map((file) => generateModule(file, { codegen, operations, schema, parsed, shared })),
  );
  return new Map(files.map((file, at) => [path.join(sources, `${file}.ts`), modules[at]]));
}

/** Returns the texts of the operations by hash, which the gateway needs. */
export function documentTexts() {
  const shared = sharedFragments();
  const operationTexts = documentFiles().flatMap((file) => {
    const { named, fragments } = splitDefinitions(documentIn(file, shared));
    return named.map((operation) => operationText(operation, fragments));
  });
  return Object.fromEntries(operationTexts.map((text) => [hashText(text), text]));
}

function documentFiles() {
  const graphqlFiles = fs.readdirSync(sources).filter((file) => file.endsWith('.graphql'));
  return graphqlFiles.filter((file) => file !== SHARED).sort();
}

const sharedFragments = () => parse(readIf(path.join(sources, SHARED)) ?? '').definitions;
const documentIn = (file, shared) => withShared(parse(fs.readFileSync(path.join(sources, file), 'utf8')), shared);

async function generateModule(file, { codegen, operations, schema, parsed, shared }) {
  const document = documentIn(file, shared);
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(`${file}: ${problems.map(({ message }) => message).join(' ')}`);
  const types = await codegen({
    filename: `${file}.ts`,
    schema: parsed,
    documents: [{ location: file, document }],
    config: CONFIG,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  });
  const { named, fragments } = splitDefinitions(document);
  const constants = named.map((operation) => renderConstant(operation, fragments));
  return `// Made by tools/console/documents.mjs of ${file}; not edited by hand.
import { type Document, document } from './document.ts';

${withoutHelpers(types)}

${constants.join('\n\n')}
`;
}

/** Inlines shared fragments, so that the modules that use one do not each export a type for it. */
function withShared(document, shared) {
  return visit(document, {
    FragmentSpread({ name }) {
      const fragment = shared.find((candidate) => candidate.name.value === name.value);
      if (!fragment) return undefined;
      const { typeCondition, selectionSet } = fragment;
      return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives: [], selectionSet };
    },
  });
}

const splitDefinitions = ({ definitions }) => ({
  named: definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION),
  fragments: definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
});

const operationText = (operation, fragments) =>
  stripIgnoredCharacters([operation, ...spreadBy(operation, fragments)].map(print).join('\n'));
const hashText = (text) => createHash('sha256').update(text).digest('hex');

function renderConstant(operation, fragments) {
  const name = operation.name.value;
  const kind = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[operation.operation];
  const shape = `${name}${name.endsWith(kind) ? '' : kind}`;
  const hash = hashText(operationText(operation, fragments));
  return `export const ${name}: Document<${shape}, ${shape}Variables> = document(\n  '${name}',\n  '${hash}',\n);`;
}

/** Removes the exports of helper types that several files need, because exported names are unique in the workspace. */
function withoutHelpers(types) {
  return types
    .trim()
    .replace(/^export type (?!\w+(?:Query|Mutation|Subscription|Variables|Fragment) =)/gm, 'type ')
    .replace(/^\/\*\* Internal type\. DO NOT USE DIRECTLY\. \*\/\n(type Incremental<T> = .*\n)?/gm, '');
}

/** Returns the fragments that an operation uses, directly and indirectly. */
function spreadBy(operation, fragments) {
  const used = new Set();
  const collect = (node) =>
    visit(node, {
      FragmentSpread({ name }) {
        const fragment = fragments.find((candidate) => candidate.name.value === name.value);
        if (!fragment || used.has(fragment)) return;
        used.add(fragment);
        collect(fragment);
      },
    });
  collect(operation);
  return [...used];
}

const readIf = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  await ensureDocuments();
}
