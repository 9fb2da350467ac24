import { expect } from 'vitest';
import { listAppointments, newSiteArtist } from '#support/browser_api.ts';
import type { Tab } from '../tab.ts';
import { button, heading, label, link, role, text } from '../targets.ts';

export async function bookService(tab: Tab): Promise<void> {
  const { username, token } = await newSiteArtist();
  await tab.open(`/${username}/`);
  await tab.press(link('Book Now'));
  // The first page has a link of the next name, too.
  await tab.waitForPath(/services$/);
  await tab.press(link('Book Now!'));
  await tab.see(text('60 minute appt.'));
  await tab.see(role('grid'));
  await tab.press(button(/^Soonest: /));
  await saveDetails(tab);
  await confirmBooking(tab);
  expect(await listAppointments(token)).toMatchObject([
    {
      status: 'confirmed',
      client: { first_name: 'Zoë', email: 'rosa@example.com', phone_number: '+12125550100' },
      location: 'arms',
      customer_notes: 'A swallow.',
    },
  ]);
}

/** Fills in the form and saves it, which leads to the confirmation page. */
export async function saveDetails(tab: Tab): Promise<void> {
  await tab.choose(label('Location on the body'), 'Arms');
  await tab.type(label('Notes'), 'A swallow.');
  await tab.type(label('First name'), 'Zoë');
  await tab.type(label('Phone number'), '(212) 555-0100');
  await tab.type(label('Email (required)'), 'rosa@example.com');
  await tab.press(button('Save'));
  await tab.see(heading('Confirm your appointment.'));
}

export async function confirmBooking(tab: Tab): Promise<void> {
  await tab.press(button('Confirm Appointment'));
  await tab.see(heading("You're booked!"));
}
