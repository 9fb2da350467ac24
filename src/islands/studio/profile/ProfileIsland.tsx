import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { createStudioPage } from '../create_studio_page.tsx';
import { Section } from '../Section.tsx';
import { AvatarSection } from './AvatarSection.tsx';
import { BlockedSection } from './BlockedSection.tsx';
import { DeleteAccountSection } from './DeleteAccountDialog.tsx';
import { ExportSection } from './ExportSection.tsx';
import { LoginsSection } from './LoginsSection.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { EmailSection, PasswordSection } from './PasswordSections.tsx';
import { PricesSection } from './PricesSection.tsx';
import {
  AboutSection,
  BookingSection,
  PublicEmailSection,
  RemindersSection,
  UsernameSection,
} from './ProfileForms.tsx';
import { StudioSection } from './StudioSection.tsx';

const SECTIONS = [
  { id: 'picture', title: 'Picture', Content: AvatarSection },
  { id: 'about', title: 'About you', Content: AboutSection },
  { id: 'username', title: 'Username', Content: UsernameSection },
  { id: 'booking', title: 'How clients book', Content: BookingSection },
  { id: 'prices', title: 'Prices and terms', Content: PricesSection },
  { id: 'blocked', title: 'Blocked senders', Content: BlockedSection },
  { id: 'reminders', title: 'Reminders', Content: RemindersSection },
  { id: 'studio', title: 'Studio', Content: StudioSection },
  { id: 'public-email', title: 'Email on your page', Content: PublicEmailSection },
  { id: 'email', title: 'Email', Content: EmailSection },
  { id: 'password', title: 'Password', Content: PasswordSection },
  { id: 'passkeys', title: 'Passkeys', Content: PasskeysSection },
  { id: 'logins', title: 'Logins', Content: LoginsSection },
  { id: 'data', title: 'Your data', Content: ExportSection },
  { id: 'delete', title: 'Delete the account', Content: DeleteAccountSection },
];

/** The studio page of the artist's profile; each section is saved by itself. */
export default createStudioPage('profile', Profile);

function Profile({ me }: { me: CurrentArtist }) {
  // The browser looked for the section of a link such as `#password` before React rendered it.
  useEffect(() => {
    const id = location.hash.slice(1);
    if (id !== '') document.getElementById(id)?.scrollIntoView();
  }, []);
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,44rem)_12rem] xl:gap-10">
      <div className="grid grid-cols-1 gap-6">
        {SECTIONS.map(({ id, title, Content }) => (
          <Section key={id} id={id} title={title}>
            <Content me={me} />
          </Section>
        ))}
      </div>
      <nav aria-label="Parts of the profile" className="sticky top-10 max-xl:hidden">
        <ul className="border-l border-line">
          {SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex min-h-11 items-center px-4 text-muted hover:text-ink hover:underline"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
