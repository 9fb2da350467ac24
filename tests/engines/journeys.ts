import { bookService } from './journeys/book_service.ts';
import type { Tab } from './tab.ts';

/**
 * A way through the product, which every engine must go.
 * @param openTab opens another browser, as another person's
 */
export type Journey = (tab: Tab, openTab: () => Promise<Tab>) => Promise<void>;

const PHONE = { width: 390, height: 844 };

export const JOURNEYS: readonly (readonly [title: string, journey: Journey, size: typeof PHONE])[] =
  [['a client books a service', bookService, PHONE]];
