/** Texts about single things, which German inflects. */
export const things = {
  'New activity': 'Neue Aktivität',
  'New contact': 'Neuer Kontakt',
  'New organization': 'Neue Organisation',
  'No activities yet': 'Noch keine Aktivitäten',
  'No contacts yet': 'Noch keine Kontakte',
  'No organizations yet': 'Noch keine Organisationen',
  'No tasks yet': 'Noch keine Aufgaben',
  'The webhook to {host} was disabled: it receives nothing. ':
    'Der Webhook an {host} wurde abgeschaltet: Er erhält nichts. ',
} as const
