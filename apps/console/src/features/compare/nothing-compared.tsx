import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { environmentsQuery } from '../../data/environments.ts';
import type { ComparedSides, CompareSearch } from '../../lib/compare-sides.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

const route = getRouteApi('/inside/compare');
const DAY_MS = 86_400_000;

/** Explains the comparison and offers examples while both sides are equal. */
export function NothingCompared({ sides }: { readonly sides: ComparedSides }) {
  const { project } = route.useSearch();
  const { data: environments = [] } = useQuery(environmentsQuery());
  const isChosen = sides.left.environment !== null;
  return (
    <Empty title={isChosen ? 'Both sides are the same' : 'Compare environments or points in time'}>
      <p>
        Choose two environments, such as staging and production, or one environment at two points in time: now, a
        revision, a date and time, or a tag. You can copy differences to the right side after you review the changes.
      </p>
      <div className={page.buttons}>
        {suggestions(environments).map(({ title, search }) => (
          <Link key={title} to="/compare" search={{ project, ...search }} className={button.plain}>
            <UserText>{title}</UserText>
          </Link>
        ))}
      </div>
    </Empty>
  );
}

function suggestions(environments: readonly EnvironmentColumn[]) {
  const ids = new Set(environments.map(({ name }) => name));
  const standardNames = ids.has('staging') && ids.has('production') ? (['staging', 'production'] as const) : null;
  const lastChild = environments.filter(({ parentName }) => parentName !== null).at(-1);
  const [left, right] = standardNames ?? [lastChild?.parentName ?? undefined, lastChild?.name];
  const yesterday = new Date(Math.floor((Date.now() - DAY_MS) / 60_000) * 60_000).toISOString();
  const pair: { readonly title: string; readonly search: CompareSearch }[] =
    left !== undefined && right !== undefined ? [{ title: `${left} and ${right}`, search: { left, right } }] : [];
  return [...pair, { title: 'A day ago and now', search: { from: yesterday } }];
}
