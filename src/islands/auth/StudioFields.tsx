import { TextField } from '../forms/fields.tsx';
import { TimeZoneField } from '../forms/TimeZoneField.tsx';

/** Step 2 of the signup: the studio. */
export function StudioFields() {
  return (
    <div className="grid gap-2">
      <TextField name="studio_name" label="Studio name" autoComplete="organization" required />
      <TextField name="address_one" label="Address line 1" autoComplete="address-line1" required />
      <TextField
        name="address_two"
        label="Address line 2 (optional)"
        autoComplete="address-line2"
      />
      <TextField name="city" label="City" autoComplete="address-level2" required />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <TextField name="state" label="State" autoComplete="address-level1" required />
        <TextField name="zip_code" label="Zip code" autoComplete="postal-code" required />
      </div>
      <TimeZoneField
        name="time_zone"
        label="Time zone"
        hint="Your calendar runs on this clock. Type a city to search."
        required
      />
    </div>
  );
}
