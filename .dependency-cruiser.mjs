// The dependencies that docs/architecture.md allows, as rules. tools/boundaries.spec.ts breaks each rule once to prove it.

// Specs, and what only specs use.
const SPEC = '(spec\\.ts$|/src/testing/)';
const npm = (...packages) => `^node_modules/(${packages.join('|')})(/|$)`;
const project = (...names) => `^(${names.join('|')})/`;
const EVERY_PROJECT = project('apps/[^/]+', 'libs/[^/]+', 'integrations/[^/]+');

/** `name` may import only these projects of ours (and any package that another rule does not forbid). */
const projects = (name, allowed, { inSpecs = [] } = {}) => [
  {
    name: `${short(name)}-projects`,
    comment: `${name} may import ${allowed.join(', ') || 'no other project'}`,
    from: { path: project(name), pathNot: SPEC },
    to: { path: EVERY_PROJECT, pathNot: project(name, ...allowed) },
  },
  {
    name: `${short(name)}-projects-in-specs`,
    comment: `specs of ${name} may import ${[...allowed, ...inSpecs].join(', ') || 'no other project'}`,
    from: { path: `${project(name)}.*${SPEC}` },
    to: { path: EVERY_PROJECT, pathNot: project(name, ...allowed, ...inSpecs) },
  },
];

/** Sources of `name` never import these packages. */
const packages = (name, forbidden, why) => ({
  name: `${short(name)}-packages`,
  comment: why,
  from: { path: project(name), pathNot: SPEC },
  to: { path: npm(...forbidden) },
});

const short = (name) => name.split('/')[1];

const FRAMEWORK = ['@nestjs/[^/]+', 'fastify', '@fastify/[^/]+'];
const DATABASE = ['typeorm', '@nestjs/typeorm', 'pg', 'graphile-worker'];
const GRAPHQL = ['graphql', 'graphql-ws', '@apollo/[^/]+', '@nestjs/graphql', '@nestjs/apollo'];

