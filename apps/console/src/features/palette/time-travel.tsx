import { useMatches, useNavigate } from '@tanstack/react-router';
import { MomentChoice } from '../../kit/moment/moment-choice.tsx';
import { momentText, type ShownMoment } from '../../lib/moment.ts';

/** Shows the past from any page: on the same page if it supports time travel, otherwise on the projects page. */
export function TimeTravel({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const hasPast = useMatches({ select: (matches) => matches.at(-1)?.staticData.title === undefined });
  const goTo = (moment: ShownMoment) => {
    const at = momentText(moment);
    if (hasPast) void navigate({ to: '.', search: (old: object) => ({ ...old, at }) });
    else void navigate({ to: '/projects', search: { at } });
  };
  return <MomentChoice onChoose={goTo} onClose={onClose} />;
}
