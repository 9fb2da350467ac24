/** The browser starts to read the URL soon after the click, and gives no sign when it is done. */
const URL_LIFETIME_MS = 10_000;

/** Saves a text as a file among the browser's downloads. @param type such as `text/csv;charset=utf-8` */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}