const betweenProjects = [
  {
    name: 'domain-imports-nothing',
    comment: 'domain is pure: it runs in a browser, knows no package and no node:*',
    from: { path: project('libs/domain'), pathNot: SPEC },
    to: { pathNot: project('libs/domain') },
  },
  {
    name: 'contract-imports-domain-and-zod',
    comment: 'contract holds shapes and nothing that acts',
    from: { path: project('libs/contract'), pathNot: SPEC },
    to: { pathNot: [project('libs/contract', 'libs/domain'), npm('zod')] },
  },
  ...projects('libs/rest-client', ['libs/domain', 'libs/contract'], { inSpecs: ['libs/testkit'] }),
  packages('libs/rest-client', [...FRAMEWORK, ...DATABASE], 'the client runs wherever its user does'),
  ...projects('libs/evidence', []),
  packages('libs/evidence', [...FRAMEWORK, ...DATABASE], 'others verify ledgers without a service'),
  ...projects('libs/outbound', ['libs/domain']),
  packages('libs/outbound', [...FRAMEWORK, ...DATABASE], 'clients of any kind use it'),
  ...projects('libs/providers', ['libs/domain', 'libs/outbound'], { inSpecs: ['libs/testkit'] }),
  packages(
    'libs/providers',
    // It connects to the PostgreSQL servers of users with pg.
    [...FRAMEWORK, ...DATABASE.filter((name) => name !== 'pg')],
    'it connects to clouds and knows neither tables nor routes',
  ),
  ...projects('libs/issuers', ['libs/domain', 'libs/outbound'], { inSpecs: ['libs/testkit'] }),
  packages('libs/issuers', [...FRAMEWORK, ...DATABASE], 'core and gateway share it'),
  ...projects('libs/webhooks', ['libs/domain', 'libs/outbound'], { inSpecs: ['libs/testkit'] }),
  packages(
    'libs/webhooks',
    [...FRAMEWORK, ...DATABASE],
    'rendering and classification need no framework and no database',
  ),
  ...projects('libs/testkit', ['libs/domain', 'libs/contract', 'libs/evidence', 'libs/rest-client']),
  ...projects(
    'apps/core',
    [
      ...['libs/domain', 'libs/contract', 'libs/evidence', 'libs/issuers', 'libs/outbound', 'libs/providers'],
      ...['libs/webhooks', 'libs/telemetry'],
    ],
    { inSpecs: ['libs/testkit', 'libs/rest-client'] },
  ),
  packages('apps/core', GRAPHQL, 'GraphQL is the gateway’s'),
  ...projects('apps/gateway', ['libs/domain', 'libs/contract', 'libs/issuers', 'libs/rest-client', 'libs/telemetry'], {
    inSpecs: ['libs/testkit'],
  }),
  packages('apps/gateway', DATABASE, 'the gateway owns nothing: it speaks the core’s public API'),
  ...projects('libs/sdk', [], { inSpecs: ['libs/contract', 'libs/testkit'] }),
  {
    name: 'sdk-imports-nothing',
    comment: 'programs install the SDK without other packages, and only its entry for Node uses node:*',
    from: { path: project('libs/sdk'), pathNot: [SPEC, '^libs/sdk/src/file-cache\\.ts$'] },
    to: { pathNot: project('libs/sdk') },
  },
  {
    name: 'sdk-for-node',
    comment: 'the file cache uses modules of Node and no package',
    from: { path: '^libs/sdk/src/file-cache\\.ts$' },
    to: { path: '^node_modules/' },
  },
  {
    name: 'sdk-for-browsers',
    comment: 'browsers have no files: only the entry for Node imports the file cache',
    from: { path: project('libs/sdk'), pathNot: [SPEC, '^libs/sdk/src/index\\.ts$'] },
    to: { path: '^libs/sdk/src/(file-cache|index)\\.ts$' },
  },
  ...projects('libs/telemetry', []),
  packages(
    'libs/telemetry',
    ['@nestjs/[^/]+', ...DATABASE, ...GRAPHQL],
    'it measures servers and processes, and knows neither application',
  ),
  ...projects('libs/processes', []),
  packages('libs/processes', [...FRAMEWORK, ...GRAPHQL], 'it starts and stops processes and knows none of them'),
  ...projects(
    'apps/cli',
    ['libs/contract', 'libs/domain', 'libs/evidence', 'libs/import', 'libs/processes', 'libs/rest-client', 'libs/sdk'],
    {
      inSpecs: ['libs/testkit'],
    },
  ),
  packages('apps/cli', [...FRAMEWORK, ...GRAPHQL], 'the command runs the services as processes of their own'),
  ...projects('integrations/github-action', ['apps/cli', 'libs/domain'], {
    inSpecs: ['libs/contract', 'libs/testkit'],
  }),
  packages(
    'integrations/github-action',
    [...FRAMEWORK, ...DATABASE, ...GRAPHQL, 'undici'],
    'the action runs the command line, which is the only client of the REST API',
  ),
  ...projects('libs/import', ['libs/domain', 'libs/contract'], { inSpecs: ['libs/testkit'] }),
  packages('libs/import', [...FRAMEWORK, ...DATABASE, ...GRAPHQL, 'react'], 'it runs in browsers and in commands'),
  ...projects('apps/console', ['libs/domain', 'libs/import']),
  packages('apps/console', [...FRAMEWORK, ...DATABASE], 'the console speaks GraphQL only'),
  {
    name: 'front-door',
    comment: 'a project is imported by its index.ts, never by a file inside it',
    from: { path: '^(apps|libs|integrations)/([^/]+)/' },
    to: {
      path: '^(apps|libs|integrations)/[^/]+/src/',
      pathNot: ['^$1/$2/', '^(apps|libs|integrations)/[^/]+/src/index\\.ts$'],
    },
  },
  {
    name: 'no-tools-in-sources',
    comment: 'what ships does not depend on what builds and runs it',
    from: { path: '^(apps|libs|integrations)/', pathNot: [SPEC, '^apps/e2e/'] },
    to: { path: '^tools/' },
  },
  {
    name: 'no-specs-in-sources',
    comment: 'a test is nobody’s library',
    from: { path: '^(apps|libs|integrations)/', pathNot: SPEC },
    to: { path: SPEC },
  },
  {
    name: 'resolvable',
    comment: 'an import that leads nowhere',
    from: { path: '^(apps|libs|integrations)/' },
    to: { couldNotResolve: true },
  },
];

