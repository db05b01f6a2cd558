import { comparisonRequests, fileRequests, valueRequests } from './requests.ts';

const QUESTION = {
  projectId: 'p1',
  q: null,
  left: `it's $(here) "x"`,
  right: null,
  leftAsOf: null,
  leftRevision: null,
  rightAsOf: null,
  rightRevision: 3,
};

describe('copied requests', () => {
  it('use variables for the address and the credential, and are escaped for a shell', () => {
    const [curl] = comparisonRequests({ id: 'p1', name: 'web' }, QUESTION);

    expect(curl?.text).toBe(
      'curl -fsS -H "Authorization: Api-Key $KEY" "$API/projects/p1/compare/?left=it%27s+%24%28here%29+%22x%22&right_revision=3"',
    );
  });

  it('select parameters by their names', () => {
    const [curl, graphql] = fileRequests('p1', 'production', 'dotenv', {}, ['HOST', 'a"b']);

    expect(curl?.text).toContain('&name__in=HOST%2Ca%22b"');
    expect(graphql?.text).toContain(String.raw`nameIn: ["HOST","a\"b"]`);
  });

  it('quote texts for GraphQL and for a shell', () => {
    const [, graphql, line] = valueRequests('p1', 'production', `a'b"c`, { revision: 3 });

    expect(graphql?.text).toContain(String.raw`name: "a'b\"c", revision: 3`);
    expect(line?.text.endsWith(String.raw`| jq -r --arg name 'a'\''b"c' '.values[$name]'`)).toBe(true);
    expect(fileRequests('p1', 'production', 'dotenv', {}).at(-1)?.text).toContain(
      'output=dotenv&environment=production" | jq -r .body',
    );
  });
});
