import { MAX_SEARCH_LENGTH } from '#domain/list_limits.ts';

interface ClientSearchFieldProps {
  id: string;
  value: string;
  onSearch: (typed: string) => void;
}

/** Finds clients by a part of their name, email or phone number. */
export function ClientSearchField({ id, value, onSearch }: ClientSearchFieldProps) {
  return (
    <search className="field max-w-md">
      <label htmlFor={id}>Search clients</label>
      <input
        id={id}
        type="search"
        value={value}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        placeholder="Name, email or phone number"
        className="input placeholder:text-muted"
        onChange={({ target }) => onSearch(target.value)}
      />
    </search>
  );
}
