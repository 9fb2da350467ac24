import { useFormContext, useFormState, useWatch } from 'react-hook-form';
import { TextAreaField } from '../forms/fields.tsx';
import { Button } from './buttons.tsx';

interface NotesFieldProps {
  /** The field with the text, and the field with the version of the notes that the artist has seen. */
  name: string;
  versionName: string;
  /** The notes as they are stored now. */
  saved: { readonly text: string; readonly version: number };
  label: string;
  hint: string;
  rows: number;
}

/**
 * Private notes. If another device has changed them since the form was opened, its text stands beside the
 * typed one, and the API refuses the typed one until the artist has decided.
 */
export function NotesField({ name, versionName, saved, ...field }: NotesFieldProps) {
  const { setValue } = useFormContext();
  const typed = String(useWatch({ name }) ?? '');
  const { dirtyFields } = useFormState({ name });
  const isStale = useWatch({ name: versionName }) !== saved.version;

  function decide(text: string): void {
    setValue(name, text, { shouldDirty: true });
    setValue(versionName, saved.version);
  }

  return (
    <div>
      <TextAreaField name={name} {...field} />
      <div role="status">
        {isStale && name in dirtyFields && typed !== saved.text && (
          <div className="card mb-4 grid gap-3 p-4">
            <p className="font-semibold">Saved on another device in the meantime:</p>
            <p className="whitespace-pre-line wrap-anywhere">{saved.text || 'No notes'}</p>
            <div className="flex flex-wrap gap-3">
              <Button
                label="Keep both"
                onClick={() => decide([saved.text, typed].filter(Boolean).join('\n\n'))}
              />
              <Button label="Keep only mine" onClick={() => decide(typed)} />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
