import { replaceEqualDeep } from '@tanstack/react-query';
import { useState } from 'react';

/** Returns the same object as long as the value is deeply equal, so that requests for it are not repeated. */
export function useStableValue<Value>(value: Value): Value {
  const [previous, setPrevious] = useState(value);
  const next = replaceEqualDeep(previous, value);
  if (next !== previous) setPrevious(next);
  return next;
}
