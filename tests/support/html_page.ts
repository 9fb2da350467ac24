import { expect } from '@playwright/test';
import {
  type Document as HtmlDocument,
  type Element as HtmlElement,
  Window as HtmlWindow,
} from 'happy-dom';
import { siteUrl } from './browser_server.ts';

/** A page as HTTP returns it: no script runs, and no subresource is loaded. */
interface HtmlPage {
  readonly status: number;
  readonly headers: Headers;
  /** The path after redirects. */
  readonly pathname: string;
  readonly html: string;
  readonly document: HtmlDocument;
}

const { DOMParser } = new HtmlWindow();

/** Fetches a path of the tested site, or another URL. */
export function fetchSite(url: string, init?: RequestInit): Promise<Response> {
  return fetch(new URL(url, siteUrl()), init);
}

/** Fetches and parses a page of the tested site. Follows redirects. */
export async function fetchPage(url: string): Promise<HtmlPage> {
  const response = await fetchSite(url);
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    pathname: new URL(response.url).pathname,
    html,
    document: new DOMParser().parseFromString(html, 'text/html'),
  };
}

/** The text of a file. Fails unless the file exists and has this type. */
export async function fetchText(url: string, type: string): Promise<string> {
  const response = await fetchSite(url);
  expect([url, response.status]).toEqual([url, 200]);
  expect(response.headers.get('content-type')).toContain(type);
  return response.text();
}

/** The texts of the elements, with collapsed whitespace. */
export function textsOf(within: HtmlDocument | HtmlElement, selector: string): string[] {
  return [...within.querySelectorAll(selector)].map(({ textContent }) =>
    textContent.replace(/\s+/g, ' ').trim(),
  );
}

/** An attribute of the first matching element. */
export function attributeOf(
  within: HtmlDocument | HtmlElement,
  selector: string,
  name: string,
): string | null {
  return within.querySelector(selector)?.getAttribute(name) ?? null;
}
