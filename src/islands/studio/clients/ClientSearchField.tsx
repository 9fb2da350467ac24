import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { $searchInput, setSearch } from '#stores/studio/clients.ts';

export function ClientSearchField() {
  const typed = useStore($searchInput);
  const id = useId();
  return (
    <search className="field max-w-md">
      <label htmlFor={id}>Search clients</label>
      <input
        id={id}
        type="search"
        value={typed}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        placeholder="Name, email or phone number"
        className="input placeholder:text-muted"
        onChange={({ target }) => setSearch(target.value)}
      />
    </search>
  );
}
