// The swc options that compile TypeScript, for the build and for jest.
export const swcOptions = ({ rewriteImports = false } = {}) => ({
  swcrc: false,
  sourceMaps: rewriteImports ? true : 'inline',
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    ...(rewriteImports && { rewriteRelativeImportExtensions: true }),
  },
  module: { type: 'es6' },
});
