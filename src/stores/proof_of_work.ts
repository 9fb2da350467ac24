// Repeats a request with a proof of work, if the API asks for one.
import { ApiError } from '#client/call.ts';
import type { PROOF_OF_WORK_HEADER } from '#contract/proof_of_work.ts';

/** The API has refused the request without a proof, so it is clear that nothing was stored. */
const NOT_LOADED_TEXT = 'The connection was lost. Nothing was sent yet; please try again.';

/** The header with the solved task; empty when the API has not asked for one. */
export type ProofOfWorkHeader = { readonly [Name in typeof PROOF_OF_WORK_HEADER]?: string };

/**
 * Sends a request. If the API asks for a proof of work, computes it and sends the request again. The
 * code that computes it is loaded only then.
 * @param onWork called before the computation, which takes up to some seconds
 * @throws the errors of `send`
 */
export async function sendWithProofOfWork<T>(
  send: (header: ProofOfWorkHeader) => Promise<T>,
  onWork: () => void,
): Promise<T> {
  try {
    return await send({});
  } catch (error) {
    if (!(error instanceof ApiError) || error.challenge === undefined) throw error;
    onWork();
    const { solveProofOfWork } = await import('#client/proof_of_work_solver.ts').catch(() => {
      throw new ApiError(429, '', NOT_LOADED_TEXT);
    });
    return send({ 'proof-of-work': await solveProofOfWork(error.challenge) });
  }
}
