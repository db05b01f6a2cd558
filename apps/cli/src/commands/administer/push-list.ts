import { readPushes } from '../../api/pushes.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { toOneLine } from '../../core/one-line.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { printJson, printNote } from '../../core/output.ts';
import { printTable } from '../../render/table.ts';

/** Lists the pushes with their latest runs. */
export const command = defineCommand({
  description: 'list pushes with their latest runs',
  options: URL_OPTIONS,
  examples: ['strata push list'],
  async run(_, options) {
    const { client } = await loadContext(options);
    const pushes = await readPushes(client);
    if (options.json) {
      const rows = pushes.map(({ id, name, integration, latest_task: task }) => {
        const run = task && (({ url: _url, ...rest }) => rest)(task);
        return { id, name, integration: integration.name, latest_task: run };
      });
      return printJson(rows);
    }
    if (pushes.length === 0) return printNote('There are no pushes.');
    const cells = pushes.map(({ name, integration, latest_task: task }) => [
      ...[toOneLine(name), toOneLine(integration.name), task?.state ?? 'never ran', task?.created_at ?? ''],
      ...[task?.next_attempt_at ?? '', toOneLine(task?.error_detail ?? '')],
    ]);
    printTable(['PUSH', 'INTEGRATION', 'STATE', 'RUN', 'NEXT ATTEMPT', 'DETAIL'], cells);
  },
});
