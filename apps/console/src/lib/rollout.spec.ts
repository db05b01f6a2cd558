import { rolloutText } from './rollout.ts';

it.each`
  total | current | rejected | text
  ${14} | ${12}   | ${0}     | ${'12 of 14 instances run revision 218'}
  ${14} | ${14}   | ${0}     | ${'All 14 instances run revision 218'}
  ${14} | ${12}   | ${1}     | ${'12 of 14 instances run revision 218, 1 rejected it'}
  ${1}  | ${1}    | ${0}     | ${'1 instance runs revision 218'}
  ${1}  | ${0}    | ${0}     | ${'0 of 1 instance runs revision 218'}
`('$current of $total instances, $rejected rejected: $text', ({ total, current, rejected, text }) => {
  expect(rolloutText({ revision: 218, total, current, rejected })).toBe(text);
});
