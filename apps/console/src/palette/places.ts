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
  {
    title: 'Projects',
    synonyms: 'applications apps services list all kv mount path folder repository',
    link: linkOptions({ to: '/projects' }),
  },
  {
    title: 'Environments',
    synonyms: 'tree inheritance tags releases copy clone move rename delete stage branch namespace labels snapshot',
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
    synonyms:
      'new create add rules validation json schema constraint pattern regex min max integer string boolean enum',
    link: linkOptions({ to: '/types' }),
  },
  {
    title: 'Compare',
    synonyms: 'diff differences promote copy environments staging production tag release drift sync',
    link: linkOptions({ to: '/compare' }),
  },
  {
    title: 'History',
    synonyms: 'changes versions revisions log who when undo revert rollback restore changesets time travel past',
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
    synonyms: 'access control permissions rights roles restrict lock protect protected production policy policies acl',
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

/** A page of a project, or something that is done there. */
interface ProjectPlace {
  readonly title: (project: string) => string;
  readonly synonyms: string;
  readonly link: (project: string) => NavigateOptions;
  readonly needs?: OwnAbility;
}

const OF_PROJECT: readonly ProjectPlace[] = [
  {
    title: (project) => `Import into ${project}`,
    synonyms: 'paste upload load .env dotenv env file json yaml bulk',
    link: (name) => linkOptions({ to: '/projects/$name/import', params: { name } }),
    needs: 'write_content',
  },
  {
    title: (project) => `Export ${project}`,
    synonyms: 'download .env dotenv env file json docker shell curl graphql cli command line api sdk',
    link: (name) => linkOptions({ to: '/projects/$name/export', params: { name } }),
  },
  {
    title: (project) => `New parameter in ${project}`,
    synonyms: 'create add key variable secret value config',
    link: (name) => linkOptions({ to: '/projects/$name/settings', params: { name }, search: { do: 'parameter' } }),
    needs: 'write_content',
  },
  {
    title: (project) => `Templates of ${project}`,
    synonyms: 'new create add file render generate preview nginx.conf',
    link: (name) => linkOptions({ to: '/projects/$name/templates', params: { name } }),
  },
  {
    title: (project) => `Lint ${project}`,
    synonyms: 'check problems warnings unused missing expired redundant secrets',
    link: (name) => linkOptions({ to: '/projects/$name/lint', params: { name } }),
  },
  {
    title: (project) => `Settings of ${project}`,
    synonyms:
      'project rename describe copy clone fork delete remove depends dependency inherit name pattern naming access',
    link: (name) => linkOptions({ to: '/projects/$name/settings', params: { name } }),
  },
];

/** The pages of projects, those of the first one first. */
export const placesOf = (projects: readonly string[]): readonly PalettePlace[] =>
  projects.flatMap((project) =>
    OF_PROJECT.map(({ title, synonyms, link, ...rest }) => ({
      title: title(project),
      synonyms,
      link: link(project),
      ...rest,
    })),
  );

/** Below the root, as long as nobody says otherwise. */
export const newEnvironment = (root: string): PalettePlace => ({
  title: 'New environment',
  synonyms: 'create add stage branch namespace',
  link: linkOptions({ to: '/environments/$environment', params: { environment: root }, search: { do: 'create' } }),
  needs: 'write_content',
});
