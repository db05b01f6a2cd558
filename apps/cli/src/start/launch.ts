// Runs in the process of a service while `strata start` prepares what the service needs: loads the modules, which takes
// longest, and waits. A message provides the missing environment, and then the service starts normally.
import { pathToFileURL } from 'node:url';

process.argv.splice(1, 1);
const url = pathToFileURL(process.argv[1] ?? '');
const message = new Promise((resolve) => process.once('message', resolve));
const exit = () => process.exit();
process.once('disconnect', exit);

await import(new URL('index.js', url).href);
Object.assign(process.env, await message);
process.off('disconnect', exit);
await import(url.href);
