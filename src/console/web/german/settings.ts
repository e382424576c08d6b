/** German texts of settings. */
export const settings = {
  '(you)': '(Sie)',
  'A calendar program can show your open tasks with their due dates. It needs a secret address: whoever knows it can read these tasks.':
    'Ein Kalenderprogramm kann Ihre offenen Aufgaben mit ihren Fälligkeiten anzeigen. Es braucht eine geheime Adresse: Wer sie kennt, kann diese Aufgaben lesen.',
  'A link for {full_name}': 'Ein Link für {full_name}',
  'A stage can only be deleted when no deal is in it.':
    'Eine Phase kann nur gelöscht werden, wenn kein Deal in ihr ist.',
  Activate: 'Aktivieren',
  'Add field': 'Feld hinzufügen',
  'Add stage': 'Phase hinzufügen',
  'Add user': 'Benutzer hinzufügen',
  'Address created {time}, days as in {zone}': 'Adresse angelegt {time}, Tage wie in {zone}',
  Calendar: 'Kalender',
  'Change password': 'Passwort ändern',
  'Choose a password': 'Passwort wählen',
  'Choose a password to join {company_name}.': 'Wählen Sie ein Passwort, um {company_name} beizutreten.',
  'Choose the company.': 'Wählen Sie die Firma.',
  Company: 'Firma',
  'Company and plan': 'Firma und Tarif',
  'Country code': 'Ländercode',
  'Create address': 'Adresse anlegen',
  'Create your company and your account as its owner. You can add colleagues later in the settings.':
    'Legen Sie Ihre Firma und Ihr Konto als Inhaber an. Kollegen fügen Sie später in den Einstellungen hinzu.',
  'Current password': 'Aktuelles Passwort',
  Deactivate: 'Deaktivieren',
  'Deactivate {full_name}?': '{full_name} deaktivieren?',
  Deactivated: 'Deaktiviert',
  'Delete {key}': '{key} löschen',
  'Delete {name}': '{name} löschen',
  'Delete {name}?': '{name} löschen?',
  'Edit stage': 'Phase bearbeiten',
  'Edit {key}': '{key} bearbeiten',
  'Edit {name}': '{name} bearbeiten',
  Email: 'E-Mail',
  Fields: 'Felder',
  'Fields of {noun}': 'Felder: {noun}',
  Included: 'Enthalten',
  'Its name in the metadata, which never changes. Empty: made from the label.':
    'Der Name in den Metadaten, der sich nie ändert. Leer: aus der Bezeichnung gebildet.',
  'Members work with records; admins also with users, keys and stages':
    'Mitglieder arbeiten mit Datensätzen, Admins auch mit Benutzern, Schlüsseln und Phasen',
  'Move {name} down': '{name} nach unten',
  'Move {name} up': '{name} nach oben',
  'New field': 'Neues Feld',
  'New password': 'Neues Passwort',
  'New stage': 'Neue Phase',
  'None. A field is part of the metadata, and lists filter and sort by it.':
    'Keine. Ein Feld ist Teil der Metadaten, und Listen filtern und sortieren danach.',
  'Not included': 'Nicht enthalten',
  'One per line, in the order in which lists sort them.':
    'Eine pro Zeile, in der Reihenfolge, in der Listen sie sortieren.',
  Password: 'Passwort',
  'Password changed. All your other sessions are signed out.':
    'Passwort geändert. Alle Ihre anderen Sitzungen sind abgemeldet.',
  'Password link': 'Passwort-Link',
  'Paste it in your calendar program, where it subscribes to calendars. Kontor stores only a hash of it.':
    'Fügen Sie sie in Ihrem Kalenderprogramm ein, wo es Kalender abonniert. Kontor speichert nur einen Hash davon.',
  'Phone numbers': 'Telefonnummern',
  Plan: 'Tarif',
  'Plan: {word}': 'Tarif: {word}',
  'Replace the address of your calendar?': 'Adresse Ihres Kalenders ersetzen?',
  'Requests are counted for each API key. The operator of this server changes the plan with {command}.':
    'Anfragen werden für jeden API-Schlüssel gezählt. Der Betreiber dieses Servers ändert den Tarif mit {command}.',
  'Revoke the address of your calendar?': 'Adresse Ihres Kalenders widerrufen?',
  Role: 'Rolle',
  'Role of {full_name}': 'Rolle von {full_name}',
  'Save and sign in': 'Speichern und anmelden',
  'Send this link to {email}. It lets {full_name} choose a password: once, within seven days.':
    'Senden Sie diesen Link an {email}. Damit wählt {full_name} ein Passwort: einmal, innerhalb von sieben Tagen.',
  Sessions: 'Sitzungen',
  'Set up': 'Einrichten',
  'Set up Kontor': 'Kontor einrichten',
  'Sign in': 'Anmelden',
  'Sign in again to continue. Your unsaved changes are kept.':
    'Melden Sie sich wieder an, um fortzufahren. Ihre ungespeicherten Änderungen bleiben erhalten.',
  'Sign out everywhere': 'Überall abmelden',
  'Sign out everywhere?': 'Überall abmelden?',
  'Stages of the {environment} pipeline': 'Phasen der Pipeline ({environment})',
  'Still signed in on a device that you no longer use?':
    'Noch auf einem Gerät angemeldet, das Sie nicht mehr verwenden?',
  'The address no longer works.': 'Die Adresse funktioniert nicht mehr.',
  'The present address stops working at once. Paste the new one in your calendar program.':
    'Die jetzige Adresse funktioniert sofort nicht mehr. Fügen Sie die neue in Ihrem Kalenderprogramm ein.',
  'The records keep their values, but lists no longer filter or sort by them.':
    'Die Datensätze behalten ihre Werte, aber Listen filtern und sortieren nicht mehr danach.',
  'The user is signed out everywhere and cannot sign in again. Personal keys are revoked permanently. The user’s records and activities stay.':
    'Der Benutzer wird überall abgemeldet und kann sich nicht wieder anmelden. Persönliche Schlüssel werden endgültig widerrufen. Seine Datensätze und Aktivitäten bleiben.',
  'Two letters, such as DE, AT or US. Empty: no country.':
    'Zwei Buchstaben, zum Beispiel DE, AT oder US. Leer: kein Land.',
  unique: 'eindeutig',
  Unlimited: 'Unbegrenzt',
  'User not added: {message}': 'Benutzer nicht hinzugefügt: {message}',
  Users: 'Benutzer',
  'Welcome, {full_name}': 'Willkommen, {full_name}',
  'With a country, a number is found however it is written: in Germany ({code}), {national} is {international}. Without one, numbers are compared by their digits.':
    'Mit einem Land wird eine Nummer gefunden, wie auch immer sie geschrieben ist: In Deutschland ({code}) ist {national} dasselbe wie {international}. Ohne Land werden Nummern nach ihren Ziffern verglichen.',
  You: 'Sie',
  'You have to sign in again in every browser, including this one.':
    'Sie müssen sich in jedem Browser neu anmelden, auch in diesem.',
  'Your calendar program no longer gets your tasks.': 'Ihr Kalenderprogramm erhält Ihre Aufgaben nicht mehr.',
  'Your calendar’s address': 'Die Adresse Ihres Kalenders',
  'Your name': 'Ihr Name',
  'Your session has ended': 'Ihre Sitzung ist beendet',
  '{name} deleted.': '{name} gelöscht.',
} as const
