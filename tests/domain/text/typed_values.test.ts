/** Values as people of many countries type or paste them: what is stored, and what mails and pages show. */
import { expect, test } from 'vitest';
import { FullName, Password } from '#contract/account_form.ts';
import { AppointmentForm, Phone } from '#contract/appointment_form.ts';
import { Email } from '#contract/common.ts';
import { mailtoHref } from '#domain/mail/email.ts';
import { parseAmount } from '#domain/money/amount_input.ts';
import { formatMoney } from '#domain/money/money.ts';
import { formatDesignSize } from '#domain/studio/design.ts';
import { parseSocialHandle } from '#domain/studio/social.ts';
import { toCsvLine, toPhoneCell } from '#domain/text/csv.ts';
import { shownAddress, withoutLinks } from '#domain/text/link_text.ts';
import { parseDesignSide } from '#domain/text/side_input.ts';
import { toNodemailerMessage } from '#server/mail/nodemailer_message.ts';

/** Names, studios and addresses that are stored and mailed as they are typed, by country. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  AR: ['Ñandú Tattoo', 'Av. 9 de Julio 1234, 5.º B', 'Lucía Fernández Núñez'],
  AU: ['Unit 3/14 Smith St', 'Ngaire Te Ao', 'Level 2, 48–50 Elizabeth St'],
  BR: ['João d’Ávila', 'Rua 25 de Março, 100 – ap. 12', 'São Paulo', 'Conceição'],
  CH: ['Zoë Müller-Bär', 'Rue du Mont-Blanc 7', 'Zürich', 'c/o Tinte & Nadel'],
  CN: ['张伟', '北京市朝阳区建国路88号', '刺青工作室'],
  CZ: ['Jiří Dvořák', 'nám. Míru 12/3', 'Ústí nad Labem'],
  DE: ['Jürgen Groß', 'Straße des 17. Juni 135', 'Haus Nr. 5', 'Dr. phil. Anke Weiß', 'Köln'],
  EG: ['محمد عبد الله', 'شارع التحرير ١٢', 'القاهرة'],
  FR: ['Chloé L’Hôte', '12 bis, rue de l’Église', 'Saint-Étienne', 'N° 5'],
  GB: ['Seán O’Connor', 'Flat 3a, 10 St. John’s Rd', "King's Lynn"],
  GR: ['Γιώργος Παπαδόπουλος', 'Λεωφ. Βασ. Σοφίας 2', 'Αθήνα'],
  HU: ['Tőkés Ágnes', 'Váci u. 6', 'Hódmezővásárhely'],
  IL: ['שרה כהן', "רח' הרצל 5", 'תל אביב–יפו'],
  IN: ['प्रिया शर्मा', 'क्\u200dष', '4th Flr., M.G. Road', 'चेन्नई'],
  IR: ['علی\u200cرضا', 'خیابان ولی\u200cعصر ۱۲'],
  JP: ['山田 太郎', '東京都渋谷区1-2-3', 'ピアス・タトゥー', 'ハルカ'],
  KR: ['김민준', '서울특별시 강남구 테헤란로 1', '각인'],
  MX: ['José Ángel', 'Calle 5 #12-34', 'Col. Roma Nte.'],
  NG: ['Ọlá Adébáyọ̀', '12, Ìkẹjà Rd'],
  PL: ['Łukasz Żółć', 'ul. Żwirki i Wigury 1', 'Kraków'],
  RU: ['Алёна Йорк', 'И.Петров', 'ул. Ленина, д. 5'],
  SE: ['Åsa Öberg', 'Kungsgatan 5 A', 'Malmö'],
  TH: ['สมชาย ใจดี', 'ถนนสุขุมวิท 21'],
  TR: ['İpek Şahin', 'Atatürk Cd. No:5', 'Iğdır'],
  US: ['Mary-Jo O’Neil Jr.', 'J.R. Smith', 'Dr.Who', '123½ Main St. #4', 'Ana 🖤', '👩\u200d🎨'],
  VN: ['Nguyễn Thị Hồng', '12 Đường Lê Lợi', 'Đà Nẵng'],
};

/** Names and addresses that mail programs could link, and how a proven sender mails them as a name. */
const DOTTED: readonly (readonly [string, string, name: string, address?: string])[] = [
  ['US', 'Will.I.Am', 'Will. I. Am', 'Will. I. Am'],
  ['US', 'J.Lo', 'J. Lo'],
  ['US', 'P.O.Box 5', 'P. O. Box 5'],
  ['US', 'ey.em', 'ey. em'],
  ['GB', 'St.Ives', 'St.Ives'],
  ['IT', 'C.so Italia 3', 'C. so Italia 3'],
  ['IT', 'P.za Duomo 1', 'P. za Duomo 1'],
  ['RU', 'ул.Ленина 5', 'ул. Ленина 5'],
  ['DE', 'Hans-Str.3', 'Hans-Str.3'],
  ['PL', 'al.Jana Pawła', 'al. Jana Pawła'],
];

