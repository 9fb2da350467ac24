import { expect, test } from '@playwright/test';
import type { Availability } from '#contract/availability.ts';
import {
  addYearMonths,
  parseYearMonth,
  toYearMonth,
  type YearMonth,
} from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { callSite, newSiteArtist } from '#support/browser_api.ts';
import { STUDIO_ZONE } from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';
import { attributeOf, fetchPage } from '#support/html_page.ts';

/** The HTML of a scheduling page, and the props of its island. */
async function fetchSchedulingPage(path: string): Promise<{ html: string; props: string }> {
  const { status, html, document } = await fetchPage(path);
  expect(status).toBe(200);
  const props = attributeOf(document, 'astro-island', 'props');
  if (props === null) throw new Error(`No island on ${path}`);
  return { html, props };
}

test('the page contains the slots of the first month with any', { tag: '@all' }, async () => {
  const artist = await newSiteArtist();
  const { username, service } = artist;
  const days = await listDays(service.id, toYearMonth(localDateAt(STUDIO_ZONE, Date.now())));
  const first = days[0]?.date ?? '';
  const { props } = await fetchSchedulingPage(`/${username}/scheduling?service=${service.id}`);
  expect(props).toContain(`"month":[0,"${toYearMonth(first)}"]`);
  const starts = [...props.matchAll(/"start":\[0,"([^"]+Z)"\]/g)].map(([, start]) => start);
  const shown = days.filter(({ date }) => toYearMonth(date) === toYearMonth(first));
  expect(starts).toEqual(shown.flatMap(({ windows }) => windows.map(({ start }) => start)));
});

/** The open days of a month and of the one after it. */
async function listDays(serviceId: string, first: YearMonth) {
  const months = await Promise.all(
    [first, addYearMonths(first, 1)].map((month) => {
      const { year, number } = parseYearMonth(month);
      const query = `year=${year}&month=${number}`;
      return expectOk(callSite<Availability>(`GET /services/${serviceId}/availability?${query}`));
    }),
  );
  return months.flatMap(({ data }) => data);
}
