// Bundles the compiled modules of a service, and the packages that they use, into the program in dist/. It starts faster
// and takes less memory than separate modules. Nx runs it with the project as working directory.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rolldown } from 'rolldown';
import { buildInto, filesBelow } from './build-into.mjs';
import { recordPackages } from './bundled-packages.mjs';

/** The modules that other programs and threads load, by service. Their files in dist/ have the same names. */
const ENTRIES = {
  core: [
    ...['main', 'index', 'platform/env'],
    ...['platform/patterns/pattern-thread', 'features/templating/liquid/liquid-worker'],
  ],
  gateway: ['main', 'index', 'env'],
  cli: ['main', 'index', 'start/launch', 'start/check-settings'],
  'github-action': ['plan', 'apply', 'export'],
};

/** The files of packages that a service sends to browsers, by service and folder. */
const COPIES = {
  core: {
    'swagger-ui': { of: 'swagger-ui-dist', files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'] },
  },
};

const project = path.basename(process.cwd());
const entries = Object.fromEntries(ENTRIES[project].map((name) => [path.basename(name), `build/${name}.js`]));
/** Packages try to load others that are not installed, and do without them. */
const isOptional = ({ code, id = '' }) => code === 'UNRESOLVED_IMPORT' && id.includes('node_modules');

/** Returns the version, and the commit unless neither the builder nor git knows it. */
function release() {
  const root = path.join(import.meta.dirname, '..');
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const describe = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
  try {
    const commit = execFileSync('git', describe, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
    return { version, commit };
  } catch {
    return { version, commit: process.env.COMMIT || null };
  }
}

/** Loads a compiled module of ours with its source map, so that the map of the bundle leads to the sources. */
function withMap(file) {
  if (!fs.existsSync(`${file}.map`) || file.includes('node_modules')) return null;
  const { sources, ...map } = JSON.parse(fs.readFileSync(`${file}.map`, 'utf8'));
  const absolute = sources.map((source) => path.resolve(path.dirname(file), source));
  return { code: fs.readFileSync(file, 'utf8'), map: { ...map, sources: absolute } };
}

/**
 * Shortens a map to the lines of our own code. Node reads the map of a file as a whole for its first stack trace and
 * keeps it, and complete maps would take 140 MB and a third of a second.
 */
function shortenMap(file) {
  const { sourcesContent: _, mappings, ...map } = JSON.parse(fs.readFileSync(file, 'utf8'));
  let isOurs = true;
  const lines = decode(mappings).map((line) => {
    const start = line.find((segment) => segment.length > 1);
    if (!start) return [];
    const wasOurs = isOurs;
    isOurs = !map.sources[start[1]].includes('node_modules');
    if (isOurs) return [[0, ...start.slice(1, 4)]];
    // Without this end, the lines of packages would belong to the line before them.
    return wasOurs ? [[0]] : [];
  });
  fs.writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
}

/**
 * Escapes the characters beyond ASCII. With one of them, Node stores the code of a file with two bytes per character and
 * decodes it at each start.
 */
function escapeNonAscii(file) {
  const code = fs.readFileSync(file, 'utf8');
  if (/(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.test(code))
    throw new Error(`${file} has a backslash before a character beyond ASCII.`);
  const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  fs.writeFileSync(file, code.replace(/[^\0-\x7f]/g, escapeUnit));
}

/**
 * Modules that are replaced, because the originals cost a start memory and time for something that no service uses.
 *
 * - An import of Node's `http` reads all its exports, and `WebSocket` among them loads Node's own undici.
 * - pino lists its callers, which it needs for log transports only. With source maps, Node then reads the whole map.
 */
const REPLACEMENTS = [
  { id: /^(node:)?http$/, file: 'http.cjs', code: "module.exports = process.getBuiltinModule('node:http');" },
  { id: /^\.\/(lib\/)?caller$/, importer: /\/pino\//, file: 'pino-callers.cjs', code: 'module.exports = () => [];' },
];
const replaced = {
  name: 'replaced modules',
  resolveId: (source, importer) =>
    REPLACEMENTS.find(({ id, importer: from }) => id.test(source) && (!from || from.test(importer)))?.file ?? null,
  load: (loaded) => REPLACEMENTS.find(({ file }) => file === loaded)?.code ?? null,
};

await buildInto(
  'dist',
  async (draft) => {
    const bundle = await rolldown({
      input: entries,
      platform: 'node',
      transform: { define: { STRATA_RELEASE: JSON.stringify(release()) } },
      plugins: [replaced, { name: 'maps of the compiled modules', load: withMap }],
      // Only a package loads `typescript`, for settings that are written in TypeScript. Strata has no such settings.
      // The keyring is native code, and the command line works without it.
      external: ['typescript', '@napi-rs/keyring'],
      onLog: (level, log, tell) => isOptional(log) || tell(level, log),
    });
    const { output } = await bundle.write({
      dir: draft,
      // Nest and TypeORM use the names of classes.
      keepNames: true,
      // Node keeps the text of a file. The licences of the packages are in the release.
      comments: false,
      sourcemap: true,
      chunkFileNames: '[name]-[hash].js',
      sourcemapPathTransform: (source, map) => path.relative('dist', path.resolve(path.dirname(map), source)),
    });
    recordPackages(
      project,
      output,
      Object.values(COPIES[project] ?? {}).map(({ of }) => of),
    );
    for (const file of filesBelow(draft)) {
      if (file.endsWith('.map')) shortenMap(path.join(draft, file));
      if (file.endsWith('.js')) escapeNonAscii(path.join(draft, file));
    }
  },
  { isLast: (file) => path.parse(file).name in entries },
);

for (const [folder, { of, files }] of Object.entries(COPIES[project] ?? {}))
  await buildInto(folder, (draft) => {
    for (const file of files)
      fs.copyFileSync(path.join(import.meta.dirname, '..', 'node_modules', of, file), path.join(draft, file));
  });
