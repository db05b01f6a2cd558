import { parseEnvPreview } from './env-lines.ts';
import { describeSecrets, describeTypes, inferTypes } from './new-parameters.ts';

const line = (name: string, text: string | null) => ({ name, text });
const none = () => false;

describe('the parameters that pasted lines create', () => {
  it('have the type of their texts if all texts of a name agree', () => {
    const lines = [line('PORT', '80'), line('PORT', '443'), line('ID', '1'), line('ID', '01'), line('DEBUG', 'true')];
    expect([...inferTypes([...lines, line('N', null), line('N', '5')], none)]).toEqual([
      ['PORT', 'integer'],
      ['DEBUG', 'boolean'],
    ]);
    expect(inferTypes([line('PIN', '1234')], ({ name }) => name === 'PIN').size).toBe(0);
  });

  it('are listed by type, and secrets with the reason', () => {
    const { importable } = parseEnvPreview('PORT=80\nDEBUG=true\nDB_PASSWORD=canary\nLINK={{ TOKEN }}');
    expect(describeTypes(inferTypes(importable, none))).toBe('Integer: PORT. Boolean: DEBUG.');
    expect(describeSecrets(importable, new Set(['DB_PASSWORD', 'LINK']))).toBe(
      'Secret: DB_PASSWORD (named like a credential), LINK (refers to a secret).',
    );
    expect([describeTypes(new Map()), describeSecrets(importable, new Set())]).toEqual(['', '']);
    const many = inferTypes(
      Array.from({ length: 8 }, (_, index) => line(`N${index}`, '1')),
      none,
    );
    expect(describeTypes(many)).toBe('Integer: N0, N1, N2, N3, N4 and 3 more.');
  });
});
