import { defineCommand, flagOption, textOption } from '../../core/define-command.ts';

/** Restores the embedded database. */
export const command = defineCommand({
  description: 'restore the embedded database from a backup and the archive',
  options: {
    from: textOption('--from <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)'),
    to: textOption(
      '--to <instant>',
      'restore the state of an instant, such as 2026-11-25T10:00:00Z (default: the end)',
    ),
    replace: flagOption('--replace', 'move the present database aside'),
  },
  // The help of all commands loads this file, and the driver of the database is large.
  run: async (_, options) => (await import('../../backup/restore.ts')).restore(options),
});
