// Runs in a process of its own: checks the settings in the message that it receives, sends the result, and ends.
import { checkSettings, type StartSettings } from './settings.ts';

const exit = () => process.exit();
process.once('disconnect', exit);
process.once('message', async (environment: StartSettings) => {
  const checkedSettings = await checkSettings(environment);
  process.send?.(checkedSettings, exit);
});
