import { expect, test } from '#support/browser.ts';
import { loadDemoArtist } from '#support/browser_api.ts';

test('Back closes a large picture, also one that Next has turned to, and after Close leads to no picture', {
  tag: '@all',
}, async ({ page }) => {
  const { portfolio } = await loadDemoArtist('ana');
  const [picture, next] = portfolio;
  if (!picture || !next) throw new Error('ana has too few pictures');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const open = page.getByRole('link', { name: picture.title, exact: true });
  const turn = page.getByRole('link', { name: `Next: ${next.title}` });
  await page.goto('/ana/contact');
  await page.goto('/ana/about');
  await open.click();
  await turn.click();
  await expect(heading(next.title)).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/ana/about');

  await open.click();
  await turn.click();
  await expect(heading(next.title)).toBeVisible();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page).toHaveURL(`/ana/about#${next.id}`);
  await page.goBack();
  await expect(page).toHaveURL('/ana/about');
  await page.goBack();
  await expect(page).toHaveURL('/ana/contact');
});
