/** The posted form, empty if the body is not a form in UTF-8; null if it has more than `maxBytes`. */
export async function readPostedForm(request: Request, maxBytes: number): Promise<FormData | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  const headers = { 'Content-Type': request.headers.get('Content-Type') ?? '' };
  try {
    // A Response parses a form from the bytes that were counted above.
    const body = new Blob(chunks);
    const form = await new Response(body, { headers }).formData();
    // The parser writes U+FFFD for bytes that are not UTF-8. If a person has typed it, the body has its code.
    const isReplaced = [...form.values()].some((value) => `${value}`.includes('\ufffd'));
    return isReplaced && !/%EF%BF%BD/i.test(await body.text()) ? new FormData() : form;
  } catch {
    return new FormData();
  }
}

/** The text of a field; '' if there is none. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
