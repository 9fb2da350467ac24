import type { CurrentArtist } from '#contract/artist.ts';
import { saveBooks } from '#stores/studio/hours.ts';
import { RadioButton } from '../../forms/RadioButton.tsx';

/** Whether clients can book and ask for appointments. Each choice is saved at once. */
export function BooksCard({ me }: { me: CurrentArtist }) {
  const { is_open: isOpen, state } = me.books;
  // Only artists who set the times themselves can open by dates, which is the state null.
  const canOpenByDates = me.scheduling_type === 'managed';
  return (
    <section className="card p-4 sm:p-6" aria-labelledby="books-heading">
      <h2 id="books-heading" className="text-2xl">
        {isOpen ? 'Your books are open' : 'Your books are closed'}
      </h2>
      <fieldset className="mt-3">
        <legend className="sr-only">Your books</legend>
        <RadioButton
          checked={state === 'open' || (state === null && !canOpenByDates)}
          onSelect={() => saveBooks('open')}
        >
          Open
        </RadioButton>
        {canOpenByDates && (
          <RadioButton checked={state === null} onSelect={() => saveBooks(null)}>
            Open on the days of “How far ahead” below
          </RadioButton>
        )}
        <RadioButton checked={state === 'closed'} onSelect={() => saveBooks('closed')}>
          Closed: your pages say so in place of the form
        </RadioButton>
      </fieldset>
      <p className="mt-2 text-muted">
        Appointments, holds and offers that you have go on, and you can still enter new ones.
      </p>
    </section>
  );
}
