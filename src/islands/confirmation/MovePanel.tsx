import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { serverNow } from '#client/server_clock.ts';
import type { ClientMove, Confirmation } from '#contract/appointment.ts';
import type { Slot } from '#contract/availability.ts';
import type { DateConventions } from '#domain/time/date_conventions.ts';
import { formatShortDayAndTime, localDateAt } from '#domain/time/format_time.ts';
import { createTimeChoice } from '#stores/time_choice.ts';
import { BottomBar } from '../BottomBar.tsx';
import { TimeCard } from '../booking/TimeCard.tsx';
import { BusyButton } from '../forms/BusyButton.tsx';

interface MovePanelProps {
  confirmation: Confirmation;
  /** The id of the service, or of the design with a length of its own, that is booked. */
  bookedId: string;
  isDesign: boolean;
  conventions: DateConventions;
  isMoving: boolean;
  /** @returns whether it has moved */
  onMove: (body: ClientMove) => Promise<boolean>;
  onClose: () => void;
}

/** Moves an appointment: the calendar of the booking form, and a button. Loaded when the client asks for it. */
export function MovePanel(props: MovePanelProps) {
  const { confirmation, bookedId, isDesign, conventions, isMoving, onMove, onClose } = props;
  const { start, version, user } = confirmation;
  const zone = user.studio;
  const [times] = useState(() =>
    createTimeChoice({
      zone,
      conventions,
      initialMonth: null,
      bookedId: () => bookedId,
      today: localDateAt(zone, serverNow()),
      designId: isDesign ? bookedId : null,
    }),
  );
  const chosen = useStore(times.$chosenTime);
  const heading = useRef<HTMLHeadingElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => times.startLoading(), [times]);
  useEffect(() => {
    // While this code was loading, the client may have gone on to another form.
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);

  async function move(slot: Slot): Promise<void> {
    const hasMoved = await onMove({ ...slot, version });
    // The time may have been taken meanwhile.
    if (!hasMoved) times.refresh();
  }

  const format = (when: string) => formatShortDayAndTime(when, zone, conventions);
  return (
    <section id="move" aria-label="Move to another time" className="grid gap-4">
      <TimeCard times={times} zoneName={null} noticeRef={notice} headingRef={heading} />
      <BottomBar isPinned={chosen.kind === 'slot'}>
        <div className="grid gap-2">
          <p className="text-sm">
            {chosen.kind === 'slot' && start !== null
              ? `You give up ${format(start)}, which goes to others at once. ${format(chosen.start)} is yours at once. ${user.full_name} is mailed.`
              : 'Your time stays yours until you move it.'}
          </p>
          <div className="flex flex-wrap gap-3">
            {chosen.kind === 'slot' && (
              <BusyButton
                className="button button-main"
                busy={isMoving}
                onClick={() => void move({ start: chosen.start, end: chosen.end })}
              >
                {`Move to ${format(chosen.start)}`}
              </BusyButton>
            )}
            <button type="button" className="button" onClick={onClose}>
              Keep my time
            </button>
          </div>
        </div>
      </BottomBar>
    </section>
  );
}
