import fc from 'fast-check';
import { ROLES, type Role } from './access.ts';
import { CELL_ACTIONS, type CellAction, compareCellAccess } from './access-comparison.ts';
import { canIfControlled, canOnScope, canReadConfiguration, type Permissions, type ScopeId } from './scope.ts';

const PROJECTS = ['p0', 'p1', 'p2'].map((id) => ({ id, name: `project ${id}` }));
const ENVIRONMENTS = ['e0', 'e1', 'e2'].map((id) => ({ id, name: `environment ${id}` }));
const SCOPES = { projects: PROJECTS, environments: ENVIRONMENTS };

const role = fc.constantFrom<Role>(...ROLES);
const permissions: fc.Arbitrary<Permissions | null> = fc.option(
  fc.record({
    role,
    revealsSecrets: fc.boolean(),
    scopes: fc
      .array(fc.tuple(fc.constantFrom<ScopeId>('p0', 'p1', 'p2', 'e0', 'e1', 'e2'), fc.option(role)))
      .map((entries) => new Map(entries)),
  }),
);

/** Returns what a request for the action on one cell would be decided as. */
function isAllowed(member: Permissions | null, action: CellAction, projectId: string, environmentId: string): boolean {
  if (member === null) return false;
  if (action !== 'write')
    return canReadConfiguration(member, { projectId, environmentId, reveal: action === 'reveal' });
  return canOnScope(member, 'write', projectId) && canIfControlled(member, 'write', environmentId);
}

describe('the comparison of the access to cells', () => {
  it('counts exactly the cells on which requests would be decided differently, and its examples are among them', () => {
    fc.assert(
      fc.property(permissions, permissions, (before, after) => {
        const differences = compareCellAccess(before, after, SCOPES);
        for (const action of CELL_ACTIONS) {
          for (const isGained of [true, false]) {
            const [from, to] = isGained ? [before, after] : [after, before];
            const cells = PROJECTS.flatMap((project) =>
              ENVIRONMENTS.flatMap((environment) =>
                !isAllowed(from, action, project.id, environment.id) &&
                isAllowed(to, action, project.id, environment.id)
                  ? [`${project.name} ${environment.name}`]
                  : [],
              ),
            );
            const difference = differences.find((entry) => entry.action === action && entry.isGained === isGained);
            expect(difference?.cells ?? 0).toBe(cells.length);
            if (difference) expect(cells).toContain(`${difference.example.project} ${difference.example.environment}`);
          }
        }
      }),
    );
  });
});
