import type { ComparisonPage } from '../../data/compare.ts';
import { describePromotion, findPromotable, promotionOperations } from './promotion.ts';

type Cell = ComparisonPage['edges'][number]['node']['cells'][number];
type ToSet = NonNullable<Cell['toSet']>;

const NOTHING = { text: null, raw: null, problem: null, environmentName: null, projectName: null, expiresAt: null };
const SIDE: Cell['left'] = { ...NOTHING, states: ['own'], valueId: null, ledgerId: null };

/** Returns differences of `web` between staging and production, one for each name. */
function differences(
  toSets: Readonly<Record<string, Partial<ToSet>>>,
  right: object | null = { type: 'string', secret: false },
) {
  const columns = [{ left: { id: 's', name: 'staging' }, right: { id: 'p', name: 'production' } }];
  const edges = Object.entries(toSets).map(([name, differing]) => {
    const toSet = {
      text: null,
      interpolated: null,
      parameterId: 'x',
      valueId: null,
      ledgerId: null,
      reason: null,
      ...differing,
    };
    const cell = { column: 0, left: SIDE, right: SIDE, toSet };
    return { node: { name, left: { type: 'integer', description: 'd', secret: false }, right, cells: [cell] } };
  });
  return { columns, edges } as unknown as ComparisonPage;
}

const promoted = (shownDifferences: ComparisonPage, leftRevision: number | null = null) =>
  promotionOperations([...findPromotable(shownDifferences, () => true).values()], { projectId: 'web', leftRevision });

describe('a promotion', () => {
  it('sets texts and copies secrets by name, with the expected versions', () => {
    const shownDifferences = differences({
      HOST: { action: 'set', text: 'new', valueId: 'v', ledgerId: 'l' },
      NONE: { action: 'set', text: null },
      TOKEN: { action: 'copy_secret' },
    });

    expect(promoted(shownDifferences)).toEqual([
      {
        set: {
          project: 'web',
          environment: 'p',
          createMissing: true,
          values: {
            HOST: { value: 'new', if_match: 'l' },
            NONE: { value: null, if_none_match: '*' },
            TOKEN: { from: { environment: 's' }, if_none_match: '*' },
          },
        },
      },
    ]);
  });

  it('copies a secret of the past from its revision', () => {
    const [operation] = promoted(differences({ TOKEN: { action: 'copy_secret' } }), 12);

    expect(operation?.set?.values).toMatchObject({ TOKEN: { from: { environment: 's', revision: 12 } } });
  });

  it('creates missing parameters on the right like those on the left', () => {
    const [operation] = promoted(differences({ PORT: { action: 'set', text: '80', parameterId: null } }, null));

    expect(operation?.set?.values).toEqual({
      PORT: { value: '80', type: 'integer', description: 'd', if_none_match: '*' },
    });
  });

  it('removes values first, and sets dynamic texts last', () => {
    const shownDifferences = differences({
      URL: { action: 'set', text: '{{ HOST }}', interpolated: true, valueId: 'v', ledgerId: 'l' },
      HOST: { action: 'set', text: 'a', parameterId: null },
      GONE: { action: 'unset', valueId: 'g', ledgerId: 'k' },
    });

    expect(promoted(shownDifferences)).toMatchObject([
      { operation: 'projects_parameters_values_destroy', ifMatch: 'k' },
      { set: { values: { HOST: { value: 'a', if_none_match: '*' } } } },
      { set: { values: { URL: { value: '{{ HOST }}', interpolated: true, if_match: 'l' } } } },
    ]);
  });

  it('leaves out values that cannot be promoted, with the reason, and checks permissions', () => {
    const shownDifferences = differences({
      A: { action: 'impossible', reason: 'Because.' },
      B: { action: 'set', text: 'b' },
    });

    expect([...findPromotable(shownDifferences, () => true).keys()]).toEqual(['0 B']);
    expect(findPromotable(shownDifferences, () => false).size).toBe(0);
    expect(shownDifferences.edges.map(({ node }) => node.cells.map(describePromotion))).toEqual([
      ['Because.'],
      ['sets a value'],
    ]);
  });
});
