import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useAbility } from '../../data/abilities.ts';
import {
  type AccessToScope,
  accessExplanationQuery,
  type ExplainedAccess,
  type ShownAccessCandidate,
} from '../../data/access-explanation.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { displayName, peopleQuery } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import { serviceAccountsQuery } from '../../data/service-accounts.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ListStatus } from '../../ui/list-status.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { AccessPage } from './access-page.tsx';
import { FilterSelect } from './audit-filter.tsx';
import styles from './audit-page.module.css';
import candidateStyles from './explain-access-page.module.css';

const route = getRouteApi('/inside/access/explain');

export interface ExplainAccessSearch {
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  /** The id of the user. */
  readonly who?: string | undefined;
  /** The cursor of the page. */
  readonly after?: string | undefined;
}

/** Shows who can read and change the values of a project in an environment, and through which role or grant. */
export function ExplainAccessPage() {
  const mayExplain = useAbility('manage_grants');
  return (
    <AccessPage>
      <section className={page.part} aria-label="Explain access">
        <p className={page.note}>
          {mayExplain
            ? 'Shows who can read and change the values of a project in an environment, and the role or grant that decides. Choose a point in time to see who had access then.'
            : 'Only admins and owners can see who has access to a project, and why.'}
        </p>
        {mayExplain && <Explanations />}
      </section>
    </AccessPage>
  );
}

function Explanations() {
  const { project, environment = 'default', who, after } = route.useSearch();
  const { args } = usePointInTime();
  const filter = { project: project ?? '', environment, who: who ?? null, after: after ?? null, ...args };
  const query = useQuery({ ...accessExplanationQuery(filter), enabled: project !== undefined });
  const { data, error, isPlaceholderData } = query;
  const explanations = data?.edges.map(({ node }) => node) ?? [];
  return (
    <>
      <Filter total={project === undefined ? undefined : data?.totalCount} isOld={isPlaceholderData} />
      {error && <ErrorMessage error={error} reset={() => void query.refetch()} />}
      {project === undefined && <p className={page.note}>Choose a project.</p>}
      {project !== undefined && !data && !error && <p className={page.note}>Loading …</p>}
      {project !== undefined && data && <Users explanations={explanations} />}
      {project !== undefined && data && <Pages here={after} next={nextCursor(data.pageInfo)} />}
    </>
  );
}

function Filter({ total, isOld }: { readonly total: number | undefined; readonly isOld: boolean }) {
  const { project = '', environment = 'default', who = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { args } = usePointInTime();
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const { data: environments = [] } = useQuery(environmentsQuery(args));
  const { data: people = [] } = useQuery(peopleQuery);
  const { data: accounts = [] } = useQuery(serviceAccountsQuery);
  const users = [...people, ...accounts.map(({ id, user }) => ({ ...user, id }))];
  const choose = (name: keyof ExplainAccessSearch) => (value: string) =>
    void navigate({ search: (search) => ({ ...search, after: undefined, [name]: value || undefined }) });
  const toChoice = ({ name }: { readonly name: string }) => [name, name] as const;
  return (
    <search className={styles.filter}>
      <FilterSelect
        label="Project"
        all="Choose a project"
        options={projects.map(toChoice)}
        value={project}
        onChoose={choose('project')}
      />
      <FilterSelect
        label="Environment"
        all="default"
        options={environments.filter(({ name }) => name !== 'default').map(toChoice)}
        value={environment === 'default' ? '' : environment}
        onChoose={choose('environment')}
      />
      <FilterSelect
        label="User"
        all="Everyone with access"
        options={users.map((user) => [user.id, displayName(user)] as const)}
        value={who}
        onChoose={choose('who')}
      />
      {who !== '' && (
        <button type="button" className={button.quiet} onClick={() => choose('who')('')}>
          Show everyone
        </button>
      )}
      <ListStatus isOld={isOld} className={styles.count}>
        {total !== undefined && `${total.toLocaleString()} ${total === 1 ? 'user' : 'users'}`}
      </ListStatus>
    </search>
  );
}

type Row = ExplainedAccess & { readonly id: string };

const COLUMNS: readonly ListColumn<Row>[] = [
  { title: 'User', cell: ({ userName }) => <UserText>{userName}</UserText> },
  { title: 'Access', cell: describeAccess },
  {
    title: 'Project',
    cell: ({ project, membershipId }) => <ScopeCell access={project} isMember={membershipId !== null} />,
  },
  {
    title: 'Environment',
    cell: ({ environment, membershipId }) => <ScopeCell access={environment} isMember={membershipId !== null} />,
  },
];

function Users({ explanations }: { readonly explanations: readonly ExplainedAccess[] }) {
  const rows = explanations.map((explanation) => ({ ...explanation, id: explanation.userId }));
  return <ListTable label="Users and their access" rows={rows} columns={COLUMNS} nameOf={({ userName }) => userName} />;
}

function describeAccess({ read, write, reveal }: ExplainedAccess): string {
  if (!read && !write) return 'None';
  return [read && 'Read', write && 'write', reveal && 'reveal secrets'].filter(Boolean).join(', ');
}

interface ScopeCellProps {
  readonly access: AccessToScope;
  readonly isMember: boolean;
}

/** Lists the roles and grants in order of precedence, with the reason why each one does not decide. */
function ScopeCell({ access: { controlledByName, candidates }, isMember }: ScopeCellProps) {
  if (!isMember) return 'Not a member';
  if (candidates.length === 0) return 'Not restricted';
  const hasWinner = candidates.some(({ wins }) => wins);
  return (
    <>
      {controlledByName !== null && (
        <p className={candidateStyles.controller}>
          Restricted by <UserText>{controlledByName}</UserText>
          {!hasWinner && ': no grant'}
        </p>
      )}
      <ul className={candidateStyles.candidates}>
        {candidates.map((candidate, at) => (
          <li key={at} data-wins={candidate.wins || undefined}>
            <Candidate candidate={candidate} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Candidate({ candidate: { kind, role, groupName, hiddenBy } }: { readonly candidate: ShownAccessCandidate }) {
  const name = role === null ? '' : roleWord(role);
  const reason = hiddenBy === null ? '' : ` (${REASONS[hiddenBy]})`;
  if (kind === 'project_limit') return `Limited to other projects${reason}`;
  if (kind === 'group_grant') {
    return (
      <>
        {name} by a grant to <UserText>{groupName ?? ''}</UserText>
        {reason}
      </>
    );
  }
  return `${name} ${kind === 'grant' ? 'by a grant' : 'of the organization'}${reason}`;
}

const REASONS: Readonly<Record<NonNullable<ShownAccessCandidate['hiddenBy']>, string>> = {
  organization_role: 'not needed: the role in the organization has access to everything',
  project_limit: 'without effect: limited to other projects',
  higher_grant: 'without effect: another grant gives the same role or a higher one',
  access_control: 'without effect: only grants count here',
};
