import { expect, test } from '#support/browser.ts';
import {
  ask,
  dayAhead,
  detail,
  enter,
  listOf,
  newYork,
  openFromList,
  pickTime,
  timeFrom,
} from '#support/browser_appointments.ts';
import { button, scriptsDone } from '#support/browser_booking.ts';
import { tabAndPress, tabAndType, tabTo } from '#support/browser_keyboard.ts';
import { expectFits } from '#support/browser_layout.ts';
import { logInAgain, logInAs } from '#support/browser_login.ts';
import { appointmentsOf, askFor, change, confirm, FILLED_FORM } from '#support/browser_studio.ts';

const PAGE = '/studio/appointments';
const OTTO = { first_name: 'Otto', last_name: 'Brandt', email: 'otto@example.com' };

test('a request is answered on a phone, the client confirms, and the artist sees it', async ({
  page,
  managedArtist,
  watch,
}) => {
  const { username, token } = managedArtist;
  const date = dayAhead(20);
  await enter(token, timeFrom(newYork(date, 10), 60), OTTO);
  const { id } = (await askFor(username)).body;

  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(button(page, 'Requests (1)')).toHaveAttribute('aria-pressed', 'true');
  await openFromList(page, 'Rosa Quint');
  const open = detail(page);
  await expect(open.getByText('A swallow, mid-flight.')).toBeVisible();
  await expect(open.getByText('Medium (4 to 8 inches)')).toBeVisible();
  await expect(open.getByRole('link', { name: 'rosa@example.com' })).toHaveAttribute(
    'href',
    'mailto:rosa@example.com',
  );
  await expect(open.getByRole('link', { name: '+12125550100' })).toHaveAttribute(
    'href',
    'tel:+12125550100',
  );

  const dialog = await ask(page, 'Offer a time', 'Offer Rosa a time');
  await pickTime(dialog, { date, time: '10:30', minutes: '120' });
  await expect(dialog.getByText('10:00 AM - 11:00 AM Otto Brandt')).toBeVisible();
  await expect(dialog.getByText(/^Overlaps Otto Brandt/)).toBeVisible();
  await pickTime(dialog, { time: '09:00', minutes: '60' });
  await expect(dialog.getByText(/^Outside your opening hours/)).toBeVisible();

  // Picked all the same, an overlap is refused and nothing is lost.
  watch.expectTrouble(/PATCH .*: 409/);
  await pickTime(dialog, { time: '10:30' });
  await button(page, 'Make the offer').click();
  await expect(dialog.getByText(/^Another appointment is in the way/)).toBeVisible();
  await expect(dialog.getByLabel('Start')).toHaveValue('10:30');

  await pickTime(dialog, { time: '11:00' });
  await dialog.getByRole('button', { name: '2 h' }).click();
  await expect(dialog.getByText('This time is free.')).toBeVisible();
  await button(page, 'Make the offer').click();
  await expect(dialog).toHaveCount(0);
  await expect(open.getByText('Offered, not confirmed yet')).toBeVisible();
  await expect(open.getByText('11:00 AM - 1:00 PM')).toBeVisible();

  const client = await page.context().newPage();
  await client.goto(`/${username}/confirmation/${id}/`);
  await scriptsDone(client);
  await button(client, 'Confirm Appointment').click();
  await expect(client.getByRole('heading', { name: "You're booked!" })).toBeVisible();

  await page.reload();
  await expect(open.getByText('Confirmed', { exact: true })).toBeVisible();
  await button(page, 'Back to the list').click();
  await button(page, 'Upcoming').click();
  await expect(page.getByRole('link', { name: /Rosa Quint.*11:00 AM - 1:00 PM/ })).toBeVisible();
});

