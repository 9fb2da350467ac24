import { expect, test } from '#support/browser.ts';
import { bookSiteSlot, callSite, findOpenDay } from '#support/browser_api.ts';
import { button, waitForHydration } from '#support/browser_booking.ts';
import { findLinkPath, waitForMail } from '#support/browser_inbox.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const CONFIRMATION = /^\/confirmation\//;

async function statusOf({ token }: TestArtist, id: string): Promise<string> {
  return (await expectOk(callSite<{ status: string }>(`GET /appointments/${id}`, { token })))
    .status;
}

test('a client confirms from the mail: its link survives a new username, and only the button confirms', async ({
  page,
  request,
  artist,
}) => {
  const { token } = artist;
  await expectOk(callSite('PATCH /users/me', { token, json: { confirm_by_mail: true } }));
  const { slot } = await findOpenDay(artist);
  const email = `rosa-${crypto.randomUUID()}@example.com`;
  const { id } = await expectOk(bookSiteSlot(artist, slot, { email }));
  const mail = await waitForMail(email, /^Please confirm/);

  await test.step('GET and HEAD on the links, as mail scanners send, change nothing', async () => {
    const links = new Set(`${mail.text} ${mail.html}`.match(/https?:\/\/[^\s"'<>)]+/g));
    expect(links.size).toBeGreaterThan(0);
    for (const link of links) {
      const { pathname, search } = new URL(link);
      expect((await request.get(pathname + search)).ok()).toBe(true);
      expect((await request.head(pathname + search)).ok()).toBe(true);
    }
    expect(await statusOf(artist, id)).toBe('held');
  });

  await test.step('the link still works after the artist has changed their username', async () => {
    const username = `new-${crypto.randomUUID().slice(0, 13)}`;
    await expectOk(callSite('PATCH /users/me', { token, json: { username } }));
    await page.goto(findLinkPath(mail, CONFIRMATION));
    await expect(page).toHaveURL(
      new RegExp(`/${username}/confirmation/${id}/?\\?mail_token=[\\w-]+$`),
    );
  });

  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  expect(await statusOf(artist, id)).toBe('held');
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeVisible();
  expect(await statusOf(artist, id)).toBe('confirmed');
});
