import { BACK_UP, IMPORT } from '@strata/contract';
import { Failure } from '@strata/domain';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendLongJson } from '../../platform/http/send-json.ts';
import { BackupExporter } from './backup/backup-exporter.ts';
import { Imports } from './import/imports.ts';

/** The depth to which the snapshot is split: the root, `projects`, each project, and its `parameters`. */
const SNAPSHOT_DEPTH = 4;

export const TransferController = actionController(
  'TransferController',
  { import: IMPORT, backUp: BACK_UP },
  { imports: Imports, backups: BackupExporter },
  ({ imports, backups }) => ({
    import: {
      preview: ({ caller, query, input }) => (query.preview ? imports.preview(caller, input, query) : null),
      command: ({ caller, query, input }) => {
        if (query.preview)
          throw Failure.field('contradiction', 'preview', 'A preview cannot be combined with changes.');
        return imports.command(caller, input, query);
      },
      answer: ({ call }, { result, revision }) => sendLongJson(call, revision, { parameter: result }),
    },
    backUp: async ({ call, caller, query }) => {
      const { revision, body } = await backups.snapshot(caller, query);
      // The response contains secrets, so caches must not store it.
      call.reply.header('cache-control', 'no-store');
      return sendLongJson(call, revision, body, SNAPSHOT_DEPTH);
    },
  }),
);