test('who is declined with a note reads it on their page', async ({ page, managedArtist }) => {
  const { username, token } = managedArtist;
  const { id } = (await askFor(username)).body;
  await logInAs(page, managedArtist);
  await page.goto(`${PAGE}?id=${id}`);
  const dialog = await ask(page, 'Decline', 'Decline this request?');
  await dialog.getByLabel(/^A note to Rosa/).fill('I am away in June.\nAsk me again in July!');
  await button(page, 'Decline request').click();
  await expect(dialog).toHaveCount(0);
  await expect(detail(page).getByText('Declined', { exact: true })).toBeVisible();
  await expect(detail(page).getByText('I am away in June.')).toBeVisible();
  expect(await appointmentsOf(token)).toMatchObject([{ id, status: 'declined' }]);

  await page.goto(`/${username}/confirmation/${id}/`);
  const note = page.getByRole('figure').filter({ hasText: 'A note from Ines Kowal' });
  await expect(note.getByText('I am away in June. Ask me again in July!')).toBeVisible();
});

test('a search finds parts of names and emails, and stays through a reload and Back', async ({
  page,
  managedArtist,
}) => {
  const { username } = managedArtist;
  await askFor(username);
  await askFor(username, { first_name: 'Otto', last_name: 'Brandt', email: 'otto@example.com' });
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  const list = listOf(page).getByRole('listitem');
  await expect(list).toHaveCount(2);

  const search = page.getByRole('searchbox', { name: 'Search by client name or email' });
  await search.fill('TTO@exa');
  await expect(list).toHaveCount(1);
  await expect(list).toContainText('Otto Brandt');
  await page.waitForURL(/search=TTO/);
  await page.reload();
  await expect(search).toHaveValue('TTO@exa');
  await expect(list).toHaveCount(1);

  await openFromList(page, 'Otto Brandt');
  await page.goBack();
  await expect(search).toHaveValue('TTO@exa');
  await expect(list).toHaveCount(1);

  await search.fill('nobody at all');
  await expect(page.getByText('Nobody found')).toBeVisible();
});

test('each list holds what its name says', async ({ page, managedArtist }) => {
  const { username, token } = managedArtist;
  const ask = async (first_name: string, days: number | null) => {
    const email = `${first_name.toLowerCase()}@example.com`;
    const { id } = (await askFor(username, { first_name, last_name: '', email })).body;
    if (days !== null) await change(token, id, timeFrom(newYork(dayAhead(days), 10), 60));
    return id;
  };
  await ask('Requested', null);
  await ask('Offered', 21);
  await confirm(await ask('Confirmed', 22));
  await change(token, await ask('Declined', null), { status: 'declined' });
  await enter(token, timeFrom(newYork(dayAhead(-3), 10), 60), { first_name: 'Gone' });

  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  const names = listOf(page).getByRole('link');
  for (const [filter, expected] of [
    ['Requests (1)', ['Requested']],
    ['Waiting for the client', ['Offered']],
    ['Upcoming', ['Confirmed']],
    ['Past', ['Gone']],
    ['All', ['Gone', 'Declined', 'Confirmed', 'Offered', 'Requested']],
  ] as const) {
    await button(page, filter).click();
    await expect(names).toContainText(expected);
    await expect(names).toHaveCount(expected.length);
  }
});

