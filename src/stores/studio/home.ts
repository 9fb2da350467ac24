// The artist's home page: the week, new requests, messages, the setup checklist, and the payments of a month.
import { persistentJSON } from '@nanostores/persistent';
import { atom, computed } from 'nanostores';
import type { CurrentArtist } from '#contract/artist.ts';
import type { ReceivedMessage } from '#contract/contact.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { PaymentList } from '#contract/payment.ts';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import type { SchedulingType } from '#domain/studio/artist.ts';
import { setupChecklist } from '#domain/studio/setup_checklist.ts';
import {
  addDays,
  addYearMonths,
  monthBounds,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/time/calendar_date.ts';
import { localDateAt } from '#domain/time/format_time.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { listAppointmentsOnDates } from './booked_appointments.ts';
import { $me, applyMe } from './me.ts';
import { $now } from './now.ts';
import { attempt, createQuery, createQueryOf } from './queries.ts';

const DAYS_AHEAD = 7;
const MAX_NEW_REQUESTS = 3;
export const MESSAGES_PER_PAGE = 50;

/** Today's date in the studio; undefined until the artist is loaded. */
export const $today = computed(
  [$me, $now],
  ({ data: me }, now) => me && localDateAt(me.studio, now),
);

/** The appointments of today and the next seven days. */
export const $weekAppointments = createQueryOf($today, ['appointments', 'week'], (today) =>
  listAppointmentsOnDates({ first: today, last: addDays(today, DAYS_AHEAD) }),
);

export const $newRequests = createQuery(['appointments', 'waiting'], () =>
  callAsArtist(endpoints.listAppointments, {
    query: { status: 'requested', limit: MAX_NEW_REQUESTS },
  }),
);

/** The number of messages on the pages before the shown one. */
export const $messagesSkip = atom(0);

/** The messages of visitors, newest first, and the count of all. */
export const $messages = createQueryOf($messagesSkip, ['messages'], (skip) =>
  callAsArtist(endpoints.listMessages, { query: { skip, limit: MESSAGES_PER_PAGE } }),
);

/** The steps of the artist's setup that `$me` does not tell. */
export const $setupProgress = createQuery(['setup-progress'], async () => {
  const [services, designs, appointments] = await Promise.all([
    callAsArtist(endpoints.listOwnServices, { query: { limit: MAX_PAGE_SIZE } }),
    callAsArtist(endpoints.listOwnDesigns, { query: { limit: MAX_PAGE_SIZE } }),
    callAsArtist(endpoints.listAppointments, { query: { limit: 1 } }),
  ]);
  return {
    hasService: services.data.some((service) => service.is_available),
    hasDesign: designs.data.some((design) => design.status === 'available'),
    hasAppointment: appointments.count > 0,
  };
});

/** The ids of artists who have opened their own public page in this browser. */
const $pagesSeen = persistentJSON<readonly string[]>('linework:pages-seen', []);

/** The setup checklist; undefined while loading. */
export const $setup = computed(
  [$me, $setupProgress, $pagesSeen],
  ({ data: me }, { data: progress }, pagesSeen) => {
    if (!me || !progress) return undefined;
    return setupChecklist({
      ...progress,
      schedulingType: me.scheduling_type,
      hasAvatar: me.avatar_url !== null,
      hasHours: [...me.schedule.weekly, ...me.schedule.exceptions].some(
        ({ windows }) => windows.length > 0,
      ),
      // An artist with an appointment has surely seen the page, perhaps in another browser.
      hasSeenPage: progress.hasAppointment || pagesSeen.includes(me.id),
    });
  },
);

/** Remembers in this browser that the artist has opened their own public page. */
export function markPageSeen({ id }: CurrentArtist): void {
  if (!$pagesSeen.get().includes(id)) $pagesSeen.set([...$pagesSeen.get(), id]);
}

/** Sets how clients book; a toast shows an error. @returns whether the change was saved */
export function setSchedulingType(scheduling_type: SchedulingType): Promise<boolean> {
  return attempt('Not changed.', [], async () =>
    applyMe(await callAsArtist(endpoints.changeMe, { body: { scheduling_type } })),
  );
}

/** Marks the messages that the artist sees as read. A failure has no effect for the artist. */
export async function markRead(messages: readonly ReceivedMessage[]): Promise<void> {
  const ids = messages.filter(({ read_at }) => read_at === null).map(({ id }) => id);
  if (ids.length === 0) return;
  // The next time that they are shown, they are marked again.
  await callAsArtist(endpoints.markMessagesRead, { body: { ids } }).catch(() => {});
}

/** Deletes a message. Shows success or the error. */
export function removeMessage({ id, name }: ReceivedMessage): Promise<boolean> {
  return attempt('Not deleted.', ['messages'], async () => {
    await callAsArtist(endpoints.deleteMessage, { path: { message_id: id } });
    showSuccessToast('Message deleted.', `What ${name} wrote is gone.`);
  });
}

/** The month that the artist has chosen; null: this month. */
export const $chosenMonth = atom<YearMonth | null>(null);

/** Whether the artist has asked to see received payments. */
const $isAskedFor = atom(false);

const $thisMonth = computed($today, (today) => today && toYearMonth(today));

/** The shown month; undefined until the artist is loaded. */
export const $receivedMonth = computed([$chosenMonth, $thisMonth], (chosen, now) => chosen ?? now);

export function showThisMonth(): void {
  $isAskedFor.set(true);
}

/** Shows the month that is `count` months after the shown one; negative: before it. */
export function turnMonth(count: number): void {
  const month = $receivedMonth.get();
  if (month !== undefined) $chosenMonth.set(addYearMonths(month, count));
}

/** The payments of this and the last month. Without any, the home page shows no payments unless it is asked to. */
const $recentPayments = createQueryOf($thisMonth, ['payments', 'recent'], (month) =>
  fetchPayments(addYearMonths(month, -1), month),
);

export const $showsPayments = computed(
  [$recentPayments, $isAskedFor],
  ({ data }, isAskedFor) => isAskedFor || (data?.count ?? 0) > 0,
);

export const $monthPayments = createQueryOf(
  computed([$showsPayments, $receivedMonth], (isShown, month) => (isShown ? month : null)),
  ['payments', 'month'],
  (month) => fetchPayments(month, month),
);

/** Loads the payments of the months `from` to `to`, both included. */
function fetchPayments(from: YearMonth, to: YearMonth): Promise<PaymentList> {
  const bounds = (month: YearMonth) => {
    const { year, number } = parseYearMonth(month);
    return monthBounds(year, number);
  };
  const query = { first: bounds(from).first, last: bounds(to).last };
  return callAsArtist(endpoints.listPayments, { query });
}
