import { useEffect, useState } from 'react';

/** A value once it has not changed for some time; `isSame` compares it with the one before. */
export function useSettled<Value>(value: Value, forMs: number, key: string): Value | null {
  const [settled, setSettled] = useState<{ readonly key: string; readonly value: Value } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ key, value }), forMs);
    return () => clearTimeout(timer);
  }, [key, forMs]);
  return settled?.key === key ? settled.value : null;
}
