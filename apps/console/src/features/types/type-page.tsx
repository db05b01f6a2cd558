import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { parametersOfTypeQuery, typesQuery } from '../../data/types.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { type AllowedAction, AllowedActions } from '../../kit/planned/allowed-actions.tsx';
import { type ChangesetOperations, PlannedChange } from '../../kit/planned/planned-change.tsx';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { listInheritedRules, type StoredType, type TypeInTree, typeTree } from '../../lib/type-tree.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { RulesPart } from './rules-part.tsx';
import { TypeForm } from './type-form.tsx';

const route = getRouteApi('/inside/types/$type');

/** Shows one type: its actions, rules, subtypes and parameters. */
export function TypePage() {
  const { type: name } = route.useParams();
  const { args } = usePointInTime();
  const types = useQuery(typesQuery(args));
  const navigate = useNavigate();
  const status = useObjectStatus(types.data, name, ({ name: type }) => {
    void navigate({ to: '/types/$type', params: { type }, search: (previousSearch) => previousSearch, replace: true });
  });
  if (types.error) return <ErrorMessage error={types.error} reset={() => void types.refetch()} />;
  if (!types.data || !status) return <p className={page.page}>Loading …</p>;
  const rows = typeTree(types.data);
  const id = status.kind === 'here' || status.kind === 'renamed' ? status.row.id : null;
  const row = rows.find(({ type }) => type.id === id);
  // The key closes a form that was opened for another type.
  if (row) return <Type key={row.type.id} row={row} rows={rows} types={types.data} />;
  return (
    <p className={page.page} role={status.kind === 'gone' ? 'alert' : undefined}>
      <span>
        {status.kind === 'gone' ? 'This type was deleted' : 'There is no type named'}{' '}
        <strong>
          <UserText>{name}</UserText>
        </strong>
        .{' '}
        <Link to="/types" className={page.link}>
          All types
        </Link>
      </span>
    </p>
  );
}

interface TypeProps {
  readonly row: TypeInTree;
  readonly rows: readonly TypeInTree[];
  readonly types: readonly StoredType[];
}

function Type({ row: { type, base, depth }, rows, types }: TypeProps) {
  const { do: requestedAction, what } = route.useSearch();
  const { isNow } = usePointInTime();
  const canWrite = useAbility('write_content') && isNow;
  const isBuiltIn = depth === 0;
  const mayChange = canWrite && !isBuiltIn;
  const actions = useTypeActions({ type, rows, mayCreate: canWrite, mayChange });
  return (
    <div className={page.page}>
      <section className={page.part}>
        <p className={page.note}>
          {isBuiltIn ? (
            'Built in: it can’t be changed and takes no own rules. Its subtypes can have rules.'
          ) : (
            <>
              Based on <Lineage type={type} types={types} />
              {type.description !== '' && (
                <>
                  {' · '}
                  <UserText>{type.description}</UserText>
                </>
              )}
            </>
          )}
        </p>
        <AllowedActions name={type.name} verbs={actions} does={requestedAction} done={null} />
      </section>
      <RulesPart
        canWrite={mayChange}
        does={requestedAction}
        what={what}
        owner={{
          title: `type ${type.name}`,
          base,
          ownRules: type.rules,
          inherited: listInheritedRules(types, type),
          target: { kind: 'type', id: type.id },
          operations: 'types_rules',
          path: { parametertype_pk: type.id },
          isSecret: false,
        }}
      />
      <Subtypes types={types.filter(({ parentId }) => parentId === type.id)} />
      {isNow && <Users type={type} />}
    </div>
  );
}

interface TypeActionsProps {
  readonly type: StoredType;
  readonly rows: readonly TypeInTree[];
  readonly mayCreate: boolean;
  readonly mayChange: boolean;
}

function useTypeActions({ type, rows, mayCreate, mayChange: may }: TypeActionsProps): readonly AllowedAction[] {
  const navigate = useNavigate();
  const show = (revision: number, name: string) =>
    navigate({ to: '/types/$type', params: { type: name }, search: {}, state: { applied: revision } });
  const form = { rows, onApplied: show } as const;
  return [
    {
      does: 'create',
      title: 'Create subtype',
      Sign: Plus,
      may: mayCreate,
      form: <TypeForm {...form} type={null} parentId={type.id} />,
    },
    { does: 'edit', title: 'Edit', Sign: Pencil, may, form: <TypeForm {...form} type={type} parentId={null} /> },
    { does: 'delete', title: 'Delete', Sign: Trash2, may, form: <DeleteType type={type} /> },
  ];
}

function Subtypes({ types }: { readonly types: readonly StoredType[] }) {
  if (types.length === 0) return null;
  return (
    <section className={page.part}>
      <h2>Subtypes</h2>
      <ul className={page.buttons}>
        {types.map(({ id, name }) => (
          <li key={id}>
            <Link to="/types/$type" params={{ type: name }} className={page.link}>
              <UserText>{name}</UserText>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Links the base types, nearest first. */
function Lineage({ type, types }: { readonly type: StoredType; readonly types: readonly StoredType[] }) {
  const parent = types.find(({ id }) => id === type.parentId);
  if (!parent) return null;
  return (
    <>
      <Link to="/types/$type" params={{ type: parent.name }} className={page.link}>
        <UserText>{parent.name}</UserText>
      </Link>
      {parent.parentId !== null && (
        <>
          {', based on '}
          <Lineage type={parent} types={types} />
        </>
      )}
    </>
  );
}

/** Lists the parameters of this type, without its subtypes, in all readable projects. */
function Users({ type }: { readonly type: StoredType }) {
  const { after } = route.useSearch();
  const query = useQuery(parametersOfTypeQuery(type.id, after ?? null));
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (!query.data) return null;
  const { totalCount, edges, pageInfo } = query.data;
  return (
    <section className={page.part} aria-labelledby="users" aria-busy={query.isPlaceholderData}>
      <h2 id="users">{totalCount === 1 ? '1 parameter' : `${totalCount.toLocaleString()} parameters`}</h2>
      {totalCount === 0 ? (
        <p className={page.note}>No parameter has this type. Set the type in a parameter’s settings.</p>
      ) : (
        <div className={page.scroll}>
          <table className={page.table}>
            <thead>
              <tr>
                <th scope="col">Parameter</th>
                <th scope="col">Project</th>
              </tr>
            </thead>
            <tbody>
              {edges.map(({ node: { id, name, projectName } }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link
                      to="/projects/$name/parameters/$parameter/rules"
                      params={{ name: projectName, parameter: name }}
                      className={page.link}
                    >
                      <UserText>{name}</UserText>
                    </Link>
                  </th>
                  <td>
                    <Link to="/projects/$name" params={{ name: projectName }} className={page.link}>
                      <UserText>{projectName}</UserText>
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages here={after} next={nextCursor(pageInfo)} />
    </section>
  );
}

function DeleteType({ type }: { readonly type: StoredType }) {
  const navigate = useNavigate();
  // The operation keeps the version that was shown when the form opened, so it fails if the type has changed since.
  const [operations] = useState(() => removal(type));
  return (
    <PlannedChange
      operations={operations}
      verb="Delete type"
      busyVerb="Deleting …"
      deletes={{ kind: 'type', name: type.name }}
      message={`Delete type ${type.name}`}
      onApplied={(revision) => navigate({ to: '/types', state: { applied: revision } })}
      aside={<CancelLink />}
    />
  );
}

const removal = ({ id, ledgerId }: StoredType): ChangesetOperations => [
  { operation: 'types_destroy', path: { id }, ifMatch: ledgerId },
];
