/** Texts about single things, which German inflects. */
export const things = {
  'Add contact': 'Kontakt hinzufügen',
  'Duplicate contacts': 'Doppelte Kontakte',
  'Duplicate organizations': 'Doppelte Organisationen',
  'Edit activity': 'Aktivität bearbeiten',
  'Fields of activities': 'Felder der Aktivitäten',
  'Fields of contacts': 'Felder der Kontakte',
  'Fields of deals': 'Felder der Deals',
  'Fields of line items': 'Felder der Positionen',
  'Fields of organizations': 'Felder der Organisationen',
  'Fields of products': 'Felder der Produkte',
  'Fields of stages': 'Felder der Phasen',
  'Fields of tasks': 'Felder der Aufgaben',
  'Import of activities': 'Import von Aktivitäten',
  'Import of contacts': 'Import von Kontakten',
  'Import of deals': 'Import von Deals',
  'Import of line items': 'Import von Positionen',
  'Import of organizations': 'Import von Organisationen',
  'Import of products': 'Import von Produkten',
  'Import of tasks': 'Import von Aufgaben',
  'It is removed from this contact.': 'Der Eintrag wird von diesem Kontakt entfernt.',
  'New activity': 'Neue Aktivität',
  'New contact': 'Neuer Kontakt',
  'New organization': 'Neue Organisation',
  'New product': 'Neues Produkt',
  'No activities yet': 'Noch keine Aktivitäten',
  'No contacts yet': 'Noch keine Kontakte',
  'No files yet': 'Noch keine Dateien',
  'No messages yet': 'Noch keine Mails',
  'No organizations yet': 'Noch keine Organisationen',
  'No products yet': 'Noch keine Produkte',
  'No tasks yet': 'Noch keine Aufgaben',
  'The contact is removed from all lists. Records that refer to it stay. It can be restored from the trash.':
    'Der Kontakt wird aus allen Listen entfernt. Datensätze, die auf ihn verweisen, bleiben. Er kann aus dem Papierkorb wiederhergestellt werden.',
  'The deal is removed from all lists. Records that refer to it stay. It can be restored from the trash.':
    'Der Deal wird aus allen Listen entfernt. Datensätze, die auf ihn verweisen, bleiben. Er kann aus dem Papierkorb wiederhergestellt werden.',
  'The organization is removed from all lists. Records that refer to it stay. It can be restored from the trash.':
    'Die Organisation wird aus allen Listen entfernt. Datensätze, die auf sie verweisen, bleiben. Sie kann aus dem Papierkorb wiederhergestellt werden.',
  'The product is removed from all lists. Records that refer to it stay. It can be restored from the trash.':
    'Das Produkt wird aus allen Listen entfernt. Datensätze, die auf es verweisen, bleiben. Es kann aus dem Papierkorb wiederhergestellt werden.',
  'The task is removed from all lists. Records that refer to it stay. It can be restored from the trash.':
    'Die Aufgabe wird aus allen Listen entfernt. Sie kann aus dem Papierkorb wiederhergestellt werden.',
  'The webhook to {host} was disabled: it receives nothing. ':
    'Der Webhook an {host} wurde abgeschaltet: Er erhält nichts. ',
  'There may be the same contact already.': 'Vielleicht gibt es diesen Kontakt schon.',
  'There may be the same organization already.': 'Vielleicht gibt es diese Organisation schon.',
} as const
