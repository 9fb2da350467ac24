import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from 'downshift';
import { useMemo, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { matchTimeZone, searchTimeZones } from '#domain/time_zone_search.ts';
import { useControlledField } from './controlled_field.ts';
import { FieldFrame, type FieldProps, useField } from './fields.tsx';

/**
 * A combobox of time zones, searched by any part of their names. Render it in the browser only: the
 * server may know other zones.
 */
export function TimeZoneField({ name, label, hint, required }: FieldProps) {
  const { id, error, input } = useField({ name, hint });
  const { setValue } = useFormContext();
  const field = useControlledField(name);
  const zone = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const [typed, setTyped] = useState('');
  const zones = useMemo(() => timeZonesIncluding(zone), [zone]);
  const items = useMemo(() => [...searchTimeZones(typed, zones)], [typed, zones]);

  const { isOpen, highlightedIndex, ...combobox } = useCombobox<string>({
    items,
    itemToString: toInputValue,
    selectedItem: zone,
    inputId: id,
    menuId: `${id}-zones`,
    stateReducer: (state, action) => reduceComboboxState(state, action, zones),
    onSelectedItemChange: ({ selectedItem }) =>
      setValue(name, selectedItem ?? '', {
        shouldDirty: true,
        // An empty field is validated on blur, not while the artist deletes the text.
        shouldValidate: selectedItem !== null,
      }),
    onStateChange({ type, inputValue = '', isOpen: opensOrCloses }) {
      if (type === InputChange) setTyped(inputValue);
      // Opening the list again shows all zones, although the input contains the selected name.
      else if (opensOrCloses !== undefined) setTyped('');
    },
  });

  function onBlur(): void {
    field.onBlur();
    if (!isOpen) combobox.setInputValue(toInputValue(zone));
  }
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...combobox.getInputProps({
            ref: field.ref,
            onBlur,
            'aria-labelledby': undefined,
            'aria-invalid': input['aria-invalid'],
            'aria-describedby': input['aria-describedby'],
          })}
          required={required}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          className="input pr-11"
          onFocus={(event) => event.currentTarget.select()}
        />
        <button
          {...combobox.getToggleButtonProps()}
          type="button"
          aria-label="Show time zones"
          className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center text-muted hover:text-ink"
        >
          <svg aria-hidden="true" viewBox="0 0 24 24" className="size-5" fill="none">
            <path d="m6 9 6 6 6-6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
        <ul
          {...combobox.getMenuProps({ 'aria-label': label, 'aria-labelledby': undefined })}
          className={`card absolute inset-x-0 top-full z-20 mt-1 max-h-64 overflow-y-auto py-1 shadow-lg ${
            isOpen ? '' : 'hidden'
          }`}
        >
          {isOpen &&
            items.map((item, index) => (
              <li
                key={item}
                {...combobox.getItemProps({ item, index })}
                className={`flex min-h-11 cursor-pointer items-center px-3 py-2 ${
                  index === highlightedIndex ? 'bg-main text-on-main' : ''
                } ${item === zone ? 'font-semibold' : ''}`}
              >
                {item}
              </li>
            ))}
          {isOpen && items.length === 0 && (
            <li role="presentation" className="px-3 py-2 text-muted">
              No time zone is called that. Try a large city near you.
            </li>
          )}
        </ul>
        <p role="status" className="sr-only">
          {isOpen && typed.trim() !== '' && formatResultCount(items.length)}
        </p>
      </div>
    </FieldFrame>
  );
}

const { InputChange, InputBlur } = useCombobox.stateChangeTypes;

/**
 * While typing, highlights the best match, and selects a zone whose name is typed in full. On blur,
 * replaces an unfinished name with that of the selected zone.
 */
function reduceComboboxState(
  state: UseComboboxState<string>,
  { type, changes }: UseComboboxStateChangeOptions<string>,
  zones: readonly string[],
): Partial<UseComboboxState<string>> {
  if (type === InputBlur && changes.selectedItem === state.selectedItem)
    return { ...changes, inputValue: toInputValue(state.selectedItem) };
  if (type !== InputChange) return changes;
  const typed = changes.inputValue ?? '';
  const selectedItem = matchTimeZone(typed, zones);
  if (selectedItem !== undefined) return { ...changes, selectedItem, isOpen: false };
  if (typed.trim() === '') return { ...changes, selectedItem: null, highlightedIndex: -1 };
  return { ...changes, highlightedIndex: 0 };
}

function toInputValue(zone: string | null): string {
  return zone ?? '';
}

function formatResultCount(count: number): string {
  if (count === 0) return 'No time zone found';
  return count === 1 ? '1 time zone' : `${count} time zones`;
}

/** The browser's zones and the selected one, which the browser may list under another name. */
function timeZonesIncluding(selected: string | null): readonly string[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
  if (selected !== null) zones.add(selected);
  return [...zones].toSorted();
}
