import { expect, test } from 'vitest';
import { openChromium } from './chromium.ts';
import { openFirefox } from './firefox.ts';
import { Tab } from './tab.ts';
import { button } from './targets.ts';
import { watchSite } from './watched_site.ts';
import { openWebKit } from './webdriver.ts';

const ENGINES = [
  ['chromium', openChromium],
  ['webkit', openWebKit],
  ['firefox', openFirefox],
] as const;

test.for(ENGINES)(
  'a press right after a scroll moves nothing, and a move by one pixel is reported (%s)',
  async ([, openDriver]) => {
    const { url, problems } = await watchSite();
    const tab = new Tab(await openDriver({ width: 390, height: 844 }), url);
    await tab.open('/');
    await tab.evaluate(() => {
      const target = document.createElement('button');
      target.textContent = 'Target';
      // Half a pixel is between its middle and that of the screen.
      Object.assign(target.style, { display: 'block', height: '41px', margin: '2000px 0' });
      document.body.replaceChildren(target);
      const scroll = () => {
        scrollTo(0, 900);
        target.scrollIntoView({ block: 'center' });
      };
      addEventListener('pointermove', scroll, { once: true });
    });
    await tab.press(button('Target'));
    expect(problems).toEqual([]);

    await tab.evaluate(() => {
      const move = () =>
        document.querySelector('button')?.style.setProperty('margin-top', '2001px');
      addEventListener('pointerdown', move);
    });
    await tab.press(button('Target'));
    expect(problems).toEqual([expect.stringMatching(/moved under a press: .* by 0,1,0,0$/)]);
  },
);
