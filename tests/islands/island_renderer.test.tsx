import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useId } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { useValidatedForm } from '#islands/forms/validated_form.ts';
import createMount from '#islands/island_renderer.tsx';
import { useFormSubmit } from '#islands/studio/form_hooks.ts';

let isBroken: boolean;

function Island({ name }: { name: string }) {
  const id = useId();
  if (isBroken) throw new Error('Broken island');
  return (
    <p id={id} data-testid="island">
      {name}
    </p>
  );
}

/** An island's element, as our server renders it. */
function renderIsland(): HTMLElement {
  const element = document.createElement('astro-island');
  element.setAttribute('ssr', '');
  element.setAttribute('prefix', 'r0');
  element.innerHTML = renderToString(<Island name="Ana" />, { identifierPrefix: 'r0' });
  document.body.append(element);
  return element;
}

beforeEach(() => {
  isBroken = false;
});

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

test('an island that fails to render says so, reports the error, and Try again mounts it again', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const element = renderIsland();
  isBroken = true;
  createMount(element)(Island, { name: 'Ana' });
  expect(await screen.findByText('Something went wrong.')).toBeDefined();
  expect(report.mock.calls.flat().join()).toContain('Broken island');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong.');
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByTestId('island').textContent).toBe('Ana');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an island keeps the elements and ids that the server rendered', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const element = renderIsland();
  const rendered = screen.getByTestId('island');
  const { id } = rendered;
  createMount(element)(Island, { name: 'Ana' });
  await waitFor(() => expect(Object.keys(element).join()).toContain('__reactContainer'));
  expect(screen.getByTestId('island')).toBe(rendered);
  expect(rendered.id).toBe(id);
  expect(report).not.toHaveBeenCalled();
});

test('text that a browser filled in without an event is sent as if it were typed', async () => {
  const sent = vi.fn();
  function Form() {
    const form = useValidatedForm(z.object({ city: z.string() }), { city: '' });
    const { submit } = useFormSubmit(form, async (...values) => sent(...values));
    return (
      <form onSubmit={submit}>
        <input {...form.register('city')} />
        <button type="submit">Send</button>
      </form>
    );
  }
  render(<Form />);
  const fill = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  fill?.call(screen.getByRole('textbox'), 'Linz');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(sent).toHaveBeenCalledWith({ city: 'Linz' }, { city: 'Linz' }));
});

test('an island that is mounted already is not mounted again', () => {
  const element = renderIsland();
  element.removeAttribute('ssr');
  createMount(element)(Island, { name: 'Bo' });
  expect(screen.getByTestId('island').textContent).toBe('Ana');
});
