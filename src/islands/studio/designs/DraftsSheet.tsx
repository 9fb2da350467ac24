import { useStore } from '@nanostores/react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import * as z from 'zod/mini';
import { type Design, DesignChanges } from '#contract/design.ts';
import { toTypedAmount } from '#domain/money/amount_input.ts';
import type { Money } from '#domain/money/money.ts';
import { sideUnit } from '#domain/studio/design.ts';
import { $draftProgress, $drafts, saveDrafts } from '#stores/studio/designs.ts';
import { openDialog } from '#stores/studio/dialog.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { Button } from '../buttons.tsx';
import {
  onlyDirty,
  useChangedValues,
  useFormSubmit,
  useUnsavedChanges,
  useUnsavedChangesWarning,
} from '../form_hooks.ts';
import { QueryView } from '../LoadableView.tsx';
import { AmountField } from '../money/PriceFields.tsx';
import { moneyFormSchema } from '../money/price_form.ts';
import { toTypedFacts, typedFactSchemas } from './design_form.ts';

/** The artist's drafts as a sheet, which is published at one tap; nothing without drafts. */
export function DraftsSheet({ currency }: { currency: string }) {
  return (
    <QueryView query={$drafts} label="drafts">
      {(drafts) => drafts.length > 0 && <DraftsForm drafts={drafts} currency={currency} />}
    </QueryView>
  );
}

function DraftsForm({ drafts, currency }: { drafts: readonly Design[]; currency: string }) {
  const locale = visitorLocale();
  const schema = createSchema(drafts, currency, locale);
  const form = useValidatedForm(schema, { drafts: toRows(drafts, locale) });
  const { dirtyFields, isDirty, isSubmitting } = form.formState;
  useUnsavedChanges('drafts-sheet', form);
  useUnsavedChangesWarning(useStore($draftProgress) !== null);
  useSavedDrafts(form, drafts, locale);
  // Only the artist's changes in the sheet: the rest may have been changed in a dialog.
  const toEdits = ({ drafts: rows }: SheetOutput) =>
    drafts.map(({ id, name }) => ({
      id,
      name: rows[id]?.name ?? name,
      changes: onlyDirty(rows[id] ?? {}, dirtyFields.drafts?.[id] ?? {}),
    }));
  const publish = useFormSubmit(form, (values) => saveDrafts(toEdits(values), { publish: true }));
  const save = useFormSubmit(form, async (values) => {
    await saveDrafts(toEdits(values), { publish: false });
    form.reset(form.getValues());
  });
  const problem = publish.problem ?? save.problem;
  return (
    <section aria-labelledby="drafts-title" className="card grid gap-4 p-4 sm:p-6">
      <div>
        <h2 id="drafts-title" className="text-2xl">
          Drafts
        </h2>
        <p className="max-w-prose text-muted">
          Clients do not see them yet. Fill in what you know, and publish all at once.
        </p>
      </div>
      <FormProvider {...form}>
        <form noValidate onSubmit={publish.submit} className="grid gap-4">
          <ul className="grid divide-y divide-line" inert={isSubmitting}>
            {drafts.map((draft) => (
              <DraftRow key={draft.id} draft={draft} currency={currencyOf(draft, currency)} />
            ))}
          </ul>
          <div role="alert" className="text-danger empty:hidden">
            {problem && <p>{`${problem} What you typed is still here.`}</p>}
          </div>
          <div className="flex flex-wrap gap-3">
            <BusyButton type="submit" busy={isSubmitting} className="button button-main">
              <PublishLabel count={drafts.length} />
            </BusyButton>
            {isDirty && !isSubmitting && <Button label="Save as drafts" onClick={save.submit} />}
          </div>
        </form>
      </FormProvider>
    </section>
  );
}

function PublishLabel({ count }: { count: number }) {
  const progress = useStore($draftProgress);
  if (progress) {
    const verb = progress.isPublished ? 'Publishing' : 'Saving';
    return <span>{`${verb} ${progress.done + 1} of ${progress.total}…`}</span>;
  }
  return <span>{count === 1 ? 'Publish it' : `Publish all ${count}`}</span>;
}

