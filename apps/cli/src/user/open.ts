import { consoleAddress, openInBrowser } from './console-page.ts';
import { addressOf, selectionOf, type TargetOptions } from './context.ts';
import { note, print, printJson } from './output.ts';
import { projectFile } from './project-file.ts';

interface OpenOptions extends TargetOptions {
  readonly console?: string;
  readonly print?: boolean;
}

/** Opens the console where the selected project, and the parameter, is shown. */
export async function openConsole(name: string | undefined, options: OpenOptions): Promise<void> {
  const file = projectFile(process.cwd());
  const origin = await consoleAddress(options.console, () => addressOf(options, process.env, file).url);
  const { project, environment } = selectionOf(options, process.env, file);
  const page = `${origin}/${pathOf(project, name)}`;
  const address = project && environment && !name ? `${page}?${new URLSearchParams({ envs: environment })}` : page;
  if (options.json) return printJson({ url: address });
  print(address);
  if (options.print || (await openInBrowser(address))) return;
  note('No browser can be started here. Open the address yourself.');
}

function pathOf(project: string | null, name: string | undefined): string {
  if (project === null) return 'projects';
  const path = `projects/${encodeURIComponent(project)}`;
  return name === undefined ? path : `${path}/parameters/${encodeURIComponent(name)}`;
}
