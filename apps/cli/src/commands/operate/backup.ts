import { defineCommand, textOption, wholeNumber } from '../../core/define-command.ts';

/** Backs up the embedded database. */
export const command = defineCommand({
  description: 'copy the embedded database into a folder, whether Strata is running or not',
  options: {
    to: textOption('--to <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)'),
    keep: wholeNumber(
      '--keep <number>',
      'remove all but this number of backups, and the archive that only they need',
      999_999,
    ),
  },
  // The help of all commands loads this file, and the driver of the database is large.
  run: async (_, options) => (await import('../../backup/back-up.ts')).backUp(options),
});
