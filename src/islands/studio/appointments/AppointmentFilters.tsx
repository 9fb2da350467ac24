import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { MAX_SEARCH_LENGTH } from '#domain/requests/list_limits.ts';
import { $bookingAlarm } from '#stores/studio/abuse.ts';
import {
  $filter,
  $requestCount,
  $unmarkedAppointments,
  $urlState,
  APPOINTMENT_FILTERS,
  type AppointmentFilter,
  setFilter,
  setSearch,
} from '#stores/studio/appointments.ts';
import { whenTypingPauses } from '#stores/typing.ts';

const FILTER_LABELS: Record<AppointmentFilter, string> = {
  requests: 'Requests',
  waiting: 'Waiting for the client',
  upcoming: 'Upcoming',
  unmarked: 'To mark',
  past: 'Past',
  all: 'All',
  alarm: 'Unusually many',
};

/** The ref of the selected filter, which may be outside the visible part of the row. */
const scrollIntoView = (button: HTMLButtonElement | null) =>
  button?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Chooses which appointments are listed: by status or time, and by a search. */
export function AppointmentFilters() {
  const selected = useStore($filter);
  const requests = useStore($requestCount).data;
  const unmarked = useStore($unmarkedAppointments).data?.count;
  const alarm = useStore($bookingAlarm).data?.bookings;
  const counts: Partial<Record<AppointmentFilter, number | undefined>> = { requests, unmarked };
  // These two lists are not offered while they are empty, as they usually are.
  const hidden = new Set<AppointmentFilter>();
  if (!unmarked) hidden.add('unmarked');
  if (!alarm) hidden.add('alarm');
  const filters = APPOINTMENT_FILTERS.filter((name) => name === selected || !hidden.has(name));
  return (
    <div className="grid gap-4">
      {/* One row that scrolls: in two, the counts, which load later, could add a line and move all below. */}
      <ul className="-m-1 flex gap-2 overflow-x-auto p-1" aria-label="Which appointments">
        {filters.map((filter) => (
          <li key={filter} className="shrink-0">
            <button
              type="button"
              ref={filter === selected ? scrollIntoView : undefined}
              aria-pressed={filter === selected}
              className="min-h-11 cursor-pointer rounded-full border border-field px-4 font-semibold hover:border-ink aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
              onClick={() => setFilter(filter)}
            >
              {counts[filter]
                ? `${FILTER_LABELS[filter]} (${counts[filter]})`
                : FILTER_LABELS[filter]}
            </button>
          </li>
        ))}
      </ul>
      <AppointmentSearch />
    </div>
  );
}

const applySearch = whenTypingPauses((text) => setSearch(text.trim()));

function AppointmentSearch() {
  const { search } = useStore($urlState);
  const [typed, setTyped] = useState(search);
  // Back and Forward in the browser change the applied search, and so the field. Spaces around it are only typed.
  useEffect(() => {
    setTyped((text) => (text.trim() === search ? text : search));
    return applySearch.cancel;
  }, [search]);
  return (
    <search>
      <input
        type="search"
        aria-label="Search by client name, email or phone"
        className="input max-w-md"
        placeholder="Search by client name, email or phone"
        autoComplete="off"
        maxLength={MAX_SEARCH_LENGTH}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          applySearch(target.value);
        }}
      />
    </search>
  );
}
