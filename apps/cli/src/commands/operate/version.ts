import { defineCommand } from '../../core/define-command.ts';
import { versionLine } from '../../core/version.ts';

/** Prints the version. */
export const command = defineCommand({
  description: 'print the version and the commit',
  run: () => console.log(versionLine()),
});
