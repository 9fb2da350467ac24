import { useEffect } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { AboutSection } from './AboutSection.tsx';
import { AvatarSection } from './AvatarSection.tsx';
import { BookingSection } from './BookingSection.tsx';
import { DeleteAccountSection } from './DeleteAccountSection.tsx';
import { PasswordSection } from './PasswordSection.tsx';
import { RemindersSection } from './RemindersSection.tsx';
import { StudioSection } from './StudioSection.tsx';
import { PROFILE_SECTIONS } from './sections.ts';
import { UsernameSection } from './UsernameSection.tsx';

/** Who the artist is and where; each part is saved by itself. */
export function Profile({ me }: { me: CurrentArtist }) {
  useEffect(scrollToHash, []);
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,44rem)_12rem] xl:gap-10">
      <div className="grid gap-6">
        <AvatarSection me={me} />
        <AboutSection me={me} />
        <UsernameSection me={me} />
        <BookingSection me={me} />
        <RemindersSection me={me} />
        <StudioSection me={me} />
        <PasswordSection me={me} />
        <DeleteAccountSection me={me} />
      </div>
      <nav aria-label="Parts of the profile" className="sticky top-10 max-xl:hidden">
        <ul className="border-l border-line">
          {PROFILE_SECTIONS.map(({ id, title }) => (
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

/** The browser looked for the part before it was on the page. */
function scrollToHash(): void {
  const part = location.hash.slice(1);
  if (part !== '') document.getElementById(part)?.scrollIntoView();
}
