import type { Mail } from './mailer.ts';

/** The product as mails name it, and where its pages are, without a slash at the end. */
export interface Site {
  readonly productName: string;
  readonly siteUrl: string;
}

/** The mail with the way back into an account, for whoever forgot their password. */
export function recoveryMail(
  { productName, siteUrl }: Site,
  artist: { readonly email: string; readonly full_name: string },
  token: string,
): Mail {
  const link = `${siteUrl}/reset-password?token=${encodeURIComponent(token)}`;
  const greeting = `Hi ${artist.full_name},`;
  const why = `someone, hopefully you, asked for a way back into your ${productName} account.`;
  const choose = 'Choose a new password here:';
  const until = 'The link works once, within one hour.';
  const otherwise = 'If it was not you, leave this mail be: your password stays as it is.';
  return {
    to: artist.email,
    subject: `${productName}: choose a new password`,
    // In short lines, so that mail that lies in the outbox can be read as it is.
    text: `${greeting}\n\n${why}\n${choose}\n\n${link}\n\n${until}\n${otherwise}\n`,
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(productName)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(why)} ${choose}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>
<p>${escapeHtml(until)} ${escapeHtml(otherwise)}</p>
</body>
</html>
`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}
