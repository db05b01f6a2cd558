import { linkOptions, type NavigateOptions } from '@tanstack/react-router';
import type { OrganizationAbility } from '../../data/write-access.ts';
import type { SearchTarget } from '../../lib/rank.ts';

/** A command that opens a dialog in place of the palette. */
export type PaletteCommand = 'keys' | 'time';

/** A page or a command of the palette, with synonyms from other products. */
export interface PaletteDestination extends SearchTarget {
  readonly synonyms: string;
  readonly goal: NavigateOptions | PaletteCommand;
  /** The permission that the entry requires. */
  readonly needs?: OrganizationAbility;
}

const PLACES: readonly PaletteDestination[] = [
  {
    title: 'Home',
    synonyms: 'start overview dashboard summary recent problems attention my changes',
    goal: linkOptions({ to: '/' }),
  },
  {
    title: 'Projects',
    synonyms:
      'applications apps services repository list all folders namespaces paths configmaps configs vaults kv stores engines mounts parameters secrets keys variables environment config configuration feature flags toggles values',
    goal: linkOptions({ to: '/projects' }),
  },
  {
    title: 'Environments',
    synonyms:
      'tree inheritance tags releases clone copy duplicate move rename delete stages branches workspaces namespaces labels prod production staging',
    goal: linkOptions({ to: '/environments' }),
  },
  {
    title: 'Create project',
    synonyms: 'new add application app service folder namespace configmap config import .env dotenv sample',
    goal: linkOptions({ to: '/start' }),
    needs: 'write_content',
  },
  {
    title: 'Snapshot import',
    synonyms: 'move migrate migration backup restore snapshot upload json',
    goal: linkOptions({ to: '/import' }),
    needs: 'write_content',
  },
  {
    title: 'Review drafts',
    synonyms: 'apply save publish deploy commit approve approval pending staged changes plan pull merge request',
    goal: linkOptions({ to: '/review' }),
  },
  {
    title: 'Types',
    synonyms:
      'new create add rules validation validate schema constraint pattern regex min max length integer string boolean enum json policy',
    goal: linkOptions({ to: '/types' }),
  },
  {
    title: 'Compare',
    synonyms: 'diff differences promote promotion environments staging production tag release drift sync',
    goal: linkOptions({ to: '/compare' }),
  },
  {
    title: 'History',
    synonyms:
      'changes versions revisions log who when undo revert rollback roll back restore recover activity timeline events changelog changesets commits',
    goal: linkOptions({ to: '/history' }),
  },
  {
    title: 'Time travel',
    synonyms: 'point time past earlier instant snapshot backup version restore tag revision',
    goal: 'time',
  },
  {
    title: 'Search',
    synonyms: 'find grep look lookup parameters values used keys secrets',
    goal: linkOptions({ to: '/search' }),
  },
  {
    title: 'Webhooks',
    synonyms: 'slack chat channel notifications notify alerts alerting messages deliveries bot token subscriptions',
    goal: linkOptions({ to: '/webhooks' }),
  },
  {
    title: 'Integrations',
    synonyms:
      'aws azure google gcp github cloud key vault secrets manager parameter store push pushes pull sync external values',
    goal: linkOptions({ to: '/integrations' }),
  },
  {
    title: 'Create integration',
    synonyms: 'new add connect aws azure google github cloud key vault secrets manager parameter store push sync',
    goal: linkOptions({ to: '/integrations/new' }),
    needs: 'manage_integrations',
  },
  {
    title: 'Rotations',
    synonyms:
      'rotate rotation secrets credentials passwords keys postgresql database iam dynamic renew revoke pending dismiss abort',
    goal: linkOptions({ to: '/rotations' }),
  },
  {
    title: 'Create webhook',
    synonyms: 'new add slack chat channel notification notify alert connect bot token integration',
    goal: linkOptions({ to: '/webhooks/new' }),
    needs: 'manage_webhooks',
  },
  {
    title: 'Create destination',
    synonyms:
      'new add connect webhook http https signed cloudevents teams discord email mail notification notify alert',
    goal: linkOptions({ to: '/destinations/new' }),
    needs: 'manage_webhooks',
  },
  {
    title: 'People and invitations',
    synonyms: 'access users members team invite add colleague roles role permissions rbac iam accounts',
    goal: linkOptions({ to: '/access' }),
  },
  {
    title: 'Groups',
    synonyms: 'access teams people new create add members',
    goal: linkOptions({ to: '/access/groups' }),
  },
  {
    title: 'Grants',
    synonyms:
      'access control permissions rights roles rbac acl iam policy policies restrict lock protect protected production share',
    goal: linkOptions({ to: '/access/grants' }),
  },
  {
    title: 'Requests for access',
    synonyms:
      'temporary access grants limited time expire jit just in time elevate privileged pim break glass emergency request approve decline end revoke',
    goal: linkOptions({ to: '/access/requests' }),
  },
  {
    title: 'Service accounts',
    synonyms:
      'access api keys tokens service tokens bots robots machine identity users credentials rotate rotation expire approle principal iam new create ci',
    goal: linkOptions({ to: '/access/service-accounts' }),
  },
  {
    title: 'Explain access',
    synonyms: 'who can read write why access permissions rights effective review evidence past history least privilege',
    goal: linkOptions({ to: '/access/explain' }),
    needs: 'manage_grants',
  },
  {
    title: 'Unused access',
    synonyms: 'rights permissions roles grants least privilege access review recertification stale old remove cleanup',
    goal: linkOptions({ to: '/access/unused' }),
    needs: 'manage_grants',
  },
  {
    title: 'Audit',
    synonyms: 'access log logs trail who saw read secrets reveal security compliance export csv',
    goal: linkOptions({ to: '/access/audit' }),
  },
  {
    title: 'Organization',
    synonyms:
      'settings tenant account workspace rename switch new create delete company single sign-on sso oidc saml okta entra',
    goal: linkOptions({ to: '/organization' }),
  },
  {
    title: 'Account',
    synonyms: 'me profile password theme dark light mode sessions devices sign out logout logoff my user settings',
    goal: linkOptions({ to: '/account' }),
  },
  { title: 'Keyboard shortcuts', synonyms: 'keyboard shortcuts hotkeys bindings help matrix', goal: 'keys' },
];