// platform ← access ← snapshot ← templating · syncs · feed · instances ← validation · external · effective · explain · matrix ← identity · types · search · lint · rollouts ← environments · projects ← parameters · templates ← transfer · integrations ← changesets
const LEVELS = [
  ['access'],
  ['snapshot'],
  ['templating', 'syncs', 'feed', 'instances'],
  ['validation', 'external', 'effective', 'explain', 'matrix', 'ofrep'],
  ['identity', 'types', 'search', 'lint', 'rollouts'],
  ['environments', 'projects'],
  ['parameters', 'templates'],
  ['transfer', 'integrations'],
  ['changesets', 'rotations'],
  ['plans'],
  ['reverts'],
];
/** Rooms beside the levels, with the rooms that each imports. */
const ASIDE = {
  history: ['access', 'snapshot', 'feed'],
  webhooks: ['access', 'snapshot'],
  utilities: ['access', 'snapshot'],
  edges: [],
};
/** Folders of the platform, with those that stand above them. */
const NOT_BELOW = {
  limits: ['auth', 'http', 'ledger', 'postgres'],
  postgres: ['auth', 'http', 'ledger', 'notifications'],
  notifications: ['auth', 'http', 'ledger'],
  auth: ['http', 'ledger'],
  ledger: ['http'],
};
const CORE = '^apps/core/src';
const feature = (...names) => `${CORE}/features/(${names.join('|')})/`;

const room = (name, allowed) => ({
  name: `room-${name}`,
  comment: `the room ${name} imports platform${allowed.map((other) => `, ${other}`).join('')}`,
  from: { path: feature(name), pathNot: SPEC },
  to: { path: `${CORE}/`, pathNot: [`${CORE}/platform/`, feature(name, ...allowed)] },
});

const insideTheCore = [
  {
    name: 'platform-imports-no-feature',
    comment: 'the ground every feature stands on',
    from: { path: `${CORE}/platform/`, pathNot: SPEC },
    to: { path: `${CORE}/`, pathNot: [`${CORE}/platform/`, `${CORE}/folders\\.ts$`] },
  },
  ...Object.entries(NOT_BELOW).map(([folder, others]) => ({
    name: `platform-${folder}`,
    comment: `platform/${folder} does not import ${others.join(' or ')}, which import it`,
    from: { path: `${CORE}/platform/${folder}/`, pathNot: SPEC },
    to: { path: `${CORE}/platform/(${others.join('|')})/` },
  })),
  ...LEVELS.flatMap((names, level) => names.map((name) => room(name, LEVELS.slice(0, level).flat()))),
  ...Object.entries(ASIDE).map(([name, allowed]) => room(name, allowed)),
  {
    name: 'room-is-known',
    comment: 'a new room gets its place in the order above before it imports anything of the core',
    from: { path: `${CORE}/features/`, pathNot: [feature(...LEVELS.flat(), ...Object.keys(ASIDE)), SPEC] },
    to: { path: `${CORE}/` },
  },
  {
    name: 'validation-has-a-front-door',
    comment: 'other rooms ask the validator; how it judges is its own affair',
    from: { path: `${CORE}/features/`, pathNot: feature('validation') },
    to: {
      path: feature('validation'),
      pathNot: `${feature('validation')}(validator|validation-inputs|names|value-types|validation\\.module)\\.ts$`,
    },
  },
  {
    name: 'entity-stays-in-its-room',
    comment: 'from another room import its service or module, never its entity',
    from: { path: `${CORE}/features/([^/]+)/` },
    to: { path: `${CORE}/features/[^/]+/.*\\.entity\\.ts$`, pathNot: `${CORE}/features/$1/` },
  },
];

// app → features → kit → data → ui → … (docs/architecture.md): `data` and `ui` do not import each other, and only `data` imports `graphql`.
const CONSOLE = '^apps/console/src';
const inLayers = (...names) => `${CONSOLE}/(${names.join('|')})/`;

const layer = (name, allowed) => ({
  name: `layer-${name}`,
  comment: `the layer ${name} of the console imports ${allowed.join(', ') || 'no other layer'}`,
  from: { path: inLayers(name), pathNot: SPEC },
  to: { path: `${CONSOLE}/`, pathNot: inLayers(name, ...allowed) },
});

