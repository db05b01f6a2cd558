import type {
  ExploreQuery,
  Integration,
  IntegrationNode,
  IntegrationTask,
  IntegrationWish,
  Page,
  ProviderName,
  Pull,
  PullListQuery,
  PullWish,
  Push,
  PushListQuery,
  PushWish,
  StepListQuery,
  TaskListQuery,
  TaskStep,
} from '@strata/contract';
import { apiPath, type QueryOf } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

/** Below `integrations/`, as the contract writes it. */
const PATHS: Readonly<Record<ProviderName, string>> = {
  aws: 'aws',
  azure_key_vault: 'azure/key_vault',
  github: 'github',
};

/** A pull or a push; `sync` runs it. */
class Transports<Item, Wish, ListQuery extends QueryOf<PullListQuery>> extends Resource<
  Item,
  ListQuery,
  Wish,
  Wish,
  Wish
> {
  constructor(
    sender: Sender,
    private readonly at: string,
  ) {
    super(sender, at);
  }

  async sync(id: string, body: { readonly dry_run?: boolean } = {}): Promise<void> {
    await this.sender.send({ method: 'POST', path: `${this.at}${encodeURIComponent(id)}/sync/`, body });
  }

  tasks(id: string): Resource<IntegrationTask, QueryOf<TaskListQuery>> {
    return new Resource(this.sender, `${this.at}${encodeURIComponent(id)}/tasks/`);
  }

  steps(id: string, task: string): Resource<TaskStep, QueryOf<StepListQuery>> {
    const path = `${this.at}${encodeURIComponent(id)}/tasks/${encodeURIComponent(task)}/steps/`;
    return new Resource(this.sender, path);
  }
}

/** The integrations of one provider, their pulls and their pushes. */
export function integrations(sender: Sender, provider: ProviderName) {
  const root = `${apiPath`/integrations/`}${PATHS[provider]}/`;
  const below = (id: string, noun: string) => `${root}${encodeURIComponent(id)}/${noun}/`;
  return {
    all: new Resource<Integration, Record<string, string | number>, IntegrationWish, IntegrationWish, IntegrationWish>(
      sender,
      root,
    ),
    pulls: (id: string) => new Transports<Pull, PullWish, QueryOf<PullListQuery>>(sender, below(id, 'pulls')),
    pushes: (id: string) => new Transports<Push, PushWish, QueryOf<PushListQuery>>(sender, below(id, 'pushes')),
  };
}

export function explore(sender: Sender, query: QueryOf<ExploreQuery> = {}): Promise<Page<IntegrationNode>> {
  return sender.body({ method: 'GET', path: apiPath`/integrations/explore/`, query });
}
