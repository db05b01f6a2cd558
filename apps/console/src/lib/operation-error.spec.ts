import { describeEntry, operationMember } from './operation-error.ts';

test.each`
  pointer                               | operation
  ${'/operations/2/set/values/A~1B'}    | ${{ index: 2, member: 'A/B', isField: false }}
  ${'/operations/0/body/name'}          | ${{ index: 0, member: 'name', isField: true }}
  ${'/operations/0/body/rules/1/value'} | ${{ index: 0, member: 'rules', isField: true }}
  ${'/operations/0/body'}               | ${{ index: 0, member: '', isField: false }}
  ${'/operations/1/set/environment'}    | ${{ index: 1, member: '', isField: false }}
  ${'/operations/1'}                    | ${{ index: 1, member: '', isField: false }}
  ${'/message'}                         | ${null}
  ${''}                                 | ${null}
`('an error at "$pointer" is about $operation', ({ pointer, operation }) => {
  expect(operationMember({ pointer })).toEqual(operation);
});

test.each`
  pointer                           | sentence
  ${'/operations/0/body/parent_id'} | ${'Parent id: This field may not be null.'}
  ${'/operations/0/set/values/A'}   | ${'This field may not be null.'}
  ${'/operations/0'}                | ${'This field may not be null.'}
`('a sentence at $pointer reads "$sentence"', ({ pointer, sentence }) => {
  expect(describeEntry({ pointer, detail: 'This field may not be null.' })).toBe(sentence);
});
