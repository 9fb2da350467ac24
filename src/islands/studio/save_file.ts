/** The browser starts to read the address soon after the click, and gives no sign when it is done. */
const ADDRESS_LIFETIME_MS = 10_000;

/** Saves a text as a file of the browser's downloads. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_LIFETIME_MS);
}