function DraftRow({ draft, currency }: { draft: Design; currency: string }) {
  const unit = sideUnit(visitorLocale());
  const path = `drafts.${draft.id}`;
  const decimal = { inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <li className="grid gap-x-4 py-4 first:pt-0 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <div className="flex flex-wrap items-start gap-3 pb-2 sm:grid">
        <Picture
          image={draft.image}
          sizes="7rem"
          className="aspect-4/5 w-20 rounded-lg border border-line bg-flash sm:w-28"
          fit="contain"
        />
        <Button
          label="More"
          labelEnd={` about ${draft.name}`}
          onClick={() => openDialog(draft.id)}
        />
      </div>
      <fieldset className="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(min(8rem,100%),1fr))] gap-x-4 sm:grid-cols-2 lg:grid-cols-4">
        <legend className="sr-only">{draft.name}</legend>
        <div className="col-span-full sm:col-span-2">
          <TextField name={`${path}.name`} label="Name" required />
        </div>
        <div className="col-span-full sm:col-span-2">
          <TextField name={`${path}.description`} label="What one sees" />
        </div>
        <div className="col-span-full sm:col-span-1">
          <AmountField name={`${path}.price`} label="Price" currency={currency} />
        </div>
        <TextField {...decimal} name={`${path}.width_mm`} label={`Width (${unit})`} />
        <TextField {...decimal} name={`${path}.height_mm`} label={`Height (${unit})`} />
        <div className="col-span-full sm:col-span-1">
          <TextField {...decimal} name={`${path}.editions`} label="How often (empty: any)" />
        </div>
      </fieldset>
    </li>
  );
}

/** Shows what was saved elsewhere, such as in a draft's dialog, and keeps what the artist typed here. */
function useSavedDrafts(
  form: UseFormReturn<SheetInput, unknown, SheetOutput>,
  drafts: readonly Design[],
  locale: string,
): void {
  const { formState, getValues, reset } = form;
  useChangedValues(toRows(drafts, locale), (saved) => {
    const typed = getValues('drafts');
    const dirty = formState.dirtyFields.drafts ?? {};
    const merged = Object.entries(saved).map(([id, row]) => [
      id,
      { ...row, ...onlyDirty(typed[id] ?? {}, dirty[id] ?? {}) },
    ]);
    // Makes the saved drafts the default values; then what was typed differs from them, and stays dirty.
    reset({ drafts: saved });
    reset({ drafts: Object.fromEntries(merged) }, { keepDefaultValues: true });
  });
}

type SheetInput = z.input<ReturnType<typeof createSchema>>;
type SheetOutput = z.output<ReturnType<typeof createSchema>>;

/** The currency of a draft's price: a new price is in `currency`, a stored one keeps its own. */
function currencyOf({ price }: Design, currency: string): string {
  return price?.kind === 'fixed' ? price.currency : currency;
}

function createSchema(drafts: readonly Design[], currency: string, locale: string) {
  const rows = drafts.map((draft) => [draft.id, createRowSchema(draft, currency, locale)] as const);
  return z.object({ drafts: z.object(Object.fromEntries(rows)) });
}

/** The schema of a draft's row. Its output is the input of the API. */
function createRowSchema(draft: Design, currency: string, locale: string) {
  const { name, description } = DesignChanges.shape;
  return z.object({
    name: z.nonoptional(name),
    description: z.nonoptional(description),
    price: z.pipe(
      moneyFormSchema(currencyOf(draft, currency), locale),
      z.transform((money: Money | null) =>
        money === null ? null : { kind: 'fixed' as const, ...money, amount_to: null },
      ),
    ),
    ...typedFactSchemas(draft, locale),
  });
}

function toRows(drafts: readonly Design[], locale: string) {
  return Object.fromEntries(drafts.map((draft) => [draft.id, toRow(draft, locale)]));
}

function toRow(draft: Design, locale: string) {
  const { name, description, price } = draft;
  // The field takes one amount: prices of other kinds are edited in the draft's dialog.
  const typedPrice = price?.kind === 'fixed' ? toTypedAmount(price, locale) : '';
  return { name, description, price: typedPrice, ...toTypedFacts(draft, locale) };
}
