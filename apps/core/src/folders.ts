import { fileURLToPath } from 'node:url';

/**
 * The files of Swagger UI, which the build copies from its package. Sources, compiled modules and the program are each in
 * one folder of the core, and this module is at the top of it, so the same path is valid everywhere.
 */
export const SWAGGER_UI_FOLDER = fileURLToPath(new URL('../swagger-ui/', import.meta.url));
