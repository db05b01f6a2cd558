import { SECRET_SETTINGS } from '../../../core/secret-settings.ts';
import { loadSettings } from '../../../start/settings.ts';

/** Returns the settings of both services as text, each with its default. */
export async function listSettings(): Promise<string> {
  const [core, gateway] = await Promise.all([loadSettings('core'), loadSettings('gateway')]);
  const isSecret = (name: string): boolean => (SECRET_SETTINGS as readonly string[]).includes(name);
  const section = (title: string, { SETTINGS }: typeof core): string =>
    [
      title,
      ...SETTINGS.map(({ name, about, default: defaultText }) => {
        const notes = [
          defaultText && `Default: ${defaultText}.`,
          isSecret(name) && `Or ${name}_FILE, ${name}_COMMAND.`,
        ];
        return `  ${name}\n      ${[about, ...notes].filter(Boolean).join(' ')}`;
      }),
    ].join('\n');
  const start = [
    'strata start, backup and restore',
    '  STRATA_DATA_DIR\n      Folder of the embedded database and the credentials. Default: .strata.',
    '  STRATA_BACKUP_DIR\n      Folder of the backups and of the archive. Without it, nothing is archived.',
  ].join('\n');
  const edge =
    'strata edge\n  STRATA_EDGE_KEY\n      Encrypts the files of the edge. Or STRATA_EDGE_KEY_FILE, STRATA_EDGE_KEY_COMMAND.';
  return [section('Core', core), section('Gateway', gateway), start, edge].join('\n\n');
}
