export { writePrivately } from './core/private-file.ts';
export { filterRejectedNames, readAcceptedNames } from './core/programs/accepted-names.ts';
export { canRunCode } from './core/programs/dangerous-names.ts';
export { projectFile } from './core/project-file.ts';
export { readCredentials, type StartCredentials } from './start/credentials.ts';
export { runOnce } from './start/service.ts';
export { start } from './start/start.ts';
