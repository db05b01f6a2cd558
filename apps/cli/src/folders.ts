import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that contains apps/. A checkout, a package and an image have the same folders, and this module is at the
 * same depth in sources, compiled modules and the program.
 */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export type App = 'core' | 'gateway';

/** Returns a file of the bundled program of a service. */
export const programFile = (app: App, file: string): string => path.join(ROOT, 'apps', app, 'dist', file);
