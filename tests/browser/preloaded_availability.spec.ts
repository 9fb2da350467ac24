import { expect, test } from '@playwright/test';
import type { Availability } from '#contract/availability.ts';
import { parseYearMonth, toYearMonth } from '#domain/calendar_date.ts';
import { localDateAt } from '#domain/format_time.ts';
import { callSite, loadDemoArtist, newSiteArtist } from '#support/browser_api.ts';
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

test('the page contains the slots of the first month', async () => {
  const { username, service } = await newSiteArtist();
  const month = toYearMonth(localDateAt(STUDIO_ZONE, Date.now()));
  const { year, number } = parseYearMonth(month);
  const { data } = await expectOk(
    callSite<Availability>(`GET /services/${service.id}/availability?year=${year}&month=${number}`),
  );
  const { props } = await fetchSchedulingPage(`/${username}/scheduling?service=${service.id}`);
  expect(props).toContain(`"month":[0,"${month}"]`);
  const starts = [...props.matchAll(/"start":\[0,"([^"]+Z)"\]/g)].map(([, start]) => start);
  expect(starts).toEqual(data.flatMap(({ windows }) => windows.map(({ start }) => start)));
});

test('the page contains no slots of a service that is unknown or of another artist', async () => {
  const [artist, other] = await Promise.all([newSiteArtist(), newSiteArtist()]);
  for (const id of [other.service.id, 'nonsense']) {
    const { html, props } = await fetchSchedulingPage(
      `/${artist.username}/scheduling?service=${id}`,
    );
    expect(html).toContain('Select Appointment');
    expect(props).toContain('"serviceId":[0,null]');
    expect(props).not.toContain('windows');
  }
});

test('the page ignores a design of another artist', async () => {
  const managedArtist = await newSiteArtist({ scheduling_type: 'managed' });
  const [design] = (await loadDemoArtist('bo')).designs;
  if (!design) throw new Error('bo has no designs');
  const query = `scheduling?design=${design.id}`;
  const available = await fetchSchedulingPage(`/bo/${query}`);
  expect(available.html).toContain('<aside aria-label="Design"');
  expect(available.props).toContain(`"designId":[0,"${design.id}"]`);
  const unavailable = await fetchSchedulingPage(`/${managedArtist.username}/${query}`);
  expect(unavailable.html).not.toContain('<aside aria-label="Design"');
  expect(unavailable.props).toContain('"designId":[0,null]');
});
