// A service's process while npm start still prepares what it needs: loads the modules, which takes longest, and waits.
// A message brings what the environment lacked, and the service runs as if it had been started by itself.
import { pathToFileURL } from 'node:url';

process.argv.splice(1, 1);
const url = pathToFileURL(process.argv[1]);
const message = new Promise((resolve) => process.once('message', resolve));
const alone = () => process.exit();
process.once('disconnect', alone);

await import(new URL('index.js', url).href);
Object.assign(process.env, await message);
process.off('disconnect', alone);
await import(url.href);
