import { type AppointmentSnapshot, isClientMailKind, type MailData } from '#domain/mail/mail.ts';
import { looksLikeLink, shownAddress, shownEmail, withoutLinks } from '#domain/text/link_text.ts';
import { createAccountMail } from './account_mail.ts';
import { createArtistMail } from './artist_mail.ts';
import { createCalendarAttachment, type EarlierEntry } from './calendar_attachment.ts';
import { createClientMail, NAMELESS_ARTIST } from './client_mail.ts';
import { commonGreeting } from './greeting.ts';
import { createLinksMail } from './links_mail.ts';
import type {
  ContentBlock,
  Footer,
  MailContent,
  MailTokens,
  Site,
  TrustedNotice,
} from './mail_content.ts';
import type { Mail } from './mailer.ts';
import { renderHtml, renderText } from './render_mail.ts';

const NO_ADDRESS = {
  name: '',
  address_one: '',
  address_two: null,
  city: '',
  state: '',
  zip_code: '',
} as const;

const NO_ENTRY: EarlierEntry = { isInCalendar: false, keepOrganizer: async () => undefined };

/**
 * Renders a mail as text and HTML. Alone, a notice comes with a calendar file if it changes the
 * recipient's calendar; several notices become a short list.
 * @param notices to the same person, the newest last
 */
export async function createMail(
  site: Site,
  notices: readonly TrustedNotice[],
  tokens: MailTokens,
  entry: EarlierEntry = NO_ENTRY,
): Promise<Omit<Mail, 'id' | 'to'>> {
  const safeNotices = notices.map(withSafeNames);
  const [first, another] = safeNotices;
  if (!first) throw new Error('A mail without a notice');
  const { notice } = first;
  const content = another
    ? createList(site, safeNotices, tokens)
    : createContent(site, first, tokens);
  const footer = createFooter(site, safeNotices, tokens);
  const mainButton = content.blocks.find((block) => 'button' in block);
  const calendar =
    !another && 'appointment' in notice
      ? await createCalendarAttachment(site, notice.kind, notice.appointment, {
          trust: first,
          ...entry,
        })
      : undefined;
  return {
    subject: content.subject,
    text: renderText(content, footer),
    html: renderHtml(content, footer),
    ...(content.replyTo !== null && { replyTo: content.replyTo }),
    ...(mainButton && { link: mainButton.link }),
    ...(calendar && { calendar }),
    ...(tokens.stopToken !== null && {
      unsubscribeUrl: `${site.apiUrl}/api/v1/mail/stop?token=${tokens.stopToken}`,
    }),
  };
}

function createContent(site: Site, trusted: TrustedNotice, tokens: MailTokens): MailContent {
  const { notice } = trusted;
  const options = { ...trusted, ...tokens };
  if (notice.kind === 'links') return createLinksMail(site, notice, options);
  if (!('appointment' in notice)) return createAccountMail(site, notice, options);
  const { kind } = notice;
  const isCancelled = kind === 'cancelled' || kind === 'client_cancelled';
  const appointment = isCancelled ? withKnownStart(notice.appointment) : notice.appointment;
  return isClientMailKind(kind)
    ? createClientMail(site, kind, appointment, options)
    : createArtistMail(site.siteUrl, kind, appointment, options);
}

/** The appointment at the time before a move of which the recipient got no mail. */
function withKnownStart(appointment: AppointmentSnapshot): AppointmentSnapshot {
  const { time, movedFrom } = appointment;
  if (time === null || movedFrom === null) return appointment;
  const end = movedFrom + (time.end - time.start);
  return { ...appointment, time: { start: movedFrom, end }, movedFrom: null };
}

/** One paragraph and one link for each notice. */
function createList(
  site: Site,
  notices: readonly TrustedNotice[],
  tokens: MailTokens,
): MailContent {
  const areForClient = notices.every(({ notice }) => isClientMailKind(notice.kind));
  const contents = notices.map((trusted) => createContent(site, trusted, tokens));
  const blocks = contents.flatMap((content): ContentBlock[] => {
    const button = content.blocks.find((block) => 'button' in block);
    return [{ text: `${content.subject}.` }, ...(button ? [button] : [])];
  });
  return {
    subject: areForClient
      ? `${notices.length} messages about your appointments`
      : `${notices.length} messages from your studio`,
    // The notices may be about several artists.
    replyTo: null,
    blocks: [{ text: commonGreeting(contents.map(greetingOf)) }, ...blocks],
  };
}

