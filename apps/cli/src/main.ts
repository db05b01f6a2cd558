#!/usr/bin/env node
// The program `strata`. It loads the commands only on a version of Node that can run them.
const REQUIRED = '22.19.0';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [requiredMajor = 0, requiredMinor = 0] = REQUIRED.split('.').map(Number);
if (major < requiredMajor || (major === requiredMajor && minor < requiredMinor)) {
  console.error(
    `Strata needs Node ${REQUIRED} or newer, and this is Node ${process.versions.node}. Install a newer Node, then run the command again.`,
  );
  process.exit(1);
}
const { runCommand } = await import('./commands.ts');
await runCommand(process.argv);
