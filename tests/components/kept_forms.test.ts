import { readFileSync } from 'node:fs';
import { Window as HtmlWindow } from 'happy-dom';
import { expect, test, vi } from 'vitest';

const SCRIPT = readFileSync('src/components/kept_forms.js', 'utf8');
const PAGE = 'https://example.com/ana/contact?sent=1';
const FORM = `<form data-keep="ana:message"><textarea name="message"></textarea>
  <input type="hidden" name="token"><input type="password" name="password"></form>`;

/** Loads a page in the tab of `storage`, which undefined refuses, and runs the script. */
function open(storage: object | null | undefined, url = PAGE, dataset: object = {}, html = FORM) {
  const window = new HtmlWindow({ url, settings: { disableErrorCapturing: true } });
  const { document, history, location } = window;
  document.body.innerHTML = html;
  Object.defineProperty(document, 'currentScript', { value: { dataset } });
  const names = ['document', 'location', 'history', 'addEventListener'];
  const listen = window.addEventListener.bind(window);
  const globals = [document, location, history, listen, storage];
  new Function(...names, storage === undefined ? '_' : 'sessionStorage', SCRIPT)(...globals);
  window.dispatchEvent(new window.Event('load'));
  return {
    text: () => document.querySelector('textarea')?.value,
    /** What the browser loads when it comes back to this page, or reloads it. */
    url: () => location.href,
    type(text: string) {
      for (const field of document.querySelectorAll('textarea, input')) {
        Object.assign(field, { value: text });
        field.dispatchEvent(new window.Event('input', { bubbles: true }));
      }
    },
  };
}

test('visible text outlives a page until its form is accepted; what our server shows goes before it', () => {
  const storage = {};
  open(storage).type('cover-up');
  expect(storage).toEqual({ 'linework:kept:ana:message:message': 'cover-up' });
  expect(open(storage, `${PAGE}#ana:links`).text()).toBe('cover-up');
  expect(open(storage, `${PAGE}#lost-link`).url()).toBe(`${PAGE}#lost-link`);
  expect(open(storage, PAGE, {}, FORM.replace('></', '>as sent</')).text()).toBe('as sent');
  const accepted = open(storage, `${PAGE}#ana:message`);
  expect(accepted.text()).toBe('');
  open(storage).type('the next one');
  // Back leads to the earlier answer.
  expect(open(storage, accepted.url()).text()).toBe('the next one');
});

const FULL = new Proxy(
  {},
  {
    set() {
      throw new Error('full');
    },
  },
);

// Firefox has null where storage is off; a full one throws.
test.each([undefined, null, FULL])('without room in a storage (%j), forms work', (storage) => {
  const page = open(storage);
  page.type('cover-up');
  expect(page.text()).toBe('cover-up');
  expect(open(storage).text()).toBe('');
});

test('an email that was typed earlier loads the script that suggests a correction', () => {
  const form = '<form data-keep="ana:links"><input type="email" name="email"></form>';
  const url = vi.fn(() => 'suggest.js');
  open(
    { 'linework:kept:ana:links:email': 'rosa@gmial.com' },
    PAGE,
    { suggest: { toString: url } },
    form,
  );
  expect(url).toHaveBeenCalledOnce();
});
