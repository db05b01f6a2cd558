import type { Reply } from '@strata/testkit';
import { canReadEnvironment, canReadProject, type ModelInService, type RawClient, SECRET_MARK } from '@strata/testkit';

/** A caller, and the scopes that the caller may read according to the model. */
export interface ReadingCaller {
  readonly client: RawClient;
  readonly authorization: string;
  readonly canReadProject: (key: string) => boolean;
  readonly canReadEnvironment: (key: string) => boolean;
}

export async function createReadingCallers(service: ModelInService): Promise<readonly ReadingCaller[]> {
  const { organization, reader, state } = service;
  return [
    {
      client: organization.owner,
      authorization: organization.ownerAuthorization,
      canReadProject: () => true,
      canReadEnvironment: () => true,
    },
    {
      client: reader,
      authorization: await organization.authorization('VIEWER'),
      canReadProject: (key) => canReadProject(state, key),
      canReadEnvironment: (key) => canReadEnvironment(state, key),
    },
  ];
}

/** Returns all pages of a list. */
export async function fetchAllPages<Page extends { readonly next: string | null }>(client: RawClient, path: string) {
  const pages: Page[] = [];
  for (let next: string | null = path; next !== null; ) {
    const response: Reply<Page> = await client.get<Page>(next);
    expect([next, response.status, response.status === 200 ? '' : response.text]).toEqual([next, 200, '']);
    expect(response.text).not.toContain(`${SECRET_MARK} `);
    pages.push(response.body);
    next = response.body.next;
  }
  return pages;
}