const LOCAL_ERROR = 'Before the @, use letters without accents, digits and signs';
const INVALID = 'Invalid email address';
const EMAILS = [
  ['US', ' Rosa.Quint@Example.com ', 'Rosa.Quint@Example.com'],
  ['US', 'Rosa Quint <rosa@example.com>', 'rosa@example.com'],
  ['US', '"Quint, Rosa" <rosa@example.com>', 'rosa@example.com'],
  ['US', 'mailto:rosa%2Bink@example.com?subject=Hi', 'rosa+ink@example.com'],
  ['US', 'MAILTO:100%@example.com', '100%@example.com'],
  ['US', 'mailto://rosa@example.com', 'rosa@example.com'],
  ['US', 'Rosa <mailto:rosa@example.com>', 'rosa@example.com'],
  ['US', 'rosa@example.com<mailto:rosa@example.com>', 'rosa@example.com'],
  ['US', 'mailto:ro%E2%80%8Bsa@example.com', 'rosa@example.com'],
  ['US', 'Rosa <rosa@example.com>,', 'rosa@example.com'],
  ['US', 'rosa@example.com.', 'rosa@example.com'],
  ['US', '\u202arosa@example.com\u202c', 'rosa@example.com'],
  ['US', 'ro\u200bsa@exam\u00adple.com\ufeff', 'rosa@example.com'],
  ['US', 'rosa\u2011quint@my\u2013ink.com', 'rosa-quint@my-ink.com'],
  ['US', 'rosa@example.photography', 'rosa@example.photography'],
  ['US', 'a&b/c!d#e=f%g~h@example.com', 'a&b/c!d#e=f%g~h@example.com'],
  ['US', '{a}|b*c?$d^e`f@example.com', '{a}|b*c?$d^e`f@example.com'],
  ['US', '=rosa@example.com', '=rosa@example.com'],
  ['US', 'rosa..quint@example.com', INVALID],
  ['US', '.rosa@example.com', INVALID],
  ['US', 'rosa.@example.com', INVALID],
  ['US', 'rosa@localhost', INVALID],
  ['US', 'rosa@example..com', INVALID],
  ['US', 'rosa@-example.com', INVALID],
  ['US', `${'r'.repeat(64)}@example.com`, `${'r'.repeat(64)}@example.com`],
  ['US', `${'r'.repeat(65)}@example.com`, INVALID],
  ['US', `rosa@${'e'.repeat(63)}.com`, `rosa@${'e'.repeat(63)}.com`],
  ['US', `rosa@${'e'.repeat(64)}.com`, INVALID],
  ['US', `rosa@${`${'e'.repeat(60)}.`.repeat(4)}com.example`, INVALID],
  ['US', 'rosa quint@example.com', INVALID],
  ['US', 'rosa@example.com, ana@example.com', INVALID],
  ['IE', "o'brien@example.ie", "o'brien@example.ie"],
  ['DE', 'anke@müller-tattoo.de', 'anke@xn--mller-tattoo-dlb.de'],
  ['DE', 'anke@mu\u0308ller-tattoo.de', 'anke@xn--mller-tattoo-dlb.de'],
  ['DE', 'anke@xn--mller-tattoo-dlb.de', 'anke@xn--mller-tattoo-dlb.de'],
  ['DE', 'anke@straße.de', 'anke@xn--strae-oqa.de'],
  ['DE', 'jürgen@example.de', LOCAL_ERROR],
  ['DE', 'anke@müller.de/kontakt', INVALID],
  ['FR', 'chloe@école.fr', 'chloe@xn--cole-9oa.fr'],
  ['RU', 'info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
  ['RU', 'почта@пример.рф', LOCAL_ERROR],
  ['JP', 'ｒｏｓａ＠ｅｘａｍｐｌｅ．ｊｐ', 'rosa@example.jp'],
  ['JP', 'rosa@例え。jp', 'rosa@xn--r8jz45g.jp'],
  ['CN', 'wei@例子.中国', 'wei@xn--fsqu00a.xn--fiqs8s'],
  ['IN', 'priya@उदाहरण.भारत', 'priya@xn--p1b6ci4b4b3a.xn--h2brj9c'],
  ['EG', 'mona٢@مثال.مصر', 'mona2@xn--mgbh0fb.xn--wgbh1c'],
] as const;

const PHONES = [
  ['US', '(212) 555-0123', '+12125550123'],
  ['US', '212.555.0123, ext. 4', '+12125550123'],
  ['US', '1-212-555-0123 x42', '+12125550123'],
  ['US', 'tel:+1-212-555-0123', '+12125550123'],
  ['US', '\u202a+1\u00a0212\u2011555\u20110123\u202c', '+12125550123'],
  ['US', '1-800-TATTOOS', null],
  ['US', '+1 212 555 0123,4567', null],
  ['CA', '+1 416 555 0123 #7', '+14165550123'],
  ['GB', '+44 020 7946 0958', '+442079460958'],
  ['GB', '+44 (0)20 7946 0958', '+442079460958'],
  ['GB', '0044 20 7946 0958,,4', '+442079460958'],
  ['GB', '020 7946 0958', null],
  ['IE', '+353 086 123 4567', '+353861234567'],
  ['DE', '+49 (0) 170 / 123 45 67', '+491701234567'],
  ['DE', '0049 0170 1234567 Durchwahl 4', '+491701234567'],
  ['AT', '+43 (0)664 1234567', '+436641234567'],
  ['CH', '+41 (0)44 668 18 00', '+41446681800'],
  ['FR', '+33 (0)6 12 34 56 78 poste 4', '+33612345678'],
  ['IT', '+39 06 6982 1234 int. 5', '+390669821234'],
  ['IT', '+39 (0)6 6982 1234', '+390669821234'],
  ['ES', '0034 612 34 56 78', '+34612345678'],
  ['HU', '+36 06 20 123 4567', '+36201234567'],
  ['PL', '+48 512 345 678', '+48512345678'],
  ['RU', '+7 (912) 345-67-89 доб. 12', '+79123456789'],
  ['RU', '+7 8 912 345-67-89', '+79123456789'],
  ['LT', '+370 8 612 34567', '+37061234567'],
  ['BY', '+375 8 029 123 45 67', '+375291234567'],
  ['UA', '+380 (50) 123–45–67', '+380501234567'],
  ['TR', '+90 0532 123 45 67', '+905321234567'],
  ['IL', '+972 050-123-4567', '+972501234567'],
  ['EG', '+٢٠ ١٠ ١٢٣٤ ٥٦٧٨', '+201012345678'],
  ['AE', '00971 050 123 4567', '+971501234567'],
  ['CI', '+225 07 12 34 56 78', '+2250712345678'],
  ['IN', '+91 098765 43210', '+919876543210'],
  ['JP', '＋８１ー９０ー１２３４ー５６７８', '+819012345678'],
  ['KR', '+82 010-1234-5678', '+821012345678'],
  ['BR', '+55 011 96123-4567', '+5511961234567'],
  ['AU', '+61 0412 345 678', '+61412345678'],
] as const;

const SIZES = [
  ['en-US', '6', 152, '6 in'],
  ['en-US', '15 cm', 150, '5.9 in'],
  ['en-US', '150mm', 150, '5.9 in'],
  ['en-US', '6½', 165, '6.5 in'],
  ['en-US', '6 1/2"', 165, '6.5 in'],
  ['en-US', '2 ft', null, null],
  ['en-US', '6.125 in', 156, '6.1 in'],
  ['en-US', '1,200 mm', null, null],
  ['de-DE', '1.200 mm', null, null],
  ['en-GB', '6 inches', 152, '15.2 cm'],
  ['de-DE', '6,5', 65, '6,5 cm'],
  ['de-DE', '3 Zoll', 76, '7,6 cm'],
  ['fr-FR', '6,5 cm', 65, '6,5 cm'],
  ['fr-FR', '6½ ″', 165, '16,5 cm'],
  ['ru-RU', '12 см', 120, '12 cm'],
  ['ja-JP', '６．５ｃｍ', 65, '6.5 cm'],
  ['hi-IN', '६.५', 65, '6.5 cm'],
  ['ar-EG', '٦٫٥', 65, '٦٫٥ cm'],
] as const;

const PRICES = [
  ['USD', 'en-US', '$1,234.50', 123_450, '$1,234.50'],
  ['USD', 'en-US', '\u200e150\u00a0USD', 15_000, '$150'],
  ['USD', 'en-US', '１５０', 15_000, '$150'],
  ['USD', 'en-US', '150 EUR', null, null],
  ['USD', 'en-US', '1200,50', 120_050, '$1,200.50'],
  ['USD', 'en-US', '1.200,50', 120_050, '$1,200.50'],
  ['CHF', 'de-CH', '1,200', 120_000, 'CHF\u00a01,200'],
  ['USD', 'en-US', '1,200,50', null, null],
  ['USD', 'en-US', '1 234 567.50 $', 123_456_750, '$1,234,567.50'],
  ['CAD', 'en-US', '$150', 15_000, 'CA$150'],
  ['EUR', 'de-DE', '1,200.50', 120_050, '€1,200.50'],
  ['EUR', 'de-DE', '150.5', 15_050, '€150.50'],
  ['EUR', 'de-AT', '1.500', 150_000, '€1,500'],
  ['HUF', 'hu-HU', '150.000', 15_000_000, 'HUF\u00a0150,000'],
  ['USD', 'en-US', '10²', null, null],
  ['GBP', 'en-GB', '£80', 8000, '£80'],
  ['EUR', 'de-DE', '1.234,50 €', 123_450, '€1,234.50'],
  ['EUR', 'fr-FR', '1\u202f234,50 €', 123_450, '€1,234.50'],
  ['CHF', 'de-CH', "CHF 1'200.50", 120_050, 'CHF\u00a01,200.50'],
  ['SEK', 'sv-SE', '1 500 kr', 150_000, 'SEK\u00a01,500'],
  ['PLN', 'pl-PL', '350,00 zł', 35_000, 'PLN\u00a0350'],
  ['BRL', 'pt-BR', 'R$ 1.234,50', 123_450, 'R$1,234.50'],
  ['INR', 'hi-IN', '₹१,२३,४५६', 12_345_600, '₹123,456'],
  ['JPY', 'ja-JP', '￥１５，０００', 15_000, '¥15,000'],
  ['EGP', 'ar-EG', '١٬٢٣٤٫٥٠', 123_450, 'EGP\u00a01,234.50'],
  ['KWD', 'fr-FR', '12.500', 12_500, 'KWD\u00a012.500'],
  ['EUR', 'fa-IR', '۱۵۰', 15_000, '€150'],
] as const;

const HANDLES = [
  ['\u202a@ana\u200b.ink\u202c', 'ana.ink'],
  ['ａｎａ＿ｉｎｋ', 'ana_ink'],
  ['https://www.instagram.com/ana\u2011ink/', 'ana-ink'],
  ['аna.ink', null], // With a Cyrillic letter.
] as const;

test('the tables have at least 200 values of at least 20 countries', () => {
  const kept = Object.values(KEPT).flat();
  const tables = [kept, DOTTED, EMAILS, PHONES, SIZES, PRICES, HANDLES];
  expect(tables.flat().length).toBeGreaterThanOrEqual(200);
  expect(Object.keys(KEPT).length).toBeGreaterThanOrEqual(20);
});

test.each(Object.entries(KEPT))(
  'names and addresses of %s are stored in NFC and mailed as they are typed',
  (_, texts) => {
    for (const text of texts)
      for (const typed of [text, text.normalize('NFD'), ` ${text} `])
        expect(withoutLinks(FullName.parse(typed))).toBe(text.normalize());
  },
);

test.each(DOTTED)(
  '%s: of a proven artist, the name %j is mailed %j, and a street as typed',
  (...row) => {
    const [, typed, name, address = typed] = row;
    const stored = FullName.parse(typed);
    expect([stored, shownAddress(stored), withoutLinks(stored)]).toEqual([typed, address, name]);
  },
);

test.each(EMAILS)('%s: the email %j is stored and mailed as %j', (_, typed, expected) => {
  const { data: stored, error } = Email.safeParse(typed);
  expect(stored ?? error?.issues[0]?.message).toBe(expected);
  if (stored === undefined) return;
  expect(Email.parse(stored)).toBe(stored);
  const { pathname, search, hash } = new URL(mailtoHref(stored));
  expect([decodeURIComponent(pathname), search, hash]).toEqual([stored, '', '']);
  const cell = stored.startsWith('=') ? `"'${stored}"` : stored;
  expect(toCsvLine([stored])).toBe(`${cell}\r\n`);
  const mail = { id: 'id', to: stored, subject: '', text: '', html: '' };
  expect(toNodemailerMessage(mail, 'no-reply@example.com').to).toEqual({
    name: '',
    address: stored,
  });
});

test.each(PHONES)('%s: the phone number %j is stored as %j', (_, typed, expected) => {
  const { data: stored = null } = Phone.safeParse(typed);
  expect(stored).toBe(expected);
  expect(toPhoneCell(stored)).toBe(expected && `tel:${expected}`);
});

test.each(SIZES)(
  '%s: the size %j is stored as %j mm and shown as %j',
  (locale, typed, mm, shown) => {
    const stored = parseDesignSide(typed, locale);
    const size = formatDesignSize({ width_mm: stored, height_mm: null }, locale);
    expect([stored, size]).toEqual([mm, shown]);
  },
);

test.each(PRICES)(
  '%s in %s: the price %j is stored as %j and mailed as %j',
  (currency, locale, typed, expected, mailed) => {
    const { amount = null } = parseAmount(typed, currency, locale);
    expect([amount, amount && formatMoney({ amount, currency }, 'en-US')]).toEqual([
      expected,
      mailed,
    ]);
  },
);

test('a text that is too long is refused before the checks that would take long', () => {
  const typed = { email: 'д'.repeat(15_000), phone_number: `1${' '.repeat(28_000)}x` };
  const issues = AppointmentForm.safeParse(typed).error?.issues;
  const tooBig = (path: string) => expect.objectContaining({ path: [path], code: 'too_big' });
  expect(issues).toEqual([tooBig('phone_number'), tooBig('email')]);
});

test('no character of a password is changed, and eight are counted as they are typed', () => {
  for (const typed of ['e\u0301'.repeat(4), ' \u200bａbc–١٢ ', '👩\u200d🎨'.repeat(3)])
    expect(Password.parse(typed)).toBe(typed);
});

test.each(HANDLES)('the handle %j is stored as %j', (typed, stored) => {
  expect(parseSocialHandle('instagram', typed)).toBe(stored);
});
