import { expect, test } from '#support/browser.ts';

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
      '/ana/contact',
      ...designPages.toSorted(),
      '/ana/scheduling',
      '/ana/services',
    ]);
  expect(prefetched).toEqual([]);
  await page.getByRole('link', { name: 'About', exact: true }).hover();
  await expect.poll(() => prefetched).toEqual(['/ana/about']);
  await session.detach();
});
