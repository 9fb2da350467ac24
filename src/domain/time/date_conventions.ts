import { localeInfo, toKnownLocale } from '../locale.ts';

/** How a country writes dates and times. The words on our pages are English everywhere. */
export interface DateConventions {
  /** The first day of a week in a calendar: an ISO weekday, 1 Monday to 7 Sunday. */
  readonly firstWeekday: number;
  /** Whether the day comes before the month, as in '1 December'. */
  readonly isDayFirst: boolean;
  readonly has12Hours: boolean;
}

/** Those of the United States, which are the default: weeks start on Sunday. */
export const US_CONVENTIONS: DateConventions = {
  firstWeekday: 7,
  isDayFirst: false,
  has12Hours: true,
};

/** The conventions of a visitor's locale. @param locale a BCP 47 tag, such as `de-DE` */
export function conventionsOf(locale: string): DateConventions {
  // On a slow phone, asking the browser takes 60 ms.
  if (locale === 'en-US') return US_CONVENTIONS;
  const tag = new Intl.Locale(locale, { calendar: 'gregory', numberingSystem: 'latn' });
  const date = { year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' } as const;
  const parts = new Intl.DateTimeFormat(tag, date).formatToParts(0).map(({ type }) => type);
  const isDayFirst = parts.indexOf('day') < parts.indexOf('month');
  const { hour12 } = new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions();
  return {
    isDayFirst,
    has12Hours: hour12 === true,
    firstWeekday: firstWeekdayOf(tag, isDayFirst),
  };
}

/** The first language of an `Accept-Language` header; `en-US` if it names none that is known. */
export function preferredLocale(acceptLanguage: string | null): string {
  return toKnownLocale(/^\s*([\w-]+)/.exec(acceptLanguage ?? '')?.[1] ?? '');
}

/** Where the browser does not know the locale's weeks, they start as in most countries with its order of dates. */
function firstWeekdayOf(tag: Intl.Locale, isDayFirst: boolean): number {
  const info = localeInfo(tag, 'getWeekInfo', 'weekInfo');
  const firstDay: unknown = typeof info === 'object' && info ? Reflect.get(info, 'firstDay') : null;
  if (typeof firstDay === 'number') return firstDay;
  return isDayFirst ? 1 : US_CONVENTIONS.firstWeekday;
}