/** The first block of every mail is its greeting. */
function greetingOf({ blocks: [first] }: MailContent): string {
  return first && 'text' in first ? first.text : 'Hi,';
}

function createFooter(
  { productName, siteUrl }: Site,
  notices: readonly TrustedNotice[],
  { stopToken }: MailTokens,
): Footer {
  const studios = notices.flatMap(({ notice }) => studioNames(notice));
  const names = [...new Set(studios)].filter((name) => name !== '').join(', ');
  return {
    text: names === '' ? `Sent by ${productName}.` : `Sent by ${productName} for ${names}.`,
    link:
      stopToken === null
        ? null
        : {
            label: 'Not you? Stop mail to this address',
            url: `${siteUrl}/stop-mail?token=${stopToken}`,
          },
  };
}

/** The studios for whose artists a mail to a client is sent. */
function studioNames(notice: MailData): string[] {
  if (notice.kind === 'links')
    return notice.appointments.map(({ appointment }) => appointment.studio.name);
  if (!('appointment' in notice) || !isClientMailKind(notice.kind)) return [];
  return [notice.appointment.studio.name];
}

/**
 * A notice with only the names that the mail may show. An artist whose email is not proven chooses
 * none of the words that strangers get; the page of the appointment shows them. A client's name that a
 * mail program could make a link of is left out, unless they have used the mailed link.
 */
function withSafeNames(trusted: TrustedNotice): TrustedNotice {
  const { notice, isArtistProven } = trusted;
  if (notice.kind === 'links') {
    const { artist, appointments } = notice;
    const name = isArtistProven ? withoutLinks(artist.name) : NAMELESS_ARTIST;
    const toSafe = isArtistProven ? withoutLinksInAppointment : withoutNames;
    const safe = appointments.map((one) => ({ ...one, appointment: toSafe(one.appointment) }));
    return { ...trusted, notice: { ...notice, artist: { ...artist, name }, appointments: safe } };
  }
  if (notice.kind === 'data_requested') {
    const client = withSafeName(notice.client, false);
    return { ...trusted, notice: { ...notice, client } };
  }
  if (notice.kind === 'contact_message') {
    const { message } = notice;
    const name = withSafeName(message, false).name ?? shownEmail(message.email);
    return { ...trusted, notice: { ...notice, message: { ...message, name } } };
  }
  if (!('appointment' in notice)) return trusted;
  const isNameless = isClientMailKind(notice.kind) && !isArtistProven;
  const toSafe = isNameless ? withoutNames : withoutLinksInAppointment;
  const appointment = toSafe(notice.appointment);
  const client = withSafeName(appointment.client, trusted.isAppointmentProven);
  return { ...trusted, notice: { ...notice, appointment: { ...appointment, client } } };
}

/** @param isProven whether the person has proven their email; else a name like a link becomes null */
function withSafeName<Person extends { readonly name: string | null }>(
  person: Person,
  isProven: boolean,
): Person & { readonly name: string | null } {
  const { name } = person;
  if (name === null) return person;
  return { ...person, name: isProven || !looksLikeLink(name) ? withoutLinks(name) : null };
}

/** The appointment without any text that the artist or the client typed. */
function withoutNames(appointment: AppointmentSnapshot): AppointmentSnapshot {
  const { artist, studio, client } = appointment;
  return {
    ...appointment,
    artist: { ...artist, name: NAMELESS_ARTIST },
    studio: { ...NO_ADDRESS, time_zone: studio.time_zone },
    // The link of the mail depends on the address.
    client: { ...client, name: null },
    service: null,
    design: null,
    wishes: null,
  };
}

/** The appointment with texts of the artist that no mail program makes a link of. */
function withoutLinksInAppointment(appointment: AppointmentSnapshot): AppointmentSnapshot {
  const { artist, studio, service, design } = appointment;
  return {
    ...appointment,
    artist: { ...artist, name: withoutLinks(artist.name) },
    studio: {
      ...studio,
      name: withoutLinks(studio.name),
      address_one: shownAddress(studio.address_one),
      address_two: studio.address_two && shownAddress(studio.address_two),
      city: shownAddress(studio.city),
      state: shownAddress(studio.state),
      zip_code: shownAddress(studio.zip_code),
    },
    service: service && withoutLinks(service),
    design: design && withoutLinks(design),
  };
}
