import { fileURLToPath } from 'node:url';

const folder = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

// Sources, compiled modules and the program are each in one folder of the gateway, and this module is at the top of it,
// so the same paths are valid everywhere.
export const CONSOLE_FOLDER = folder('../../console/dist/');
export const PLAYGROUND_FOLDER = folder('../playground/');
