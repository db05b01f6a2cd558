import { preferredType } from './preferred-type.ts';

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/plain', 'text/plain'],
  ['Text/Plain; charset=UTF-8', 'text/plain'],
  ['text/*', 'text/plain'],
  ['text/plain;q=0.1, application/json', 'application/json'],
  ['text/plain;q=0.5, application/*;q=0.4', 'text/plain'],
  ['application/json;q=0.5, text/plain;q=0.9', 'text/plain'],
  ['application/json, text/plain', 'application/json'],
  ['text/plain, application/json', 'text/plain'],
  ['application/json, text/plain, */*', 'application/json'],
  ['text/plain;q=0, */*', 'application/json'],
  ['application/json;q=0, */*;q=0.1', 'text/plain'],
  ['image/png', 'application/json'],
  ['text/plain;q=x', 'application/json'],
])('Accept: %p prefers %s among JSON and text', (accept, expected) => {
  expect(preferredType(accept, ['application/json', 'text/plain'])).toBe(expected);
});
