import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { fillFields, openBookingForm, saveAndOpenConfirmation } from '#support/browser_booking.ts';
import { findCspViolations } from '#support/browser_csp.ts';
import { expectOk } from '#support/call_api.ts';

// Every browser test checks each page's policy and reports violations of it (browser_errors.ts).
test('the policy has no loose source; injected scripts and styles do not run and are reported', async ({
  page,
  watch,
}) => {
  const response = await page.goto('/ana/scheduling');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(findCspViolations(policy)).toEqual([]);
  expect(findCspViolations('')).not.toEqual([]);
  for (const [strict, loose] of [
    ["script-src 'self'", "script-src 'self' 'unsafe-inline'"],
    ["script-src 'self'", "script-src 'self' https://elsewhere.example"],
    ["style-src 'self'", "style-src 'self' 'unsafe-inline'"],
    ["default-src 'self'", 'default-src *'],
    ["object-src 'none';", ''],
  ] as const) {
    expect(policy).toContain(strict);
    expect(findCspViolations(policy.replace(strict, loose)), loose).not.toEqual([]);
  }

  watch.expectError(/^policy violation: script-src-elem inline/);
  watch.expectError(/^policy violation: style-src-elem inline/);
  watch.expectError(/^policy violation: script-src-attr inline/);
  watch.expectError(/^console error: .*Content Security Policy/);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    document.head.append(script, style);
    const button = document.createElement('button');
    button.setAttribute('onclick', 'document.title = "taken over"');
    document.body.append(button);
    button.click();
  });
  await expect.poll(() => watch.errors.length).toBeGreaterThanOrEqual(6);
  expect(await page.title()).not.toBe('taken over');
  await expect(page.getByRole('main')).toBeVisible();
});

test('HTML in a client’s name and in an artist’s text is shown as text (XSS)', async ({
  page,
  managedArtist: artist,
}) => {
  const name = '<img src=x onerror="alert(1)">';
  await page.goto(`/${artist.username}/scheduling`);
  await fillFields(page, { first_name: name, email: 'rosa@example.com' });
  await saveAndOpenConfirmation(page, artist.username);
  await expect(
    page.getByRole('heading', { name: `Thanks for your request, ${name}` }),
  ).toBeVisible();

  const about_me =
    '</script><script>document.title = "taken over"</script><img src=x onerror="document.title=1">';
  await expectOk(callSite('PATCH /users/me', { token: artist.token, json: { about_me } }));
  await page.goto(`/${artist.username}/about`);
  const block = page.locator('script[type="application/ld+json"]');
  await expect(block).toHaveCount(1);
  expect(JSON.parse((await block.textContent()) ?? '')).toMatchObject({
    '@graph': expect.arrayContaining([expect.objectContaining({ description: about_me })]),
  });
  await expect(page).toHaveTitle(`About the Artist · ${artist.username} · Linework`);
  await expect(page.locator('script:not([type="application/ld+json"])')).toHaveCount(0);
  await expect(page.getByRole('main').getByText(about_me)).toBeVisible();
});

test('pages request nothing from other sites and set no cookie', async ({
  page,
  context,
  artist,
}) => {
  // Requests to other sites are errors in every browser test (browser_errors.ts).
  await page.goto('/');
  await page.goto('/ana/about');
  await openBookingForm(page, artist);
  expect(await context.cookies()).toEqual([]);
});
