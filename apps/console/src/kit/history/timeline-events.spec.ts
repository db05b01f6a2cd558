import { groupTimeline, type TimelineLine } from './timeline-events.ts';

const [EARLY, LATE] = ['2026-11-22T10:00:00.000001Z', '2026-11-22T11:00:00.000001Z'];
const line = (modifiedAt: string, more: Partial<TimelineLine>): TimelineLine => ({
  historyType: 'create',
  historyModel: 'Value',
  modifiedAt,
  modifiedBy: 'Ada',
  historyEnvironments: [],
  historyVersions: null,
  ...more,
});
const set = (...names: string[]) => names.map((name, at) => ({ name, override: at === 0 }));

const [EIGHTY, OTHER] = [
  { text: '80', secret: false },
  { text: '443', secret: false },
];
const UNTOLD = { before: null, after: null, isKnown: false };

describe('the timeline of a parameter', () => {
  it('groups the changes of one changeset', () => {
    const events = groupTimeline([
      line(LATE, {
        historyType: 'update',
        historyEnvironments: set('production', 'canary'),
        historyVersions: { revision: 7, before: EIGHTY, after: OTHER },
      }),
      line(EARLY, { historyEnvironments: set('production') }),
      line(EARLY, { historyEnvironments: set('default', 'staging') }),
      line(EARLY, { historyModel: 'Parameter' }),
      line(EARLY, { historyModel: 'ParameterRule' }),
      line(EARLY, { historyModel: 'ParameterRule' }),
    ]);

    expect(events).toEqual([
      {
        at: LATE,
        by: 'Ada',
        revision: 7,
        toParameter: [],
        toValues: [
          {
            environment: 'production',
            isGone: false,
            before: EIGHTY,
            after: OTHER,
            isKnown: true,
            followers: ['canary'],
          },
        ],
      },
      {
        at: EARLY,
        by: 'Ada',
        revision: null,
        toParameter: ['created the parameter', 'created a rule'],
        toValues: [
          { environment: 'production', isGone: false, ...UNTOLD, followers: [] },
          { environment: 'default', isGone: false, ...UNTOLD, followers: ['staging'] },
        ],
      },
    ]);
  });

  it('shows deleted values', () => {
    const [event] = groupTimeline([line(LATE, { historyType: 'delete', historyEnvironments: set('canary') })]);

    expect(event?.toValues).toEqual([{ environment: 'canary', isGone: true, ...UNTOLD, followers: [] }]);
  });

  it('leaves out values without an environment', () => {
    expect(groupTimeline([line(LATE, {})])).toMatchObject([{ toValues: [], toParameter: [] }]);
  });
});
