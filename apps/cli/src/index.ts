export { readCredentials, type StartCredentials } from './start/credentials.ts';
export { runOnce } from './start/service.ts';
export { start } from './start/start.ts';
export { runsCode } from './user/child-environment.ts';
export { writePrivately } from './user/private-file.ts';
