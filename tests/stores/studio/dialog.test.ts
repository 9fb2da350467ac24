import { expect, test } from 'vitest';
import { $dialog, closeDialogAbout, openDialog } from '#stores/studio/dialog.ts';

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
