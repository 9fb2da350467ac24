/**
 * Lets forms of React see what a browser or a password manager has filled in without an event, before
 * they are sent. React passes an event on only if the text has changed since the last one.
 */
export function noticeFilledInputs(): void {
  document.addEventListener(
    'submit',
    ({ target }) => {
      if (target instanceof HTMLFormElement)
        for (const input of target.elements)
          input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    { capture: true },
  );
}
