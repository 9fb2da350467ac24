// If the page shows a form that needs a proof of work, computes it and sends the form again with it.
import { solveProofOfWork } from '#client/proof_of_work_solver.ts';

const form = document.querySelector<HTMLFormElement>('form[data-challenge]');
const field = form?.querySelector<HTMLInputElement>('[name=proof_of_work]');
if (form && field) {
  const solve = async () => {
    field.value = await solveProofOfWork(JSON.parse(form.dataset['challenge'] ?? ''));
    form.requestSubmit();
  };
  solve().catch((error: unknown) => {
    const alert = form.querySelector('[role=alert]');
    if (alert && error instanceof Error) alert.textContent = error.message;
  });
}
