import { linkOptions, type NavigateOptions } from '@tanstack/react-router';
import type { OwnAbility } from '../session/abilities.ts';
import type { Sought } from './rank.ts';

/** A page that the palette leads to, with the words that people bring from elsewhere. */
export interface PalettePlace extends Sought {
  readonly synonyms: string;
  readonly link: NavigateOptions;
  /** Shown only to who may do that. */
  readonly needs?: OwnAbility;
}

export const PLACES: readonly PalettePlace[] = [
  { title: 'Projects', synonyms: 'applications apps services list all', link: linkOptions({ to: '/projects' }) },
  {
    title: 'Environments',
    synonyms: 'tree inheritance tags releases clone move rename',
    link: linkOptions({ to: '/environments' }),
  },
  {
    title: 'New project',
    synonyms: 'create add application import .env dotenv sample',
    link: linkOptions({ to: '/start' }),
    needs: 'write_content',
  },
  {
    title: 'Review drafts',
    synonyms: 'apply save publish deploy pending staged changes plan',
    link: linkOptions({ to: '/review' }),
  },
  {
    title: 'Types',
    synonyms: 'rules validation schema constraint pattern regex min max integer string boolean enum',
    link: linkOptions({ to: '/types' }),
  },
  {
    title: 'Compare',
    synonyms: 'diff differences promote environments staging production tag release drift',
    link: linkOptions({ to: '/compare' }),
  },
  {
    title: 'History',
    synonyms: 'changes versions revisions log who when undo revert rollback changesets',
    link: linkOptions({ to: '/history' }),
  },
  {
    title: 'Webhooks',
    synonyms: 'slack chat channel notifications notify alerts messages deliveries bot token',
    link: linkOptions({ to: '/webhooks' }),
  },
  {
    title: 'New webhook',
    synonyms: 'create add slack chat channel notify connect bot token',
    link: linkOptions({ to: '/webhooks/new' }),
    needs: 'manage_webhooks',
  },
  {
    title: 'People and invitations',
    synonyms: 'access users members team invite add colleague roles permissions',
    link: linkOptions({ to: '/access' }),
  },
  { title: 'Groups', synonyms: 'access teams people', link: linkOptions({ to: '/access/groups' }) },
  {
    title: 'Grants',
    synonyms: 'access control permissions rights roles restrict lock production protected',
    link: linkOptions({ to: '/access/grants' }),
  },
  {
    title: 'Service accounts',
    synonyms: 'access api keys tokens bots machine users credentials rotate',
    link: linkOptions({ to: '/access/service-accounts' }),
  },
  {
    title: 'Audit',
    synonyms: 'access log trail who saw secrets reveal security',
    link: linkOptions({ to: '/access/audit' }),
  },
  {
    title: 'Organization',
    synonyms: 'settings tenant account workspace rename switch delete',
    link: linkOptions({ to: '/organization' }),
  },
  {
    title: 'Account',
    synonyms: 'me profile password theme dark light sessions sign out log out',
    link: linkOptions({ to: '/account' }),
  },
];
