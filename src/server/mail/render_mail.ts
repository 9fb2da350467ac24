/** Renders the content of a mail as plain text and as HTML. */
import { html } from 'hono/html';
import { MAIL_PICTURE_SIZE } from '#domain/studio/artwork.ts';
import { toOneLine } from '#domain/text/one_line.ts';
import type { ContentBlock, Footer, MailContent, MailPicture } from './mail_content.ts';

/** RFC 5322, 2.1.1 recommends at most 78 characters; replies need some of them for `> `. */
const MAX_LINE_LENGTH = 72;

/** Plain text. Wraps long lines, but no links. The line `-- ` begins the footer, as mail programs expect. */
export function renderText({ blocks }: MailContent, { text, link }: Footer): string {
  const lines = [wrap(toOneLine(text)), ...(link ? [`${link.label}:\n${link.url}`] : [])];
  return `${[...blocks.map(blockToText), `-- \n${lines.join('\n')}`].join('\n\n')}\n`;
}

// Only quotes keep line breaks: with a line break in a name, a client could imitate our text.
function blockToText(block: ContentBlock): string {
  if ('text' in block) return wrap(toOneLine(block.text));
  if ('button' in block) return `${block.button}:\n${block.link}`;
  if ('quote' in block) return `${wrap(`${toOneLine(block.by)}:`)}\n${wrap(block.quote, '> ')}`;
  return block.details
    .map(([label, lines]) =>
      [`${label}:`, ...lines.map((line) => wrap(toOneLine(line), '  '))].join('\n'),
    )
    .join('\n');
}

/** Breaks long lines between words, keeps line breaks, and puts the prefix before each line. */
function wrap(text: string, prefix = ''): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const lines: string[] = [];
      let current = '';
      for (const word of line.split(' ')) {
        if (current !== '' && `${prefix}${current} ${word}`.length > MAX_LINE_LENGTH) {
          lines.push(current);
          current = word;
        } else current = current === '' ? word : `${current} ${word}`;
      }
      return [...lines, current].map((part) => `${prefix}${part}`.trimEnd()).join('\n');
    })
    .join('\n');
}

// The site's colors (src/styles/global.css). The styles are inline, as many mail programs remove
// style sheets; dark mode needs a mail program that keeps style sheets.
const PAGE_COLORS = 'background:#faf7f1;color:#171412';
const BODY_STYLE = `margin:0;padding:24px 12px;${PAGE_COLORS};font:16px/1.5 'Instrument Sans',Helvetica,Arial,sans-serif`;
const CARD_STYLE =
  'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #ddd5c8;border-radius:8px;overflow-wrap:anywhere';
const LABEL_STYLE = 'margin:0;color:#5f574f;font-size:14px';
const BUTTON_STYLE =
  'display:inline-block;padding:12px 24px;background:#f2b705;color:#171412;border-radius:6px;font-weight:bold;text-decoration:none';
const SECONDARY_BUTTON_STYLE =
  'display:inline-block;padding:11px 23px;color:inherit;border:1px solid;border-radius:6px;font-weight:bold;text-decoration:none';
/** In pixels. */
const PICTURE_SIDE = MAIL_PICTURE_SIZE / 2;
const PICTURE_STYLE = `height:${PICTURE_SIDE}px;max-width:100%;border-radius:${PICTURE_SIDE / 2}px;font-weight:bold`;
const QUOTE_STYLE = 'margin:0;padding-left:16px;border-left:4px solid #f2b705;white-space:pre-line';
const FOOTER_STYLE = 'max-width:560px;margin:16px auto 0;color:#5f574f;font-size:14px';
const DARK_MODE_CSS = `@media (prefers-color-scheme: dark) {
  body { background: #141211 !important; color: #f4efe6 !important; }
  .card { background: #1d1a18 !important; border-color: #3a3430 !important; }
  .muted { color: #b5aca1 !important; }
}`;

/** A whole HTML page. Its first button is the main one. */
export function renderHtml({ subject, blocks, picture }: MailContent, footer: Footer): string {
  const mainButton = blocks.find((block) => 'button' in block);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(toOneLine(subject))}</title>
<style>${DARK_MODE_CSS}</style>
</head>
<body style="${BODY_STYLE}">
<div class="card" style="${CARD_STYLE}">
${pictureToHtml(picture)}${blocks.map((block) => blockToHtml(block, block === mainButton)).join('\n')}
</div>
<p class="muted" style="${FOOTER_STYLE}">${footerToHtml(footer)}</p>
</body>
</html>
`;
}

/** Without a width, so that the whole name is read while the picture is blocked. */
function pictureToHtml(picture: MailPicture | undefined): string {
  if (!picture) return '';
  const [url, name] = picture;
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(toOneLine(name))}" height="${PICTURE_SIDE}" style="${PICTURE_STYLE}">\n`;
}

function footerToHtml({ text, link }: Footer): string {
  const html = escapeHtml(toOneLine(text));
  if (!link) return html;
  return `${html}<br>
<a href="${escapeHtml(link.url)}" style="color:inherit">${escapeHtml(link.label)}</a>`;
}

function blockToHtml(block: ContentBlock, isMainButton: boolean): string {
  if ('text' in block) return `<p>${escapeHtml(toOneLine(block.text))}</p>`;
  if ('button' in block)
    return `<p style="margin:24px 0"><a href="${escapeHtml(block.link)}" style="${isMainButton ? BUTTON_STYLE : SECONDARY_BUTTON_STYLE}">${escapeHtml(block.button)}</a></p>`;
  if ('quote' in block)
    return `<div style="margin:16px 0"><p class="muted" style="${LABEL_STYLE}">${escapeHtml(toOneLine(block.by))}</p>
<blockquote style="${QUOTE_STYLE}" dir="auto">${escapeHtml(block.quote)}</blockquote></div>`;
  const details = block.details.map(([label, lines]) => {
    const value = lines.map((line) => escapeHtml(toOneLine(line))).join('<br>');
    return `<div style="margin:12px 0"><p class="muted" style="${LABEL_STYLE}">${label}</p>
<p style="margin:0">${value}</p></div>`;
  });
  return details.join('\n');
}

function escapeHtml(text: string): string {
  return String(html`${text}`);
}
