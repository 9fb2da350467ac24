import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import {
  $place,
  $show,
  $waitingCount,
  SHOWS,
  type Show,
  searchFor,
  showOnly,
} from '#stores/studio/appointments.ts';

const NAMES: Record<Show, string> = {
  requests: 'Requests',
  waiting: 'Waiting for the client',
  upcoming: 'Upcoming',
  past: 'Past',
  all: 'All',
};

/** Which appointments are listed. */
export function Filters() {
  const show = useStore($show);
  const { data: waiting = 0 } = useStore($waitingCount);
  return (
    <div className="grid gap-4">
      <ul className="flex flex-wrap gap-2" aria-label="Which appointments">
        {SHOWS.map((one) => (
          <li key={one}>
            <button
              type="button"
              aria-pressed={one === show}
              className="min-h-11 cursor-pointer rounded-full border border-field px-4 font-semibold hover:border-ink aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
              onClick={() => showOnly(one)}
            >
              {NAMES[one]}
              {one === 'requests' && waiting > 0 && ` (${waiting})`}
            </button>
          </li>
        ))}
      </ul>
      <Search />
    </div>
  );
}

const PAUSE_MS = 300;

function Search() {
  const { search } = useStore($place);
  const [typed, setTyped] = useState(search);
  // Back and Forward change it too.
  useEffect(() => setTyped((now) => (now.trim() === search ? now : search)), [search]);
  useEffect(() => {
    const timer = setTimeout(() => searchFor(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <search>
      <input
        type="search"
        aria-label="Search by client name or email"
        className="input max-w-md"
        placeholder="Search by client name or email"
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  );
}
