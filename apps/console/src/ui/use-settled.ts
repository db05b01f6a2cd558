import { useEffect, useEffectEvent, useState } from 'react';

/** Returns a value after its key has not changed for some time; null before. */
export function useSettled<Value>(value: Value, forMs: number, key: string): Value | null {
  const [settledValue, setSettledValue] = useState<{ readonly key: string; readonly value: Value } | null>(null);
  const settle = useEffectEvent((settledKey: string) => setSettledValue({ key: settledKey, value }));
  useEffect(() => {
    const timer = setTimeout(() => settle(key), forMs);
    return () => clearTimeout(timer);
  }, [key, forMs]);
  return settledValue?.key === key ? settledValue.value : null;
}
