/** The text in one line: with spaces for line breaks and control characters, without text direction marks. */
export function toOneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