const LAYERS = {
  app: ['features', 'kit', 'data', 'ui', 'lib'],
  features: ['kit', 'data', 'ui', 'lib'],
  kit: ['data', 'ui', 'lib'],
  data: ['graphql', 'lib'],
  ui: ['lib'],
  graphql: ['lib'],
  lib: [],
};

const insideTheConsole = [
  ...Object.entries(LAYERS).map(([name, allowed]) => layer(name, allowed)),
  {
    name: 'layer-is-known',
    comment: 'every file of the console is in one of the layers above, except main.tsx, which starts the app',
    from: { path: `${CONSOLE}/`, pathNot: [inLayers(...Object.keys(LAYERS)), `${CONSOLE}/main\\.tsx$`, SPEC] },
    to: { path: `${CONSOLE}/` },
  },
  {
    name: 'features-stand-alone',
    comment: 'features do not import each other: app composes them, and kit holds what several of them share',
    from: { path: `${CONSOLE}/features/([^/]+)/`, pathNot: SPEC },
    to: { path: `${CONSOLE}/features/`, pathNot: `${CONSOLE}/features/$1/` },
  },
  {
    name: 'lib-is-pure',
    comment: 'lib holds rules and helpers without React and without requests',
    from: { path: inLayers('lib'), pathNot: SPEC },
    to: { path: npm('react', 'react-dom', '@tanstack/[^/]+', 'lucide-react') },
  },
];

// commands → render → api → core, and mcp → api → core. `start` and `backup` run an installation, which only the commands for operators use.
const CLI = '^apps/cli/src';
const inCommandLine = (...names) => `${CLI}/(${names.join('|')})/`;

const commandLineLayer = (name, allowed, folder = name) => ({
  name: `cli-${name}`,
  comment: `${folder} of the command line imports ${allowed.join(', ') || 'no other folder'}`,
  from: { path: inCommandLine(folder), pathNot: SPEC },
  to: { path: `${CLI}/`, pathNot: [inCommandLine(folder.split('/')[0], ...allowed), `${CLI}/folders\\.ts$`] },
});

const COMMAND_LINE_LAYERS = {
  core: [],
  api: ['core'],
  render: ['api', 'core'],
  mcp: ['api', 'core'],
  start: ['core'],
  backup: ['start', 'core'],
  edge: ['core'],
};

const insideTheCommandLine = [
  ...Object.entries(COMMAND_LINE_LAYERS).map(([name, allowed]) => commandLineLayer(name, allowed)),
  commandLineLayer('commands', ['api', 'render', 'core'], 'commands/(?!operate/)[^/]+'),
  commandLineLayer('operator-commands', ['start', 'backup', 'edge', 'core'], 'commands/operate'),
  {
    name: 'cli-api-prints-nothing',
    comment: 'api returns results: commands and render print them, and standard output of mcp is a protocol',
    from: { path: inCommandLine('api'), pathNot: SPEC },
    to: { path: `${CLI}/core/(output|prompt)\\.ts$` },
  },
  {
    name: 'cli-layer-is-known',
    comment: 'every folder of the command line is one of those above',
    from: { path: `${CLI}/[^/]+/`, pathNot: [inCommandLine('commands', ...Object.keys(COMMAND_LINE_LAYERS)), SPEC] },
    to: { path: `${CLI}/` },
  },
  {
    name: 'commands-stand-alone',
    comment: 'a command imports no other: it is one file, and a folder with the same name for what only it uses',
    from: { path: `${CLI}/commands/([^/]+/[^/.]+)(/|\\.)`, pathNot: SPEC },
    to: { path: `${CLI}/commands/`, pathNot: `${CLI}/commands/$1/` },
  },
];

const withoutCycles = [
  {
    name: 'no-circular',
    comment: 'files that import each other, types included, can only be understood and changed together',
    from: { path: project('apps/[^/]+', 'libs/[^/]+', 'integrations/[^/]+', 'tools') },
    to: { circular: true },
  },
];

const config = {
  forbidden: [...betweenProjects, ...insideTheCore, ...insideTheConsole, ...insideTheCommandLine, ...withoutCycles].map(
    (rule) => ({
      severity: 'error',
      ...rule,
    }),
  ),
  options: {
    exclude: { path: '(^|/)(build|dist)/' },
    doNotFollow: { path: 'node_modules' },
    // Types bind as well as values do.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@strata/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts', '.d.mts'],
    },
  },
};

export default config;
