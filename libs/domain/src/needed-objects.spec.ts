import fc from 'fast-check';
import { findDependents, type NeededObjects } from './needed-objects.ts';

const NOTHING: NeededObjects = { references: [], dynamicValues: [], projects: [] };
const reference = (sourceId: string, name: string, projectId = 'web') => ({
  sourceId,
  kind: name === '' ? ('parameters' as const) : ('parameter' as const),
  projectId,
  name,
  targetId: null,
});
const value = (id: string, name: string, projectId = 'web') => ({ id, projectId, name });
const WEB = { id: 'web', name: 'web', dependsOnId: 'base' };
const BASE = { id: 'base', name: 'base', dependsOnId: null };
const place = (name: string, projectId = 'web') => ({ projectId, name });

describe('needing', () => {
  it('includes direct and indirect references', () => {
    const dependents = findDependents(
      ['v'],
      {
        ...NOTHING,
        references: [
          reference('v', 'B'),
          reference('w', 'C'),
          { ...reference('w', 'X'), kind: 'template', targetId: 't' },
          reference('t', 'D'),
        ],
        dynamicValues: [value('v', 'A'), value('w', 'B'), value('x', 'E')],
      },
      9,
    );
    expect(['A', 'B', 'C', 'D', 'E'].map((name) => dependents.ofPlace(place(name)))).toEqual([
      ['v'],
      ['v'],
      ['v'],
      ['v'],
      [],
    ]);
    expect([dependents.ofText('t'), dependents.ofText('x')]).toEqual([['v'], []]);
  });

  it('includes inherited values of the same name, and all names if the text iterates over them', () => {
    const dynamicValues = [value('v', 'A'), value('w', 'OTHER')];
    const dependents = findDependents(
      ['v'],
      { references: [reference('v', '')], dynamicValues, projects: [WEB, BASE] },
      9,
    );
    expect([dependents.ofPlace(place('OTHER')), dependents.ofPlace(place('OTHER', 'base'))]).toEqual([['v'], ['v']]);
    const uncovered = findDependents(['v'], { ...NOTHING, dynamicValues, projects: [WEB, BASE] }, 9);
    expect([uncovered.ofPlace(place('A', 'base')), uncovered.ofPlace(place('OTHER', 'base'))]).toEqual([['v'], []]);
  });
});

/** Random names. The text of each name refers to some of the later ones. */
const graphs = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { minLength: 1, maxLength: 12 }).map((namesByValue) => {
  const references = namesByValue.flatMap((names, index) =>
    names.map((name) => reference(`v${index}`, `N${Math.min(index + 1 + name, 99)}`)),
  );
  return { references, dynamicValues: namesByValue.map((_, index) => value(`v${index}`, `N${index}`)), projects: [] };
});

function closure({ references, dynamicValues }: NeededObjects, start: string): ReadonlySet<string> {
  const needed = new Set<string>();
  const enter = (id: string) => {
    for (const { name } of references.filter(({ sourceId }) => sourceId === id)) {
      needed.add(name);
      for (const match of dynamicValues.filter((candidate) => candidate.name === name)) enter(match.id);
    }
  };
  enter(start);
  for (const { id, name } of dynamicValues) if (id === start) needed.add(name);
  return needed;
}

it('finds at most the maximum number of values for every name, and only true dependencies', () => {
  fc.assert(
    fc.property(graphs, fc.integer({ min: 1, max: 3 }), (graph, max) => {
      const values = graph.dynamicValues.map(({ id }) => id);
      const needs = new Map(values.map((id) => [id, closure(graph, id)]));
      const dependents = findDependents(values, graph, max);
      for (let index = 0; index < 25; index += 1) {
        const name = `N${index}`;
        const all = values.filter((id) => needs.get(id)?.has(name));
        const needed = dependents.ofPlace(place(name));
        expect(needed).toHaveLength(Math.min(all.length, max));
        for (const id of needed) expect(all).toContain(id);
      }
    }),
  );
});
