import { backUp } from '../../backup/back-up.ts';
import { defineCommand, text, wholeNumber } from '../../core/define-command.ts';

/** Backs up the embedded database. */
export const command = defineCommand({
  description: 'copy the embedded database into a folder, whether Strata is running or not',
  options: {
    to: text('--to <folder>', 'folder of the backups (default: STRATA_BACKUP_DIR)'),
    keep: wholeNumber(
      '--keep <number>',
      'remove all but this number of backups, and the archive that only they need',
      999_999,
    ),
  },
  run: (_, options) => backUp(options),
});
