import { useStore } from '@nanostores/react';
import { FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import { type Design, DesignChanges } from '#contract/design.ts';
import { toTypedAmount } from '#domain/amount_input.ts';
import { sideUnit } from '#domain/design.ts';
import { openDialog } from '#stores/studio/dialog.ts';
import { $draftProgress, $drafts, saveDrafts } from '#stores/studio/drafts.ts';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { TextField } from '../../forms/fields.tsx';
import { useFormDraft, useValidatedForm } from '../../forms/validated_form.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { useFormSubmit, useUnsavedChangesWarning } from '../form_hooks.ts';
import { AmountField } from '../money/PriceFields.tsx';
import { moneyFormSchema } from '../money/price_form.ts';
import { editionsFieldSchema, sideFieldSchema, toTypedFacts } from './design_fields.ts';

/** The artist's drafts as a sheet, which is published at one tap; nothing without drafts. */
export function DraftsSheet({ currency }: { currency: string }) {
  const { data: drafts = [] } = useStore($drafts);
  if (drafts.length === 0) return null;
  // Another set of drafts is another form.
  const key = drafts.map(({ id }) => id).join();
  return <DraftsForm key={key} drafts={drafts} currency={currency} />;
}

interface DraftsFormProps {
  drafts: readonly Design[];
  currency: string;
}

function DraftsForm({ drafts, currency }: DraftsFormProps) {
  const locale = navigator.language;
  const form = useValidatedForm(createSchema(currency, locale), {
    drafts: drafts.map((draft) => toRow(draft, locale)),
  });
  const { isDirty, isSubmitting } = form.formState;
  useFormDraft('drafts', form);
  useUnsavedChangesWarning(isDirty);
  const toChanges = (rows: readonly Row[]) =>
    drafts.map(({ id, price }, index) => {
      const row = rows[index];
      if (!row) return { id, changes: {} };
      const { amount, width, height, ...changes } = row;
      // A price of another kind than a fixed one is set in the dialog, and has no amount here.
      const isKept = price !== null && price.kind !== 'fixed' && amount === null;
      const fixed = amount && ({ kind: 'fixed', ...amount } as const);
      return {
        id,
        changes: {
          ...changes,
          width_mm: width,
          height_mm: height,
          ...(!isKept && { price: fixed }),
        },
      };
    });
  const publish = useFormSubmit(form, async ({ drafts: rows }) =>
    saveDrafts(toChanges(rows), true),
  );
  const save = useFormSubmit(form, async ({ drafts: rows }) => {
    await saveDrafts(toChanges(rows), false);
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
            {drafts.map((draft, index) => (
              <DraftRow key={draft.id} draft={draft} index={index} currency={currency} />
            ))}
          </ul>
          <div role="alert" className="text-danger empty:hidden">
            {problem && <p>{`${problem} What you typed is still here.`}</p>}
          </div>
          <div className="flex flex-wrap gap-3">
            <BusyButton type="submit" busy={isSubmitting} className="button button-main">
              <PublishLabel count={drafts.length} />
            </BusyButton>
            {isDirty && !isSubmitting && (
              <button type="button" className="button" onClick={save.submit}>
                Save as drafts
              </button>
            )}
          </div>
        </form>
      </FormProvider>
    </section>
  );
}

function PublishLabel({ count }: { count: number }) {
  const progress = useStore($draftProgress);
  if (progress) return <span>{`Saving ${progress.done + 1} of ${progress.total}…`}</span>;
  return <span>{count === 1 ? 'Publish it' : `Publish all ${count}`}</span>;
}

interface DraftRowProps {
  draft: Design;
  index: number;
  currency: string;
}

function DraftRow({ draft, index, currency }: DraftRowProps) {
  const unit = sideUnit(navigator.language);
  const path = `drafts.${index}`;
  const number = { inputMode: 'decimal', autoComplete: 'off' } as const;
  return (
    <li className="grid gap-x-4 py-4 first:pt-0 sm:grid-cols-[7rem_minmax(0,1fr)]">
      <div className="flex items-start gap-3 pb-2 sm:grid">
        <Picture
          image={draft.image}
          sizes="7rem"
          className="aspect-4/5 w-20 rounded-lg border border-line bg-flash sm:w-28"
          fit="contain"
        />
        <button type="button" className="button" onClick={() => openDialog(draft.id)}>
          <span>More</span>
          <span className="sr-only">{` about ${draft.name}`}</span>
        </button>
      </div>
      <fieldset className="grid min-w-0 gap-x-4 sm:grid-cols-2 lg:grid-cols-4">
        <legend className="sr-only">{draft.name}</legend>
        <div className="sm:col-span-2">
          <TextField name={`${path}.name`} label="Name" required />
        </div>
        <div className="sm:col-span-2">
          <TextField name={`${path}.description`} label="What one sees" />
        </div>
        <AmountField name={`${path}.amount`} label="Price" currency={currency} />
        <TextField {...number} name={`${path}.width`} label={`Width (${unit})`} />
        <TextField {...number} name={`${path}.height`} label={`Height (${unit})`} />
        <TextField {...number} name={`${path}.editions`} label="How often (empty: any)" />
      </fieldset>
    </li>
  );
}

type Row = z.output<ReturnType<typeof createSchema>>['drafts'][number];

function createSchema(currency: string, locale: string) {
  const side = sideFieldSchema(locale);
  const { name, description } = DesignChanges.shape;
  return z.object({
    drafts: z.array(
      z.object({
        name: z.nonoptional(name),
        description: z.nonoptional(description),
        amount: moneyFormSchema(currency, locale),
        width: side,
        height: side,
        editions: editionsFieldSchema,
      }),
    ),
  });
}

function toRow(draft: Design, locale: string) {
  const { name, description, price } = draft;
  const amount = price?.kind === 'fixed' ? toTypedAmount(price, locale) : '';
  return { name, description, amount, ...toTypedFacts(draft, locale) };
}
