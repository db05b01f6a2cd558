import { describeEvents } from './event-types.ts';

describe('the description of event types', () => {
  it.each`
    types                                                     | words
    ${['value_updated']}                                      | ${'values updated'}
    ${['project_deleted', 'value_updated', 'value_created']}  | ${'values created, updated; projects deleted'}
    ${['environment_created', 'parameter_created', 'others']} | ${'parameters created; environments created'}
    ${[]}                                                     | ${''}
  `('is $words for $types', ({ types, words }) => {
    expect(describeEvents(types)).toBe(words);
  });
});
