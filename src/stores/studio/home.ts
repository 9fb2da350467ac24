import { persistentAtom } from '@nanostores/persistent';
import { atom, computed } from 'nanostores';
import { listAppointments, listAppointmentsInRange } from '#client/appointments.ts';
import { changeMe } from '#client/artists.ts';
import { listOwnDesigns } from '#client/designs.ts';
import { deleteMessage, listMessages } from '#client/messages.ts';
import { listOwnServices } from '#client/services.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import type { SchedulingType } from '#domain/artist.ts';
import { type SetupState, setupChecklist } from '#domain/setup_checklist.ts';
import {
  addDays,
  type LocalDate,
  localDateAt,
  MINUTE_MS,
  resolveWallTime,
  toRfc3339,
} from '#domain/time.ts';
import { errorText } from '../error_text.ts';
import { artistApi } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { $me, applyMe } from './me.ts';
import { $now } from './now.ts';
import { createQuery, revalidate } from './queries.ts';

/** Today and so many days after it. */
const DAYS_AHEAD = 7;
/** As many requests as fit on the way past. */
const MAX_NEW_REQUESTS = 3;
/** Messages on one page. */
export const MESSAGES_PER_PAGE = 50;

/** Today in the studio. */
export const $today = computed([$me, $now], ({ data }, now) =>
  data ? localDateAt(data.studio.time_zone, now) : undefined,
);
const $weekStart = computed([$me, $today], (me, today) => toMidnight(me.data, today, 0));
const $weekEnd = computed([$me, $today], (me, today) => toMidnight(me.data, today, DAYS_AHEAD + 1));

/** What is on the calendar from today's midnight on. */
export const $weekAppointments = createQuery<ListPage<Appointment>>(
  ['appointments', 'week', $weekStart, $weekEnd],
  {
    fetcher: (...[, , start, end]) =>
      listAppointmentsInRange(artistApi(), {
        start: String(start),
        // The API means the last minute inside.
        end: toRfc3339(Date.parse(String(end)) - MINUTE_MS),
      }),
  },
);

/** The newest requests, and how many wait. */
export const $newRequests = createQuery<ListPage<Appointment>>(['appointments', 'waiting'], {
  fetcher: () => listAppointments(artistApi(), { status: 'requested', limit: MAX_NEW_REQUESTS }),
});

export const $messagesSkip = atom(0);

/** What visitors wrote, newest first, and how many messages there are. */
export const $messages = createQuery<ListPage<ReceivedMessage>>(['messages', $messagesSkip], {
  fetcher: () => listMessages(artistApi(), { skip: $messagesSkip.get(), limit: MESSAGES_PER_PAGE }),
});

/** What the studio has to offer; how the artist is set up otherwise is known from `$me`. */
type SetupProgress = Pick<SetupState, 'hasService' | 'hasDesign'> & { hasAppointment: boolean };

export const $setupProgress = createQuery<SetupProgress>(['offer'], {
  fetcher: async () => {
    const [services, designs, appointments] = await Promise.all([
      listOwnServices(artistApi(), { limit: 200 }),
      listOwnDesigns(artistApi(), { limit: 200 }),
      listAppointments(artistApi(), { limit: 1 }),
    ]);
    return {
      hasService: services.data.some((service) => service.is_available),
      hasDesign: designs.data.some((design) => design.status === 'available'),
      hasAppointment: appointments.count > 0,
    };
  },
});

/** The artists who have looked at their own page with this browser. */
const $pagesSeen = persistentAtom<readonly string[]>('linework:pages-seen', [], {
  encode: JSON.stringify,
  decode: parseIds,
});

/** The checklist; undefined until all that it tells is known. */
export const $setup = computed(
  [$me, $setupProgress, $pagesSeen],
  ({ data: me }, { data: offer }, seen) => {
    if (!me || !offer) return undefined;
    return setupChecklist({
      ...offer,
      schedulingType: me.scheduling_type,
      hasAvatar: me.avatar_url !== null,
      hasHours: [...me.schedule.weekly, ...me.schedule.exceptions].some(
        ({ windows }) => windows.length > 0,
      ),
      // Who has been booked has a page that works, whichever browser this is.
      hasSeenPage: offer.hasAppointment || seen.includes(me.id),
    });
  },
);

export function markPageSeen({ id }: CurrentArtist): void {
  if (!$pagesSeen.get().includes(id)) $pagesSeen.set([...$pagesSeen.get(), id]);
}

/** How clients book from now on. */
export async function setSchedulingType(scheduling_type: SchedulingType): Promise<boolean> {
  try {
    applyMe(await changeMe(artistApi(), { scheduling_type }));
    return true;
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
    return false;
  }
}

export async function removeMessage({ id, name }: ReceivedMessage): Promise<void> {
  try {
    await deleteMessage(artistApi(), id);
    showSuccessToast('Message deleted.', `What ${name} wrote is gone.`);
  } catch (error) {
    showErrorToast('Something went wrong.', errorText(error));
  }
  revalidate('messages');
}

function toMidnight(me: CurrentArtist | undefined, today: LocalDate | undefined, days: number) {
  if (!me || !today) return undefined;
  return toRfc3339(resolveWallTime(me.studio.time_zone, addDays(today, days), 0).instant);
}

function parseIds(kept: string): readonly string[] {
  try {
    const ids: unknown = JSON.parse(kept);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
