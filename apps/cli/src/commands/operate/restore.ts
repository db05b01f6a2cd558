import { defineCommand, flag, text } from '../../core/define-command.ts';

/** Restores the embedded database. */
export const command = defineCommand({
  description: 'restore the embedded database from a backup and the archive',
  options: {
    from: text('--from <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)'),
    to: text('--to <instant>', 'restore the state of an instant, such as 2026-11-25T10:00:00Z (default: the end)'),
    replace: flag('--replace', 'move the present database aside'),
  },
  // The help of all commands loads this file, and the driver of the database is large.
  run: async (_, options) => (await import('../../backup/restore.ts')).restore(options),
});
