import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useAbility } from '../../data/abilities.ts';
import { typesQuery, typeUsageQuery } from '../../data/types.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { type TypeInTree, typeTree } from '../../lib/type-tree.ts';
import { Empty } from '../../ui/empty.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import page from '../../ui/page.module.css';
import { ActionPanel, type PageAction, PageActions } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { describeRule } from './rule-descriptions.ts';
import { TypeForm } from './type-form.tsx';
import styles from './types-page.module.css';

const route = getRouteApi('/inside/types');

const MAKING: PageAction = { does: 'create', title: 'Create type', Sign: Plus, isMain: true };

/** Lists the types of the organization as a tree. */
export function TypesPage() {
  const { args, isNow } = usePointInTime();
  const may = useAbility('write_content');
  const query = useQuery(typesQuery(args));
  const { data: usage } = useQuery({ ...typeUsageQuery, enabled: isNow });
  const { do: requestedAction } = route.useSearch();
  const navigate = route.useNavigate();
  const canWrite = may && isNow;
  const isMaking = canWrite && requestedAction === MAKING.does;
  return (
    <div className={page.page}>
      <ListPage
        label="Types"
        query={query}
        about={<>A type defines which values are valid. It adds rules to its base type.</>}
        action={
          canWrite && (
            <PageActions label="Actions for types" verbs={[MAKING]} chosen={isMaking ? requestedAction : undefined} />
          )
        }
      >
        {(types) => {
          const rows = typeTree(types);
          return (
            <>
              {isMaking && (
                <ActionPanel title={MAKING.title}>
                  <TypeForm
                    rows={rows}
                    type={null}
                    parentId={null}
                    onApplied={(revision, type) =>
                      navigate({ to: '/types/$type', params: { type }, state: { applied: revision } })
                    }
                  />
                </ActionPanel>
              )}
              {!rows.some(({ depth }) => depth > 0) && <NoOwnTypes />}
              <TypesTable rows={rows} usage={isNow ? (usage ?? new Map()) : null} />
            </>
          );
        }}
      </ListPage>
    </div>
  );
}

function NoOwnTypes() {
  return (
    <Empty title="No custom types yet">
      <p>
        Create a type for rules that many parameters share: a port (an integer from 1 to 65535), a duration such as 30s,
        a host name. You write the rules once, and they apply to every parameter of the type.
      </p>
    </Empty>
  );
}

interface TypesTableProps {
  readonly rows: readonly TypeInTree[];
  /** The number of parameters by type id; null for the past, where it is not available. */
  readonly usage: ReadonlyMap<string, number> | null;
}

function TypesTable({ rows, usage }: TypesTableProps) {
  return (
    <div className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col" className={styles.wide}>
              Base
            </th>
            <th scope="col">Rules</th>
            {usage && <th scope="col">Parameters</th>}
            <th scope="col" className={styles.wide}>
              Description
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.type.id} row={row} uses={usage && (usage.get(row.type.id) ?? 0)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row: { type, base, depth }, uses }: { readonly row: TypeInTree; readonly uses: number | null }) {
  return (
    <tr>
      <th scope="row" className={styles.name} data-depth={Math.min(depth, 6)}>
        <Link to="/types/$type" params={{ type: type.name }} className={page.link}>
          <UserText>{type.name}</UserText>
        </Link>
      </th>
      <td className={styles.wide}>{depth === 0 ? <span className={page.badge}>built in</span> : base}</td>
      <td>
        {type.rules.length === 0 ? (
          <span className={styles.none}>none</span>
        ) : (
          <UserText>{type.rules.map(describeRule).join(', ')}</UserText>
        )}
      </td>
      {uses !== null && <td>{uses === 0 ? <span className={styles.none}>none</span> : uses.toLocaleString()}</td>}
      <td className={`${styles.description} ${styles.wide}`}>
        <UserText>{type.description}</UserText>
      </td>
    </tr>
  );
}
