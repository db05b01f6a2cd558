import type { ViewerQuery } from '../graphql/viewer.graphql.ts';
import { mayWrite } from './write-access.ts';

const viewer = (abilities: readonly string[], scopes: readonly object[] = []) =>
  ({ abilities: { abilities, scopes } }) as unknown as ViewerQuery['viewer'];

const HERE = { projectId: 'web', environmentId: 'production' };
const may = (abilities: readonly string[], scopes: Readonly<Record<string, readonly string[]>> = {}) =>
  mayWrite(
    viewer(
      abilities,
      Object.entries(scopes).map(([scopeId, abilities]) => ({ scopeId, abilities })),
    ),
    HERE,
  );

describe('a user may write', () => {
  it('according to their role without access control', () => {
    expect(may(['read', 'write_content'])).toBe(true);
    expect(may(['read'])).toBe(false);
    expect(mayWrite(undefined, HERE)).toBe(false);
  });

  it('in a controlled project according to their grant, regardless of their role', () => {
    expect(may(['read'], { web: ['read', 'write'] })).toBe(true);
    expect(may(['read', 'write_content'], { web: ['read'] })).toBe(false);
  });

  it('in a controlled environment only if the project allows it, too', () => {
    const granted = { production: ['read', 'write'] };
    expect(may(['read'], granted)).toBe(false);
    expect(may(['read', 'write_content'], granted)).toBe(true);
    expect(may(['read'], { ...granted, web: ['read', 'write'] })).toBe(true);
    expect(may(['read', 'write_content'], { production: ['read'] })).toBe(false);
  });
});
