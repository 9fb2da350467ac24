import { readFileSync } from 'node:fs';
import { Window as HtmlWindow } from 'happy-dom';
import { expect, test, vi } from 'vitest';

const SCRIPT = readFileSync('src/components/kept_forms.js', 'utf8');
const FORM = `<form data-keep="ana:message"><textarea name="message"></textarea>
  <input type="hidden" name="token"><input type="password" name="password"></form>`;

/** Loads the page in the tab of `storage`, which null refuses, and runs the script. */
function open(storage: object | null, dataset: object = {}, html = FORM, navigation = 0) {
  const window = new HtmlWindow();
  const { document } = window;
  document.body.innerHTML = html;
  Object.defineProperty(document, 'currentScript', { value: { dataset } });
  const names = [
    'document',
    'location',
    'addEventListener',
    'performance',
    ...(storage ? ['sessionStorage'] : []),
  ];
  const listen = window.addEventListener.bind(window);
  const performance = { navigation: { type: navigation } };
  new Function(...names, SCRIPT)(document, { hash: '' }, listen, performance, storage);
  const fire = (selector: string, event: string) =>
    document.querySelector(selector)?.dispatchEvent(new window.Event(event, { bubbles: true }));
  return {
    text: () => document.querySelector('textarea')?.value,
    type(text: string) {
      for (const field of document.querySelectorAll('textarea, input'))
        Object.assign(field, { value: text });
      for (const name of ['message', 'token', 'password']) fire(`[name=${name}]`, 'input');
    },
    send: () => fire('form', 'submit'),
  };
}

test('visible text outlives a page until its form is accepted; what our server shows goes before it', () => {
  const storage = {};
  const page = open(storage);
  page.type('cover-up');
  expect(storage).toEqual({ sent: '', 'kept:ana:message:message': 'cover-up' });
  const done = 'ana:message';
  // After a lost connection, Back leads to an earlier answer.
  page.send();
  expect(open(storage, { done }, FORM, 2).text()).toBe('cover-up');
  open(storage).send();
  expect(open(storage, { done: 'ana:links' }).text()).toBe('cover-up');
  open(storage).send();
  const refused = open(storage, {}, FORM.replace('></', '>as sent</'));
  expect(refused.text()).toBe('as sent');
  expect(open(storage, { done }).text()).toBe('cover-up');
  refused.send();
  expect(open(storage, { done }).text()).toBe('');
  open(storage).type('the next one');
  expect(open(storage, { done }).text()).toBe('the next one');
});

test('without a storage, forms work', () => {
  const page = open(null);
  page.type('cover-up');
  page.send();
  expect(page.text()).toBe('cover-up');
  expect(open(null).text()).toBe('');
});

test('an email that was typed earlier loads the script that suggests a correction', () => {
  const form = '<form data-keep="ana:links"><input type="email" name="email"></form>';
  const url = vi.fn(() => 'suggest.js');
  open({ 'kept:ana:links:email': 'rosa@gmial.com' }, { suggest: { toString: url } }, form);
  expect(url).toHaveBeenCalledOnce();
});
