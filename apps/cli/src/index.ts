export { readCredentials, type StartCredentials } from './start/credentials.ts';
export { runOnce } from './start/service.ts';
export { start } from './start/start.ts';
export { acceptedNames, rejectedNames } from './user/accepted-names.ts';
export { runsCode } from './user/dangerous-names.ts';
export { writePrivately } from './user/private-file.ts';
export { projectFile } from './user/project-file.ts';
