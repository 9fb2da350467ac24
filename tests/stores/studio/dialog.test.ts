import { afterEach, expect, test } from 'vitest';
import { setFormDraftOwner } from '#stores/form_drafts.ts';
import { $token, startSession } from '#stores/session.ts';
import {
  $dialog,
  closeDialog,
  closeDialogAbout,
  openDialog,
  restoreDialog,
} from '#stores/studio/dialog.ts';

afterEach(() => {
  closeDialog();
  sessionStorage.clear();
});

test('closing the dialog about one appointment leaves other dialogs open', () => {
  openDialog('enter');
  closeDialogAbout('one');
  expect($dialog.get()).toBe('enter');
  openDialog('move two');
  closeDialogAbout('one');
  expect($dialog.get()).toBe('move two');
  closeDialogAbout('two');
  expect($dialog.get()).toBeNull();
});

test('the dialog that was open when the login expired opens again', () => {
  setFormDraftOwner('ana');
  startSession('one');
  openDialog('move two');
  $token.set(undefined);
  closeDialog();
  restoreDialog();
  expect($dialog.get()).toBe('move two');
});
