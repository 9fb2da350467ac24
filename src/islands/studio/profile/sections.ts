/** The parts of the page, in their order. */
export const PROFILE_SECTIONS = [
  { id: 'picture', title: 'Picture' },
  { id: 'about', title: 'About you' },
  { id: 'username', title: 'Username' },
  { id: 'booking', title: 'How clients book' },
  { id: 'reminders', title: 'Reminders' },
  { id: 'studio', title: 'Studio' },
  { id: 'password', title: 'Password' },
  { id: 'delete', title: 'Delete the account' },
] as const;
