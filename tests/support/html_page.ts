import { expect } from '@playwright/test';
import {
  type Document as HtmlDocument,
  type Element as HtmlElement,
  Window as HtmlWindow,
} from 'happy-dom';
import { siteUrl } from './browser_server.ts';

/** A page as it comes over HTTP: nothing of it is run, and nothing it names is fetched. */
interface HtmlPage {
  readonly status: number;
  readonly headers: Headers;
  /** Where redirects led. */
  readonly pathname: string;
  readonly html: string;
  readonly document: HtmlDocument;
}

const { DOMParser } = new HtmlWindow();

/** Fetches an address of the site that tests run on, or another one. */
export function fetchSite(address: string, init?: RequestInit): Promise<Response> {
  return fetch(new URL(address, siteUrl()), init);
}

/** Fetches a page of the site that tests run on, and follows redirects to it. */
export async function fetchPage(address: string): Promise<HtmlPage> {
  const answer = await fetchSite(address);
  const html = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    pathname: new URL(answer.url).pathname,
    html,
    document: new DOMParser().parseFromString(html, 'text/html'),
  };
}

/** A file that is there and of that type, as text. */
export async function fetchText(address: string, type: string): Promise<string> {
  const answer = await fetchSite(address);
  expect([address, answer.status]).toEqual([address, 200]);
  expect(answer.headers.get('content-type')).toContain(type);
  return answer.text();
}

/** The texts of the elements, with spaces as they are shown. */
export function textsOf(within: HtmlDocument | HtmlElement, selector: string): string[] {
  return [...within.querySelectorAll(selector)].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
}

/** An attribute of the first such element. */
export function attributeOf(
  within: HtmlDocument | HtmlElement,
  selector: string,
  name: string,
): string | null {
  return within.querySelector(selector)?.getAttribute(name) ?? null;
}

/** Where the first link with that text leads. */
export function hrefOf(within: HtmlDocument | HtmlElement, text: string): string {
  const index = textsOf(within, 'a[href]').indexOf(text);
  const href = [...within.querySelectorAll('a[href]')][index]?.getAttribute('href');
  if (!href) throw new Error(`No link says ${text}`);
  return href;
}

/** Every address that a sitemap has between those tags, once it is plain. */
export function listTagValues(xml: string, tag: string): string[] {
  return [...xml.matchAll(new RegExp(`<${tag}>([^<]+)</${tag}>`, 'g'))].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );
}
