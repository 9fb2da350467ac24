// Merging two clients who are one person: finding the other one, and Undo after it.
import { atom } from 'nanostores';
import type { ClientRecord } from '#contract/client.ts';
import { listClients, mergeClients, undoClientMerge } from '#contract/endpoints.ts';
import { showFailureToast } from '../error_text.ts';
import { callAsArtist } from '../session.ts';
import { closeErrorToasts, showSuccessToast } from '../toasts.ts';
import { whenTypingPauses } from '../typing.ts';
import { createQuery, revalidate } from './queries.ts';

/** The question shows no more: a longer list is searched. */
const MAX_CANDIDATES = 8;

/** The client who remains while the artist looks for the other one; null while they do not. */
export const $keptClientId = atom<string | null>(null);
/** The text in the search field; the list follows when the artist stops typing. */
export const $otherSearchInput = atom('');
/** Part of the other one's name, email or phone number. */
export const $otherSearch = atom('');

/** Clients with whom the open one can be merged. */
export const $mergeCandidates = createQuery(
  ['clients', 'merge', $keptClientId, $otherSearch],
  async () => {
    const query = { search: $otherSearch.get(), limit: MAX_CANDIDATES + 1 };
    const { data } = await callAsArtist(listClients, { query });
    return data.filter(({ id }) => id !== $keptClientId.get()).slice(0, MAX_CANDIDATES);
  },
);

/** Starts to look for the other client, among those with the same first name. */
export function startMerge({ id, first_name }: Pick<ClientRecord, 'id' | 'first_name'>): void {
  $otherSearchInput.set(first_name ?? '');
  $otherSearch.set(first_name ?? '');
  $keptClientId.set(id);
}

const applyOtherSearch = whenTypingPauses((text) => $otherSearch.set(text.trim()));

/** Searches for a part of a name, email or phone number, when the artist stops typing. */
export function setOtherSearch(text: string): void {
  $otherSearchInput.set(text);
  applyOtherSearch(text);
}

export function stopMerge(): void {
  $keptClientId.set(null);
}

/** Merges another client into one. Shows success with Undo, or the error. */
export async function mergeClient(
  remaining: { readonly id: string; readonly name: string },
  other: { readonly id: string; readonly name: string },
): Promise<void> {
  closeErrorToasts();
  try {
    const merge = await callAsArtist(mergeClients, {
      path: { client_id: remaining.id },
      body: { client_id: other.id },
    });
    showSuccessToast(
      'Merged.',
      `The appointments of ${other.name} are with ${remaining.name} now.`,
      {
        label: 'Undo',
        run: () => void undoMerge(merge.id),
      },
    );
  } catch (error) {
    showFailureToast(error, 'They were not merged.');
  }
  stopMerge();
  reload();
}

/** Undoes a merge. Shows success, or the error. */
export async function undoMerge(merge_id: string): Promise<void> {
  closeErrorToasts();
  try {
    await callAsArtist(undoClientMerge, { path: { merge_id } });
    showSuccessToast('Undone.', 'There are two clients again.');
  } catch (error) {
    showFailureToast(error, 'They stay merged.');
  }
  reload();
}

/** After an error too: a lost response may hide a success. */
function reload(): void {
  for (const resource of ['clients', 'appointments', 'data-requests']) revalidate(resource);
}
