import { useStore } from '@nanostores/react';
import { MAX_SEARCH_LENGTH } from '#domain/requests/list_limits.ts';
import type { SearchedList } from '#stores/studio/searched_list.ts';
import type { Elements } from '../elements.ts';

interface SearchFieldProps<Item> {
  list: SearchedList<Item>;
  id: string;
  label: string;
  placeholder: string;
  children?: Elements;
}

/** Searches a list while the artist types. It may stand inside a form that is about something else. */
export function SearchField<Item>(props: SearchFieldProps<Item>) {
  const { list, id, label, placeholder, children } = props;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        value={useStore(list.$typed)}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={placeholder}
        className="input placeholder:text-muted"
        onChange={({ target }) => list.search(target.value)}
        onKeyDown={(event) => {
          // Enter would submit the form.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      {children}
    </div>
  );
}
