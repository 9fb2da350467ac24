import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from 'downshift';
import { useMemo, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { countryOfLanguage, zonesOfCountry } from '#domain/time/country_zones.ts';
import { currentZoneName } from '#domain/time/current_zone_name.ts';
import { pluralize } from '#domain/time/duration.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import {
  matchTimeZone,
  onlyTimeZoneNamed,
  searchTimeZones,
} from '#domain/time/time_zone_search.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { useControlledField } from './controlled_field.ts';
import { FieldFrame, type FieldProps, useField } from './fields.tsx';

const { InputChange, InputBlur, InputKeyDownEscape } = useCombobox.stateChangeTypes;

/**
 * A combobox of time zones, searched by any part of their names, and by cities and countries. Render it
 * in the browser only: the server may know other zones.
 */
export function TimeZoneField({ name, label, hint, required }: FieldProps) {
  const { id, error, input } = useField({ name, hint });
  const { setValue } = useFormContext();
  const field = useControlledField(name);
  const zone = typeof field.value === 'string' && field.value !== '' ? field.value : null;
  const [typed, setTyped] = useState('');
  const zones = useMemo(() => timeZonesIncluding(zone), [zone]);
  // Other names by zone, such as of cities and countries; loaded with the first focus.
  const [otherNames, setOtherNames] = useState<ReadonlyMap<string, readonly string[]>>();
  const items = useMemo(
    () => [...searchTimeZones(typed, zones, otherNames)],
    [typed, zones, otherNames],
  );

  async function loadOtherNames(): Promise<void> {
    if (otherNames !== undefined) return;
    // Without a connection, the zones' own names are searched.
    const loaded = await import('#domain/time/time_zone_names.ts').catch(() => null);
    if (loaded) setOtherNames(loaded.otherZoneNames());
  }

  const { isOpen, highlightedIndex, ...combobox } = useCombobox<string>({
    items,
    itemToString: (item) => item ?? '',
    selectedItem: zone,
    inputId: id,
    menuId: `${id}-zones`,
    stateReducer: (state, action) => reduceComboboxState(state, action, zones, otherNames),
    onSelectedItemChange: ({ selectedItem }) =>
      setValue(name, selectedItem ?? '', {
        shouldDirty: true,
        // An empty field is validated on blur, not while the artist deletes the text.
        shouldValidate: selectedItem !== null,
      }),
    onStateChange({ type, inputValue = '', isOpen: newIsOpen }) {
      // A name that is typed in full is selected, and the list is closed.
      if (type === InputChange) setTyped(matchTimeZone(inputValue, zones) ? '' : inputValue);
      // Opening the list again shows all zones, although the input contains the selected name.
      else if (newIsOpen !== undefined) setTyped('');
    },
  });

  function onBlur(): void {
    field.onBlur();
    if (!isOpen) combobox.setInputValue(zone ?? '');
  }
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...combobox.getInputProps({
            ref: field.ref,
            onBlur,
            // The `label` element names the input, not downshift's own id.
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
          onFocus={(event) => {
            event.currentTarget.select();
            void loadOtherNames();
          }}
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
          {...combobox.getMenuProps({
            'aria-label': label,
            'aria-labelledby': undefined,
            // Otherwise Chrome makes the list itself a stop of the Tab key, because it scrolls.
            tabIndex: -1,
          })}
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
          {isOpen &&
            typed.trim() !== '' &&
            (items.length === 0 ? 'No time zone found' : pluralize(items.length, 'time zone'))}
        </p>
      </div>
    </FieldFrame>
  );
}

/**
 * While typing, highlights the best match, and selects a zone whose name is typed in full. On blur, selects
 * the only zone with exactly the typed name; any other text is replaced with the selected zone.
 */
function reduceComboboxState(
  state: UseComboboxState<string>,
  { type, changes }: UseComboboxStateChangeOptions<string>,
  zones: readonly string[],
  otherNames: ReadonlyMap<string, readonly string[]> | undefined,
): Partial<UseComboboxState<string>> {
  if (type === InputBlur) {
    const named = onlyTimeZoneNamed(state.inputValue, zones, otherNames);
    const selectedItem = named ?? state.selectedItem;
    return { ...changes, selectedItem, inputValue: selectedItem ?? '' };
  }
  // By default, Escape clears the field.
  if (type === InputKeyDownEscape && !state.isOpen) return state;
  if (type !== InputChange) return changes;
  const typed = changes.inputValue ?? '';
  const selectedItem = matchTimeZone(typed, zones);
  if (selectedItem !== undefined) return { ...changes, selectedItem, isOpen: false };
  if (typed.trim() === '') return { ...changes, selectedItem: null, highlightedIndex: -1 };
  return { ...changes, highlightedIndex: 0 };
}

/**
 * The browser's zones and the selected one, which the browser may list under another name. The likely ones come
 * first: the selected one, and those of the device and of its language's country.
 */
function timeZonesIncluding(selected: string | null): readonly string[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone').map(currentZoneName), 'UTC']);
  if (selected !== null) {
    // Lists the zone once, by its selected name.
    zones.delete(currentZoneName(selected));
    zones.add(selected);
  }
  const ofDevice = currentZoneName(deviceTimeZone() ?? '');
  const ofLanguage = zonesOfCountry(countryOfLanguage(visitorLocale())).map(currentZoneName);
  const likely = [selected ?? '', ofDevice, ...ofLanguage].filter((zone) => zones.has(zone));
  return [...new Set([...likely, ...[...zones].toSorted()])];
}