/** Returns the pages and commands. A new environment is created below the root, whose name may have changed. */
export function listDestinations(root: string | undefined): readonly PaletteDestination[] {
  if (root === undefined) return PLACES;
  return [
    ...PLACES,
    {
      title: 'Create environment',
      synonyms: 'new add stage branch namespace tenant region cluster',
      goal: linkOptions({
        to: '/environments/$environment',
        params: { environment: root },
        search: { do: 'create', at: undefined },
      }),
      needs: 'write_content',
    },
  ];
}

/** A page that every project has. */
interface ProjectPlace extends SearchTarget {
  readonly synonyms: string;
  readonly needs?: OrganizationAbility;
  linkTo(name: string): NavigateOptions;
}

/** The pages of a project besides its matrix. */
export const PROJECT_DESTINATIONS: readonly ProjectPlace[] = [
  {
    title: 'Add parameter',
    synonyms: 'new create secret variable env var key value setting feature flag',
    linkTo: (name) => linkOptions({ to: '/projects/$name/settings', params: { name }, search: { do: 'parameter' } }),
    needs: 'write_content',
  },
  {
    title: 'Templates',
    synonyms: 'consul-template render preview file generate config configmap liquid jinja nginx text',
    linkTo: (name) => linkOptions({ to: '/projects/$name/templates', params: { name } }),
  },
  {
    title: 'Lint',
    synonyms:
      'check checks problems warnings issues doctor hygiene unused missing redundant expired expire expiry ttl lease leaked stale mend fix',
    linkTo: (name) => linkOptions({ to: '/projects/$name/lint', params: { name } }),
  },
  {
    title: 'Instances',
    synonyms: 'rollout convergence deployment pods hosts running lagging refused acknowledgements programs status',
    linkTo: (name) => linkOptions({ to: '/projects/$name/instances', params: { name } }),
  },
  {
    title: 'Connect',
    synonyms: 'program application client sdk curl kubernetes k8s openfeature flags api key command line cli integrate',
    linkTo: (name) => linkOptions({ to: '/projects/$name/connect', params: { name } }),
  },
  {
    title: 'Import',
    synonyms: 'upload paste load bulk sync .env dotenv env file yaml yml json environment variables vars',
    linkTo: (name) => linkOptions({ to: '/projects/$name/import', params: { name } }),
    needs: 'write_content',
  },
  {
    title: 'Export',
    synonyms:
      'download pull backup .env dotenv env file yaml json docker shell kubernetes configmap environment variables vars curl graphql cli command line api sdk',
    linkTo: (name) => linkOptions({ to: '/projects/$name/export', params: { name } }),
  },
  {
    title: 'Settings',
    synonyms:
      'project parameters rename describe delete remove clone fork copy duplicate depends dependency inherit name pattern control access restrict lock secrets types',
    linkTo: (name) => linkOptions({ to: '/projects/$name/settings', params: { name } }),
  },
];
