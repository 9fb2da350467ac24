/** A share card as elements and CSS, which Satori lays out and draws. Lengths are in pixels. */
import { createElement, type ReactNode } from 'react';
import { SHARE_CARD_SIZE } from '#domain/studio/artwork.ts';
import type { CardText } from './card_text.ts';

/** The right part of the card. */
export interface CardPanel {
  readonly width: number;
  readonly pictures: number;
  readonly className: 'padded' | 'stacked' | '';
}

export interface CardContents {
  /** The small line above the heading. */
  readonly eyebrow: string;
  readonly heading: CardText;
  readonly headingStyle: object;
  /** The lines below the heading. */
  readonly details: readonly CardText[];
  readonly productName: CardText | null;
  /** A small avatar replaces the eyebrow; a large one is in a panel without pictures. */
  readonly avatar: 'small' | 'large' | null;
  readonly panel: CardPanel;
}

export const MARGIN = 64;
/** Between the text and the panel. */
const PANEL_GAP = 56;

/** The light theme of `styles/global.css`. */
const [PAPER, INK, MUTED, MAIN, FLASH] = ['#faf7f1', '#171412', '#5f574f', '#f2b705', '#f4f1ea'];

const CSS = `
  div { display: flex; box-sizing: border-box; flex-shrink: 0 }
  .card { width: 1200px; height: 630px; background: ${PAPER}; color: ${INK} }
  .column { flex-direction: column; padding: ${MARGIN}px; padding-right: ${PANEL_GAP}px }
  .texts { flex-direction: column; flex-grow: 1; justify-content: center; padding: 28px 0 }
  .eyebrow { height: 46px; color: ${MUTED}; font-size: 30px; font-family: instrument-sans-latin }
  .heading { display: block; line-height: 1.12; text-wrap: balance }
  .underline { width: 72px; height: 8px; margin-top: 30px; border-radius: 4px; background: ${MAIN} }
  .line { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
  .detail { height: 44px; line-height: 44px; color: ${MUTED} }
  .underline + .detail { margin-top: 30px; color: ${INK} }
  .product { align-items: center; height: 40px; gap: 14px }
  .mark { width: 40px; height: 40px; border-radius: 8.75px; background: ${INK} }
  .small { width: 112px; height: 112px }
  .large { width: 360px; height: 360px }
  .panel { align-items: center; justify-content: center; height: 630px; background: ${INK} }
  .pictures { display: grid; align-items: stretch; justify-content: stretch; gap: 8px }
  .pictures { background: ${PAPER} }
  .pictures:has(:nth-child(2)) { grid-template-columns: 1fr 1fr }
  .pictures:has(:nth-child(3)) { grid-template-rows: 1fr 1fr }
  .pictures.stacked:has(:nth-child(2)) { grid-template: 1fr 1fr / 1fr }
  .tile { background: ${FLASH} }
  .tile:first-child:nth-last-child(3) { grid-row: span 2 }
  .padded > .tile { padding: 40px }
  .picture { flex-grow: 1 }
`;

/** The curve of `public/favicon.svg`, whose square is 32 units wide with a corner radius of 7. */
const MARK_CURVE =
  'M11 5.5c0 8-.8 12-2.6 16.4-1 2.5.6 4 2.7 3 2.3-1.1 4.3-6.8 6.9-7.4 2.2-.5 2.4 2.7.6 4.9-1.2 1.5-.5 3 1.5 2.6 1.6-.3 2.9-1.3 4-2.6';

/** The width of a line of text beside a panel. */
export function textWidth(panel: CardPanel): number {
  return SHARE_CARD_SIZE.width - panel.width - MARGIN - PANEL_GAP;
}

/** The elements of a card. Elements whose boxes the layout needs have a `key`. */
export function shareCard(contents: CardContents): ReactNode {
  const { eyebrow, heading, headingStyle, details, productName, avatar, panel } = contents;
  const width = textWidth(panel);
  const style = { ...headingStyle, fontFamily: heading.fontFamily };
  const tiles = Array.from({ length: panel.pictures }, (_, index) =>
    div('tile', {}, div('picture', { key: `picture ${index}` })),
  );
  return div(
    'card',
    {},
    createElement('style', null, CSS),
    div(
      'column',
      { style: { width: width + MARGIN + PANEL_GAP } },
      avatar === 'small' && div('small', { key: 'avatar' }),
      div(
        'texts',
        {},
        avatar !== 'small' && div('eyebrow', {}, eyebrow),
        div('heading', { key: 'heading', style }, heading.text),
        div('underline', {}),
        ...details.map((text) => line('detail', text, { size: 30, width })),
      ),
      div(
        'product',
        { key: 'product' },
        div('mark', {}, markCurve(40, 2.6)),
        // Beside the mark of 40 and a gap of 14.
        productName && line('', productName, { size: 26, width: width - 54 }),
      ),
    ),
    div(
      `panel ${tiles.length > 0 ? 'pictures' : ''} ${panel.className}`,
      { style: { width: panel.width } },
      ...tiles,
      avatar === 'large' && div('large', { key: 'avatar' }),
      tiles.length === 0 && !avatar && markCurve(420, 1.6),
    ),
  );
}

/** A line that is too wide is written smaller, down to three quarters, and then truncated. */
function line(className: string, text: CardText, { size, width }: { size: number; width: number }) {
  const fontSize = Math.max(size * 0.75, Math.min(size, Math.floor(width / text.width)));
  const style = { maxWidth: width, fontFamily: text.fontFamily, fontSize };
  return div(`line ${className}`, { style }, text.text);
}

function markCurve(size: number, strokeWidth: number) {
  const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
  const stroke = { stroke: MAIN, strokeWidth, ...round };
  const path = createElement('path', { d: MARK_CURVE, fill: 'none', ...stroke });
  return createElement('svg', { width: size, height: size, viewBox: '0 0 32 32' }, path);
}

function div(className: string, props: object, ...children: readonly ReactNode[]) {
  return createElement('div', { className, ...props }, ...children);
}
