import type { ViewerQuery } from '../session/viewer.graphql.ts';
import { mayWrite } from './access.ts';

const viewer = (abilities: readonly string[], scopes: readonly object[] = []) =>
  ({ abilities: { abilities, scopes } }) as unknown as ViewerQuery['viewer'];

describe('somebody may write', () => {
  it('where their role does, unless the place is controlled', () => {
    expect(mayWrite(viewer(['read', 'write_content']), ['web', 'production'])).toBe(true);
    expect(mayWrite(viewer(['read']), ['web', 'production'])).toBe(false);
    expect(mayWrite(undefined, ['web'])).toBe(false);
  });

  it('where it is controlled only by what was granted there', () => {
    const granted = { scopeId: 'production', abilities: ['read', 'write'] };
    const closed = { scopeId: 'web', abilities: ['read'] };
    expect(mayWrite(viewer(['read'], [granted]), ['web', 'production'])).toBe(true);
    expect(mayWrite(viewer(['write_content'], [granted, closed]), ['web', 'production'])).toBe(false);
  });
});
