import type { Page } from '@playwright/test';
import { expect, test } from '#support/browser.ts';
import { FILLED_FORM, findOpenDay } from '#support/browser_api.ts';
import {
  button,
  fillFields,
  formatDayHeading,
  pickSlot,
  selectedTimeText,
  waitForConfirmation,
  waitForHydration,
} from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { openAs } from '#support/browser_login.ts';

/**
 * From its next visit, the page is changed as a browser's translation changes it: every text moves
 * into two `<font>` elements as soon as it appears, and the page's own text nodes are gone.
 * @returns stops it for later visits
 */
async function translatePages(page: Page): Promise<() => Promise<void>> {
  const script = await page.addInitScript(() => {
    const UNTRANSLATED = 'head, script, style, noscript, textarea, [translate="no"]';

    function wrap(text: Text): void {
      const parent = text.parentElement;
      if (!parent || parent.localName === 'font' || parent.closest(UNTRANSLATED)) return;
      // TypeScript calls the element `font` outdated.
      const name: string = 'font';
      const [outer, inner] = [document.createElement(name), document.createElement(name)];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }

    function wrapAll(root: Node): void {
      if (root instanceof Text) wrap(root);
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node instanceof Text) texts.push(node);
      for (const text of texts) wrap(text);
    }

    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target instanceof Text) wrap(target);
        for (const node of addedNodes) wrapAll(node);
      }
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  return () => script.dispose();
}

let stopTranslation: () => Promise<void>;
test.beforeEach(async ({ page }) => {
  stopTranslation = await translatePages(page);
});
test.afterEach(async ({ page }) => {
  // Otherwise nothing was tested.
  await expect(page.locator('font')).not.toHaveCount(0);
  await stopTranslation();
});

const text = (page: Page, words: string) => page.getByText(words, { exact: true });

/** Holds back the response to the next call of this path until the returned function is called. */
async function holdResponse(page: Page, path: RegExp): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(
    path,
    async (route) => {
      await released.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return released.resolve;
}

test('a client books a service on a page that the browser translates', async ({ page, artist }) => {
  const { day, other, third } = await findOpenDay(artist);
  await page.goto(`/${artist.username}/scheduling`);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Select Small flash' }).click();
  await expect(page.getByRole('heading', { name: 'Small flash' })).toBeVisible();

  await test.step('the month changes with Next and Previous', async () => {
    const caption = page.locator('.calendar-caption');
    // The calendar goes on from a month that is full, until one has a free time.
    await expect(page.getByText(/days? with available times in /)).toBeAttached();
    const first = (await caption.textContent()) ?? '';
    await button(page, 'Next').click();
    await expect(caption).not.toHaveText(first);
    const next = (await caption.textContent()) ?? '';
    await expect(page.getByText(`with available times in ${next}.`)).toBeAttached();
    await button(page, 'Previous').click();
    await expect(caption).toHaveText(first);
    await expect(page.getByText(`with available times in ${first}.`)).toBeAttached();
  });

  await pickSlot(page, day, other);
  await pickSlot(page, day, third);
  await expect(page.getByText('Selected Time:')).toHaveText(selectedTimeText(third));
  await fillFields(page, { ...FILLED_FORM, email: 'nowhere' });
  await button(page, 'Save').click();
  await expect(text(page, 'Invalid email address')).toBeVisible();
  await fillFields(page, FILLED_FORM);
  const release = await holdResponse(page, /request\/service/);
  await button(page, 'Save').click();
  await expect(page.getByRole('button', { name: 'Saving…' })).toHaveText('Saving…');
  release();

  await waitForConfirmation(page, artist.username);
  await expect(page.getByRole('heading', { name: 'Confirm your appointment.' })).toBeVisible();
  await expect(page.getByText(formatDayHeading(day.date))).toBeVisible();
  await button(page, 'Confirm Appointment').click();
  await expect(page.getByRole('heading', { name: "You're booked!" })).toBeFocused();
  await expect(successToast(page, 'Appointment created successfully.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Google' })).toBeVisible();
  await expect(button(page, 'Confirm Appointment')).toHaveCount(0);
});

test('an artist saves the profile and the hours, and turns the calendar, on pages that the browser translates', async ({
  page,
  artist,
}) => {
  await openAs(page, artist, '/studio/profile');
  const form = page.locator('form').filter({ has: page.getByLabel('Full name') });
  const save = form.locator('button[type=submit]');
  await expect(save).toHaveText('Save about you');
  await page.getByLabel('Full name').fill('Ines the First');
  await button(page, 'Discard changes: Save about you').click();
  await expect(page.getByLabel('Full name')).toHaveValue('Ines Kowal');
  for (const name of ['Ines K. Kowal', 'Ines Maria Kowal']) {
    await page.getByLabel('Full name').fill(name);
    const release = await holdResponse(page, /users\/me$/);
    await save.click();
    await expect(save).toHaveText('Saving…');
    await expect(form.getByRole('button', { name: /Discard/ })).toHaveCount(0);
    release();
    await expect(save).toHaveText('Save about you');
    await expect(save).toBeDisabled();
  }
  await page.reload();
  await expect(page.getByLabel('Full name')).toHaveValue('Ines Maria Kowal');

  await test.step('the opening hours', async () => {
    await page.goto('/studio/hours');
    const until = page.getByLabel('Wednesday, until');
    const count = page.getByText(/in the next two weeks\./);
    const counts: string[] = [];
    for (const time of ['12:00', '13:00']) {
      await until.fill(time);
      await expect(count).toHaveText(/^\d+ times/);
      counts.push((await count.textContent()) ?? '');
      const release = await holdResponse(page, /users\/me\/schedule/);
      await button(page, 'Save').click();
      await expect(page.getByRole('button', { name: 'Saving…' })).toHaveText('Saving…');
      release();
      await expect(button(page, 'Saving…')).toHaveCount(0);
      await expect(count).toHaveCount(0);
    }
    expect(counts[0]).not.toBe(counts[1]);
    await page.reload();
    await expect(until).toHaveValue('13:00');
  });

  await test.step('the calendar', async () => {
    await page.goto('/studio/calendar');
    const title = page.getByRole('heading', { level: 2 }).first();
    await expect(title).toBeVisible();
    const first = await title.textContent();
    for (const name of ['Next', 'Next', 'Previous', 'Previous'])
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect(title).toHaveText(first ?? '');
    await page.getByRole('button', { name: 'Month', exact: true }).click();
    await page.getByRole('button', { name: 'List', exact: true }).click();
  });
});
