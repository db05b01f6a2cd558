import { consoleAddress, openInBrowser } from '../../core/console-page.ts';
import { readAddress, readSelection } from '../../core/context.ts';
import { defineCommand, flagOption, optionalArgument } from '../../core/define-command.ts';
import { CONSOLE, SCOPE_OPTIONS } from '../../core/options.ts';
import { print, printJson, printNote } from '../../core/output.ts';
import { projectFile } from '../../core/project-file.ts';

/** Opens the console where the selected project, and the parameter, is shown. */
export const command = defineCommand({
  description: 'open the console at the project, or at a parameter',
  arguments: { name: optionalArgument('name of a parameter') },
  options: { ...SCOPE_OPTIONS, console: CONSOLE, print: flagOption('--print', 'only print the address') },
  examples: ['strata open PORT --print --console https://console.example.com'],
  async run({ name }, options) {
    const file = projectFile(process.cwd());
    const origin = await consoleAddress(options.console, () => readAddress(options, process.env, file).url);
    const { project, environment } = readSelection(options, process.env, file);
    const page = `${origin}/${pagePath(project, name)}`;
    const address = project && environment && !name ? `${page}?${new URLSearchParams({ envs: environment })}` : page;
    if (options.json) return printJson({ url: address });
    print(address);
    if (options.print || (await openInBrowser(address))) return;
    printNote('No browser can be started here. Open the address yourself.');
  },
});

function pagePath(project: string | null, name: string | undefined): string {
  if (project === null) return 'projects';
  const path = `projects/${encodeURIComponent(project)}`;
  return name === undefined ? path : `${path}/parameters/${encodeURIComponent(name)}`;
}
