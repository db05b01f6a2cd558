import { useMatches, useNavigate } from '@tanstack/react-router';
import { PointInTimeChoice } from '../../kit/point-in-time/point-in-time-choice.tsx';
import { type DisplayedPointInTime, formatPointInTime } from '../../lib/point-in-time.ts';

/** Shows the past from any page: on the same page if it supports time travel, otherwise on the projects page. */
export function TimeTravel({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const hasPast = useMatches({ select: (matches) => matches.at(-1)?.staticData.title === undefined });
  const goTo = (pointInTime: DisplayedPointInTime) => {
    const at = formatPointInTime(pointInTime);
    if (hasPast) void navigate({ to: '.', search: (previousSearch: object) => ({ ...previousSearch, at }) });
    else void navigate({ to: '/projects', search: { at } });
  };
  return <PointInTimeChoice onChoose={goTo} onClose={onClose} />;
}
