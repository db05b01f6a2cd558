// Runs in a process of its own: checks the settings in the message that it receives, sends the result, and ends.
import { checkSettings, type StartSettings } from './settings.ts';

const alone = () => process.exit();
process.once('disconnect', alone);
process.once('message', async (environment: StartSettings) => {
  const checked = await checkSettings(environment);
  process.send?.(checked, alone);
});
