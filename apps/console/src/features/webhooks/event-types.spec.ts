import { describeEvents } from './event-types.ts';

describe('events in words', () => {
  it.each`
    types                                                     | words
    ${['value_updated']}                                      | ${'values updated'}
    ${['project_deleted', 'value_updated', 'value_created']}  | ${'values created, updated; projects deleted'}
    ${['environment_created', 'parameter_created', 'others']} | ${'parameters created; environments created'}
    ${[]}                                                     | ${''}
  `('are $words for $types', ({ types, words }) => {
    expect(describeEvents(types)).toBe(words);
  });
});
