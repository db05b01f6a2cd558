import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { environmentsQuery } from '../data/environments.ts';
import { parameterSettingsQuery } from '../data/parameters.ts';
import { preferencesQuery, recordVisit, setFavourite } from '../data/preferences.ts';
import { projectsQuery } from '../data/projects.ts';
import button from '../ui/button.module.css';
import { withVisibleCharacters } from '../ui/visible-characters.ts';
import styles from './favourite-star.module.css';

interface ShownObject {
  readonly id: string;
  readonly name: string;
}

/** Marks the object of the page as a favourite, and adds it to the recents. */
export function FavouriteStar() {
  const shownObject = useShownObject();
  return shownObject && <ObjectStar key={shownObject.id} {...shownObject} />;
}

function ObjectStar({ id, name }: ShownObject) {
  const client = useQueryClient();
  const { data: preferences } = useQuery(preferencesQuery);
  const refresh = () => client.invalidateQueries({ queryKey: preferencesQuery.queryKey });
  const favourite = useMutation({ mutationFn: (isMarked: boolean) => setFavourite(id, isMarked), onSettled: refresh });
  const isLoaded = preferences !== undefined;
  const isNewest = preferences?.recents[0]?.id === id;
  const visit = useEffectEvent(() => {
    // A failed request only leaves out a recent.
    if (!isNewest) void recordVisit(id).then(refresh, () => undefined);
  });
  // A visit is recorded once, when the page opens.
  useEffect(() => {
    if (isLoaded) visit();
  }, [isLoaded]);
  const isMarked = favourite.isPending
    ? favourite.variables
    : (preferences?.favourites.some((favouriteObject) => favouriteObject.id === id) ?? false);
  const label = isMarked ? 'Remove from favourites' : 'Add to favourites';
  return (
    <>
      <button
        type="button"
        className={button.icon}
        aria-pressed={isMarked}
        aria-label={withVisibleCharacters(`Favourite: ${name}`)}
        title={label}
        disabled={!isLoaded}
        onClick={() => favourite.mutate(!isMarked)}
      >
        <Star size={15} aria-hidden className={styles.star} />
      </button>
      {favourite.error && (
        <span role="alert" className={styles.error}>
          {favourite.error.message}
        </span>
      )}
    </>
  );
}

/** Returns the parameter, the environment or the project of the page. */
function useShownObject(): ShownObject | null {
  const { name, parameter, environment } = useParams({ strict: false });
  const { data: projects } = useQuery(projectsQuery());
  const { data: environments } = useQuery(environmentsQuery());
  const project = projects?.find((listedProject) => listedProject.name === name);
  const { data: setting } = useQuery({
    ...parameterSettingsQuery(project?.id ?? '', { name: parameter ?? '' }),
    enabled: project !== undefined && parameter !== undefined,
  });
  if (parameter !== undefined) return setting ?? null;
  if (environment !== undefined)
    return environments?.find((listedEnvironment) => listedEnvironment.name === environment) ?? null;
  return project ?? null;
}
