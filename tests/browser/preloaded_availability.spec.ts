import { expect, test } from '@playwright/test';
import type { Availability } from '#contract/availability.ts';
import { localDateIn, parseYearMonth, toYearMonth } from '#domain/format_time.ts';
import { callSite, loadDemoArtist, newSiteArtist } from '#support/browser_api.ts';
import { STUDIO_ZONE } from '#support/browser_booking.ts';
import { expectOk } from '#support/call_api.ts';
import { attributeOf, fetchPage } from '#support/html_page.ts';

/** A scheduling page before any script: its HTML, and what it gives to its island. */
async function readScheduling(address: string): Promise<{ html: string; props: string }> {
  const { status, html, document } = await fetchPage(address);
  expect(status).toBe(200);
  const props = attributeOf(document, 'astro-island', 'props');
  if (props === null) throw new Error(`No island on ${address}`);
  return { html, props };
}

test('the times of the first month come with the page', async () => {
  const { username, service } = await newSiteArtist();
  const month = toYearMonth(localDateIn(STUDIO_ZONE, Date.now()));
  const { year, number } = parseYearMonth(month);
  const { data } = await expectOk(
    callSite<Availability>(`GET /services/${service.id}/availability?year=${year}&month=${number}`),
  );
  const { props } = await readScheduling(`/${username}/scheduling?service=${service.id}`);
  expect(props).toContain(`"month":[0,"${month}"]`);
  const starts = [...props.matchAll(/"start":\[0,"([^"]+Z)"\]/g)].map(([, start]) => start);
  expect(starts).toEqual(data.flatMap(({ windows }) => windows.map(({ start }) => start)));
});

test('of a service that clients cannot book no times come with the page', async () => {
  const [artist, other] = await Promise.all([newSiteArtist(), newSiteArtist()]);
  for (const id of [other.service.id, 'nonsense']) {
    const { html, props } = await readScheduling(`/${artist.username}/scheduling?service=${id}`);
    expect(html).toContain('Select Appointment');
    expect(props).toContain('"serviceId":[0,null]');
    expect(props).not.toContain('windows');
  }
});

test('a design that is gone from the wall is not asked for', async () => {
  const managedArtist = await newSiteArtist({ scheduling_type: 'managed' });
  const [design] = (await loadDemoArtist('bo')).designs;
  if (!design) throw new Error('bo has no designs');
  const query = `scheduling?design=${design.id}`;
  const there = await readScheduling(`/bo/${query}`);
  expect(there.html).toContain('<aside aria-label="Design"');
  expect(there.props).toContain(`"designId":[0,"${design.id}"]`);
  const gone = await readScheduling(`/${managedArtist.username}/${query}`);
  expect(gone.html).not.toContain('<aside aria-label="Design"');
  expect(gone.props).toContain('"designId":[0,null]');
});
