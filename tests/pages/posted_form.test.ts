import { expect, test } from 'vitest';
import { readPostedForm } from '../../src/pages/_posted_form.ts';

test('a posted form with bytes that are not UTF-8 counts as none', async () => {
  const read = async (body: string) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const request = new Request('http://localhost', { method: 'POST', body, headers });
    return Object.fromEntries((await readPostedForm(request, 100)) ?? []);
  };
  expect(await read('name=Zo%C3%AB')).toEqual({ name: 'Zoë' });
  expect(await read('name=Zo%EB')).toEqual({});
  // Somebody pasted it.
  expect(await read('name=Zo%EF%BF%BD')).toEqual({ name: 'Zo\ufffd' });
});
