/**
 * Any text around an at sign, without the brackets and quotes around it; also the login of a URL. An at
 * sign after a slash begins the scope of a package, in the path of a file. The repetitions are bounded, so
 * that the time of a search grows only with the length of the text.
 */
const EMAIL = /(?:"[^"]{0,64}"|[^\s<>"(),;@]{0,127}[^\s<>"(),;@/])@[^\s<>"(),:;=/]{1,255}/g;

/** Replaces the email addresses of a text, for logs and for reasons of failures. */
export function redactEmails(text: string): string {
  return text.replace(EMAIL, '…@…');
}