test('one entered by hand waits for a free time and keeps what was typed', async ({
  page,
  artist,
  watch,
}) => {
  const date = dayAhead(23);
  await enter(artist.token, timeFrom(newYork(date, 10), 60), OTTO);
  await logInAs(page, artist);
  await page.goto(PAGE);
  const dialog = await ask(page, 'Enter an appointment', 'Enter an appointment');
  await dialog.getByLabel('First name').fill('Mei');
  await dialog.getByLabel('Email').fill('mei@');
  await pickTime(dialog, { date, time: '10:30', minutes: '45' });
  await dialog.getByLabel('Notes').fill('Touch-up of the swallow');
  await dialog.getByRole('button', { name: 'Enter appointment' }).click();
  await expect(dialog.getByText('Invalid email address')).toBeVisible();

  watch.expectTrouble(/POST .*\/appointments\/: 409/);
  await dialog.getByLabel('Email').fill('mei@example.com');
  await dialog.getByRole('button', { name: 'Enter appointment' }).click();
  await expect(dialog.getByText(/^Another appointment is in the way/)).toBeVisible();
  await expect(dialog.getByLabel('First name')).toHaveValue('Mei');
  await expect(dialog.getByLabel('Notes')).toHaveValue('Touch-up of the swallow');

  await dialog.getByLabel(/^Service/).selectOption('Small flash, 60 minutes');
  await expect(dialog.getByLabel('Minutes')).toHaveValue('60');
  await pickTime(dialog, { time: '11:00' });
  await dialog.getByRole('button', { name: 'Enter appointment' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(detail(page).getByText('11:00 AM - 12:00 PM')).toBeVisible();
  await expect(detail(page).getByText('Confirmed', { exact: true })).toBeVisible();
});

test('the way back from an appointment keeps a form that is half typed', async ({
  page,
  artist,
}) => {
  await enter(artist.token, timeFrom(newYork(dayAhead(26), 10), 60), OTTO);
  await logInAs(page, artist);
  await page.goto(PAGE);
  await openFromList(page, 'Otto');
  const dialog = await ask(page, 'Enter an appointment', 'Enter an appointment');
  await dialog.getByLabel('First name').fill('Mei');
  await page.goBack();
  await expect(detail(page)).toHaveCount(0);
  await expect(dialog.getByLabel('First name')).toHaveValue('Mei');
});

test('one of the artist’s clients is found for an appointment by hand', async ({
  page,
  artist,
}) => {
  await enter(artist.token, timeFrom(newYork(dayAhead(24), 10), 60), OTTO);
  await enter(artist.token, timeFrom(newYork(dayAhead(24), 12), 60), { first_name: 'Mei' });
  await logInAs(page, artist);
  await page.goto(`${PAGE}?enter=${timeFrom(newYork(dayAhead(25), 11), 60).start}`);
  const dialog = page.getByRole('dialog', { name: 'Enter an appointment' });
  await expect(dialog.getByLabel('Day', { exact: true })).toHaveValue(dayAhead(25));
  await expect(dialog.getByLabel('Start')).toHaveValue('11:00');
  await dialog.getByText('One of my clients').click();
  await dialog.getByRole('searchbox', { name: 'Find a client' }).fill('brand');
  await expect(
    dialog.getByRole('list', { name: 'Clients found' }).getByRole('listitem'),
  ).toHaveCount(1);
  await dialog.getByRole('button', { name: /Otto Brandt/ }).click();
  await dialog.getByRole('button', { name: 'Enter appointment' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Otto Brandt', level: 2 })).toBeVisible();
  const clients = (await appointmentsOf(artist.token)).map(({ client }) => client.id);
  expect(new Set(clients).size).toBe(2);
});

test('of two tabs that move the same appointment the second is told and overwrites nothing', async ({
  page,
  artist,
  watch,
}) => {
  const { token } = artist;
  const date = dayAhead(26);
  const { id } = await enter(token, timeFrom(newYork(date, 10), 60), OTTO);
  await logInAs(page, artist);
  await page.goto(`${PAGE}?id=${id}`);
  const dialog = await ask(page, 'Move', 'Move to another time');

  const other = await page.context().newPage();
  await other.goto(`${PAGE}?id=${id}`);
  const otherDialog = await ask(other, 'Move', 'Move to another time');
  await pickTime(otherDialog, { time: '12:00' });
  await button(other, 'Move it').click();
  await expect(detail(other).getByText('12:00 PM - 1:00 PM')).toBeVisible();

  watch.expectTrouble(/PATCH .*: 409/);
  await pickTime(dialog, { time: '13:00' });
  await button(page, 'Move it').click();
  await expect(dialog.getByText(/^This appointment was changed elsewhere/)).toBeVisible();
  await expect(dialog.getByLabel('Start')).toHaveValue('13:00');
  await expect(detail(page).getByText('12:00 PM - 1:00 PM')).toBeAttached();
  expect(await appointmentsOf(token)).toMatchObject([timeFrom(newYork(date, 12), 60)]);

  // Knowing how it stands, they may still want their own time.
  await button(page, 'Move it').click();
  await expect(dialog).toHaveCount(0);
  await expect(detail(page).getByText('1:00 PM - 2:00 PM')).toBeVisible();
});

test('what has begun is marked as done, what came to nothing is deleted', async ({
  page,
  artist,
}) => {
  const { token } = artist;
  await enter(token, timeFrom(newYork(dayAhead(-2), 10), 60), OTTO);
  const gone = await enter(token, timeFrom(newYork(dayAhead(27), 10), 60), { first_name: 'Mei' });
  await logInAs(page, artist);
  await page.goto(`${PAGE}?show=past`);
  await openFromList(page, 'Otto Brandt');
  await button(page, 'Completed').click();
  await expect(detail(page).getByText('Completed', { exact: true })).toBeVisible();
  await expect(detail(page).getByRole('heading', { level: 2 })).toBeFocused();
  await expect(button(page, 'Cancel appointment')).toHaveCount(0);

  await page.goto(`${PAGE}?show=all&id=${gone.id}`);
  await expect(button(page, 'Completed')).toHaveCount(0);
  const cancelling = await ask(page, 'Cancel appointment', 'Cancel this appointment?');
  await cancelling.getByRole('button', { name: 'Cancel appointment' }).click();
  await expect(cancelling).toHaveCount(0);
  await ask(page, 'Delete', 'Delete this appointment?');
  await button(page, 'Delete appointment').click();
  await expect(detail(page)).toHaveCount(0);
  expect(await appointmentsOf(token)).toMatchObject([{ client: { first_name: 'Otto' } }]);
});

test('a note that could not be sent is still there to send again', async ({
  page,
  managedArtist,
  watch,
}) => {
  const { id } = (await askFor(managedArtist.username)).body;
  await logInAs(page, managedArtist);
  await page.goto(`${PAGE}?id=${id}`);
  const dialog = await ask(page, 'Decline', 'Decline this request?');
  await dialog.getByLabel(/^A note to Rosa/).fill('Sorry!');
  watch.expectTrouble(/PATCH .*ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await button(page, 'Decline request').click();
  await expect(dialog.getByRole('alert')).toContainText('What you typed is still here.');
  await expect(dialog.getByLabel(/^A note to Rosa/)).toHaveValue('Sorry!');
  await page.context().setOffline(false);
  await button(page, 'Decline request').click();
  await expect(dialog).toHaveCount(0);
  expect(await appointmentsOf(managedArtist.token)).toMatchObject([{ status: 'declined' }]);
});

test('appointments fit on every screen, whatever is on them', async ({ page, managedArtist }) => {
  const long = 'Maximiliana-Theodora-Konstantina';
  const { id } = (
    await askFor(managedArtist.username, {
      ...FILLED_FORM,
      first_name: long,
      last_name: long,
      email: `${long}.${long}@example.com`,
    })
  ).body;
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(page.getByRole('link', { name: long })).toBeVisible();
  await expectFits(page);
  await page.goto(`${PAGE}?id=${id}`);
  await expect(button(page, 'Offer a time')).toBeVisible();
  await expectFits(page);
});

test('a request that comes in meanwhile is there once the artist looks again', async ({
  page,
  managedArtist,
}) => {
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await expect(page.getByText('No requests are waiting')).toBeVisible();
  await expect(button(page, 'Copy the link to your page')).toBeVisible();
  await askFor(managedArtist.username);
  // What was read within the last second is not asked for again.
  await expect(async () => {
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect(page.getByRole('link', { name: /Rosa Quint/ })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(button(page, 'Requests (1)')).toBeVisible();
});

test('a long list turns its pages, and Back turns them back', async ({ page, managedArtist }) => {
  const names = Array.from({ length: 27 }, (_, index) => `Client ${index + 1}`);
  for (const first_name of names)
    await askFor(managedArtist.username, {
      first_name,
      email: `${first_name.replace(' ', '')}@example.com`,
    });
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  const cards = listOf(page).getByRole('listitem');
  await expect(cards).toHaveCount(25);
  await button(page, 'Next').click();
  await expect(cards).toHaveCount(2);
  await expect(page.getByText('26–27 of 27 appointments')).toBeVisible();
  await page.reload();
  await expect(cards).toHaveCount(2);
  await page.goBack();
  await expect(cards).toHaveCount(25);
});

test('what was typed outlives an expired login', async ({ page, managedArtist, watch }) => {
  const { id } = (await askFor(managedArtist.username)).body;
  await logInAs(page, managedArtist);
  await page.goto(`${PAGE}?id=${id}`);
  const dialog = await ask(page, 'Decline', 'Decline this request?');
  await dialog.getByLabel(/^A note to Rosa/).fill('Sorry, not this year.');
  watch.expectTrouble(/PATCH .*: 401/);
  await page.route('**/api/v1/appointments/*', (route) =>
    route.fulfill({ status: 401, json: { detail: 'Please log in' } }),
  );
  await button(page, 'Decline request').click();
  await page.waitForURL(/\/login\?next=/);
  await page.unroute('**/api/v1/appointments/*');
  await logInAgain(page, managedArtist);
  await page.goto(`${PAGE}?id=${id}`);
  await expect(dialog.getByLabel(/^A note to Rosa/)).toHaveValue('Sorry, not this year.');
  await button(page, 'Decline request').click();
  await expect(detail(page).getByText('Declined', { exact: true })).toBeVisible();
});

test('a request is answered by keyboard alone', { tag: '@desktop' }, async ({
  page,
  managedArtist,
}) => {
  await askFor(managedArtist.username);
  await logInAs(page, managedArtist);
  await page.goto(PAGE);
  await tabAndPress(page, listOf(page).getByRole('link', { name: 'Rosa Quint' }), 'Enter');
  await expect(page.getByRole('heading', { name: 'Rosa Quint', level: 2 })).toBeFocused();
  await tabAndPress(page, button(page, 'Offer a time'), 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Offer Rosa a time' });
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'Offer a time')).toBeFocused();
  await page.keyboard.press('Enter');
  await tabAndPress(page, dialog.getByRole('button', { name: '3 h' }), 'Space');
  await tabAndPress(page, dialog.getByRole('button', { name: 'Make the offer' }), 'Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Rosa Quint', level: 2 })).toBeFocused();
  await expect(detail(page).getByText('Offered, not confirmed yet')).toBeVisible();
  await tabAndPress(page, button(page, 'Cancel appointment'), 'Enter');
  const cancelling = page.getByRole('dialog', { name: 'Cancel this appointment?' });
  await tabAndType(page, cancelling.getByLabel(/^A note to Rosa/), 'I am ill.');
  await tabTo(page, cancelling.getByRole('button', { name: 'Keep it' }));
  await tabAndPress(page, cancelling.getByRole('button', { name: 'Cancel appointment' }), 'Enter');
  await expect(detail(page).getByText('Cancelled', { exact: true })).toBeVisible();
});

test.describe('an artist who travels', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('enters times of the studio, and one that clocks skip is refused in words', async ({
    page,
    artist,
  }) => {
    const date = dayAhead(28);
    await logInAs(page, artist);
    await page.goto(PAGE);
    const dialog = await ask(page, 'Enter an appointment', 'Enter an appointment');
    const save = dialog.getByRole('button', { name: 'Enter appointment' });
    await expect(dialog.getByText('Times in America/New_York')).toBeVisible();
    await dialog.getByLabel('First name').fill('Mei');
    await pickTime(dialog, { date: '2027-03-14', time: '02:30', minutes: '60' });
    await save.click();
    await expect(dialog.getByText(/^Clocks skip this time on that day/)).toBeVisible();

    await pickTime(dialog, { date, time: '11:00' });
    await save.click();
    await expect(dialog).toHaveCount(0);
    await expect(detail(page).getByText('11:00 AM - 12:00 PM')).toBeVisible();
    expect(await appointmentsOf(artist.token)).toMatchObject([timeFrom(newYork(date, 11), 60)]);
  });
});
