import { expect, test } from '#support/browser.ts';

test('only artist pages have the Speculation-Rules header for prefetching links', {
  tag: '@all',
}, async ({ request }) => {
  for (const [path, header] of [
    ['/ana/', '"/artist-prefetch.json"'],
    ['/ana/scheduling', '"/artist-prefetch.json"'],
    ['/', undefined],
    ['/login', undefined],
    ['/404', undefined],
  ] as const)
    expect((await request.get(path)).headers()['speculation-rules'], path).toBe(header);
  const rules = await request.get('/artist-prefetch.json');
  expect(rules.headers()['content-type']).toBe('application/speculationrules+json');
});

test('hovering a link to an artist page prefetches it, and other links are never candidates', {
  tag: '@all',
}, async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  const candidates = new Set<string>();
  const prefetched: string[] = [];
  session.on('Preload.preloadingAttemptSourcesUpdated', ({ preloadingAttemptSources }) => {
    for (const { key } of preloadingAttemptSources) candidates.add(new URL(key.url).pathname);
  });
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }) => {
    if (status === 'Ready') prefetched.push(new URL(prefetchUrl).pathname);
  });
  await session.send('Preload.enable');
  await page.route('/ana/', async (route) => {
    const response = await route.fetch();
    const otherLinks = ['/api/v1/services/ana/available', '/studio/services', '/confirmation/about']
      .map((path) => `<a href="${path}">${path}</a>`)
      .join('');
    await route.fulfill({ response, body: (await response.text()) + otherLinks });
  });
  await page.goto('/ana/', { waitUntil: 'networkidle' });
  const links = await page.locator('a[href^="/ana/designs/"]').all();
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
  const designPages = [...new Set(hrefs)];
  expect(designPages.length).toBeGreaterThan(10);
  await expect
    .poll(() => [...candidates].toSorted())
    .toEqual([
      '/ana/',
      '/ana/about',
      ...designPages.toSorted(),
      '/ana/scheduling',
      '/ana/services',
    ]);
  expect(prefetched).toEqual([]);
  await page.getByRole('link', { name: 'About', exact: true }).hover();
  await expect.poll(() => prefetched).toEqual(['/ana/about']);
  await session.detach();
});

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('artist pages fade into each other', { tag: '@all' }, async ({ page }) => {
    await using _ = await page.addInitScript(() => {
      addEventListener('pagereveal', (event) => {
        document.documentElement.dataset['faded'] = String(
          Reflect.get(event, 'viewTransition') !== null,
        );
      });
    });
    await page.goto('/ana/');
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page).toHaveURL(/about/);
    await expect(page.locator('html')).toHaveAttribute('data-faded', 'true');
  });
});
