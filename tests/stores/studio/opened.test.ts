import { afterEach, expect, test } from 'vitest';
import { $token, signIn } from '#stores/session.ts';
import { $opened, close, closeAbout, open, reopen } from '#stores/studio/opened.ts';
import { typedBy } from '#stores/typed.ts';

afterEach(() => {
  close();
  sessionStorage.clear();
});

test('one dialog is open at a time', () => {
  open('enter');
  open('move two');
  expect($opened.get()).toBe('move two');
  close();
  expect($opened.get()).toBeNull();
});

test('closing the dialog about one appointment leaves other dialogs open', () => {
  open('enter');
  closeAbout('one');
  expect($opened.get()).toBe('enter');
  open('move two');
  closeAbout('one');
  expect($opened.get()).toBe('move two');
  closeAbout('two');
  expect($opened.get()).toBeNull();
});

test('the dialog that was open when the login expired opens again', () => {
  typedBy('ana');
  signIn('one');
  open('move two');
  $token.set(undefined);
  close();
  reopen();
  expect($opened.get()).toBe('move two');
});

test('without an expired login no dialog opens', () => {
  reopen();
  expect($opened.get()).toBeNull();
});
