/** German texts of settings. */
export const settings = {
  'A backup that you make here is kept until you make another one.':
    'Eine Sicherung, die Sie hier anlegen, bleibt erhalten, bis Sie eine weitere anlegen.',
  'Back up now': 'Jetzt sichern',
  'Backing up …': 'Wird gesichert …',
  Backups: 'Sicherungen',
  'Last backup': 'Letzte Sicherung',
  'Next backup': 'Nächste Sicherung',
  'None yet': 'Noch keine',
  'The latest backup failed. The log of the server says why.':
    'Die letzte Sicherung ist fehlgeschlagen. Das Protokoll des Servers nennt den Grund.',
  'The latest scheduled backup is kept.|The latest {n} scheduled backups are kept.':
    'Die letzte geplante Sicherung wird aufbewahrt.|Die letzten {n} geplanten Sicherungen werden aufbewahrt.',
  'This server makes no backups. Its operator sets a directory for them with {setting}.':
    'Dieser Server legt keine Sicherungen an. Der Betreiber gibt mit {setting} ein Verzeichnis dafür an.',
  '{time}, {size}': '{time}, {size}',
  'A calendar program can show your open tasks with their due dates. It needs a secret address: whoever knows it can read these tasks.':
    'Ein Kalenderprogramm kann Ihre offenen Aufgaben mit ihren Fälligkeiten anzeigen. Es braucht eine geheime Adresse: Wer sie kennt, kann diese Aufgaben lesen.',
  'A link for {full_name}': 'Ein Link für {full_name}',
  'A stage can only be deleted when no deal is in it.':
    'Eine Phase kann nur gelöscht werden, wenn kein Deal in ihr ist.',
  'Add field': 'Feld hinzufügen',
  'A pipeline can only be deleted when it has no deals. Its stages go with it.':
    'Eine Pipeline kann nur gelöscht werden, wenn sie keine Deals hat. Ihre Phasen werden mit ihr gelöscht.',
  'Add pipeline': 'Pipeline hinzufügen',
  'Add stage': 'Phase hinzufügen',
  'Add user': 'Benutzer hinzufügen',
  'Address created {time}, days as in {zone}': 'Adresse angelegt {time}, Tage wie in {zone}',
  Appearance: 'Erscheinungsbild',
  'As the browser': 'Wie der Browser',
  'As the system': 'Wie das System',
  Calendar: 'Kalender',
  'Change password': 'Passwort ändern',
  'Choose a password': 'Passwort wählen',
  'Choose a password to join {company_name}.': 'Wählen Sie ein Passwort, um {company_name} beizutreten.',
  'Choose the company.': 'Wählen Sie die Firma.',
  'This is not your password for {name}.': 'Das ist nicht Ihr Passwort für {name}.',
  Company: 'Firma',
  'Company and plan': 'Firma und Tarif',
  'Country code': 'Ländercode',
  'Create address': 'Adresse anlegen',
  'The company is there. Name it, and create your account as its owner. You can add colleagues later in the settings.':
    'Die Firma ist schon angelegt. Geben Sie ihr einen Namen, und legen Sie Ihr Konto als Inhaber an. Kollegen können Sie später in den Einstellungen hinzufügen.',
  'Create your company and your account as its owner. You can add colleagues later in the settings.':
    'Legen Sie Ihre Firma und Ihr Konto als Inhaber an. Kollegen fügen Sie später in den Einstellungen hinzu.',
  'Current password': 'Aktuelles Passwort',
  Dark: 'Dunkel',
  'Delete {key}': '{key} löschen',
  'Delete {name}': '{name} löschen',
  Default: 'Standard',
  'Delete {name}?': '{name} löschen?',
  'Edit pipeline': 'Pipeline bearbeiten',
  'Edit stage': 'Phase bearbeiten',
  Email: 'E-Mail',
  Fields: 'Felder',
  'Fields of {noun}': 'Felder: {noun}',
  Included: 'Enthalten',
  'Its name in the metadata, which never changes. Empty: made from the label.':
    'Der Name in den Metadaten, der sich nie ändert. Leer: aus der Bezeichnung gebildet.',
  Language: 'Sprache',
  'Language of this browser': 'Sprache in diesem Browser',
  Light: 'Hell',
  'Members work with records; admins also with users, keys and stages':
    'Mitglieder arbeiten mit Datensätzen, Admins auch mit Benutzern, Schlüsseln und Phasen',
  'Move {name} down': '{name} nach unten',
  'Make {name} the default': '{name} zum Standard machen',
  'Move {name} up': '{name} nach oben',
  'New field': 'Neues Feld',
  'New password': 'Neues Passwort',
  'New pipeline': 'Neue Pipeline',
  'New stage': 'Neue Phase',
  'None. A field is part of the metadata, and lists filter and sort by it.':
    'Keine. Ein Feld ist Teil der Metadaten, und Listen filtern und sortieren danach.',
  'Not included': 'Nicht enthalten',
  'One per line, in the order in which lists sort them.':
    'Eine pro Zeile, in der Reihenfolge, in der Listen sie sortieren.',
  Password: 'Passwort',
  'Password changed. All your other sessions are signed out.':
    'Passwort geändert. Alle Ihre anderen Sitzungen sind abgemeldet.',
  'Paste it in your calendar program, where it subscribes to calendars. Kontor stores only a hash of it.':
    'Fügen Sie sie in Ihrem Kalenderprogramm ein, wo es Kalender abonniert. Kontor speichert nur einen Hash davon.',
  'Phone numbers': 'Telefonnummern',
  Plan: 'Tarif',
  'Plan: {word}': 'Tarif: {word}',
  Storage: 'Speicher',
  'Replace the address of your calendar?': 'Adresse Ihres Kalenders ersetzen?',
  'Requests are counted for each API key. The operator of this server changes the plan with {command}.':
    'Anfragen werden für jeden API-Schlüssel gezählt. Der Betreiber dieses Servers ändert den Tarif mit {command}.',
  'Revoke the address of your calendar?': 'Adresse Ihres Kalenders widerrufen?',
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
  'Sign out everywhere else': 'Überall sonst abmelden',
  'Sign out everywhere?': 'Überall abmelden?',
  'Sign out {device}': '{device} abmelden',
  'Signed in from {address}': 'Angemeldet von {address}',
  'Stages of {name}': 'Phasen von {name}',
  'Stages of the {environment} pipeline': 'Phasen der Pipeline ({environment})',
  'The address no longer works.': 'Die Adresse funktioniert nicht mehr.',
  'The present address stops working at once. Paste the new one in your calendar program.':
    'Die jetzige Adresse funktioniert sofort nicht mehr. Fügen Sie die neue in Ihrem Kalenderprogramm ein.',
  'The records keep their values, but lists no longer filter or sort by them.':
    'Die Datensätze behalten ihre Werte, aber Listen filtern und sortieren nicht mehr danach.',
  'The session has ended.': 'Die Sitzung ist beendet.',
  'The user signs in with the new email from now on. An open link ends: create a new one.':
    'Der Benutzer meldet sich ab jetzt mit der neuen E-Mail-Adresse an. Ein offener Link endet: Erstellen Sie einen neuen.',
  'Theme of this browser': 'Farben in diesem Browser',
  'This browser': 'Dieser Browser',
  'Deals in other currencies are added up in this one, by the exchange rates that are valid today.':
    'Deals in anderen Währungen werden in dieser summiert, nach den Wechselkursen, die heute gelten.',
  'Three letters, such as EUR, CHF or USD.': 'Drei Buchstaben wie EUR, CHF oder USD.',
  'Time zone': 'Zeitzone',
  'Such as Europe/Berlin: rates become valid at midnight there.':
    'Zum Beispiel Europe/Berlin: Kurse gelten dort ab Mitternacht.',
  'Two letters, such as DE, AT or US. Empty: no country.':
    'Zwei Buchstaben, zum Beispiel DE, AT oder US. Leer: kein Land.',
  unique: 'eindeutig',
  Unlimited: 'Unbegrenzt',
  'User not added: {message}': 'Benutzer nicht hinzugefügt: {message}',
  Users: 'Benutzer',
  'Welcome, {full_name}': 'Willkommen, {full_name}',
  'Where you are signed in': 'Wo Sie angemeldet sind',
  'With a country, a number is found however it is written: in Germany ({code}), {national} is {international}. Without one, numbers are compared by their digits.':
    'Mit einem Land wird eine Nummer gefunden, wie auch immer sie geschrieben ist: In Deutschland ({code}) ist {national} dasselbe wie {international}. Ohne Land werden Nummern nach ihren Ziffern verglichen.',
  You: 'Sie',
  'You are signed out everywhere else.': 'Sie sind überall sonst abgemeldet.',
  'You have to sign in again in every browser, including this one.':
    'Sie müssen sich in jedem Browser neu anmelden, auch in diesem.',
  'You sign in with your email, so a new one needs your password':
    'Sie melden sich mit Ihrer E-Mail-Adresse an; für eine neue brauchen Sie Ihr Passwort',
  'Your calendar program no longer gets your tasks.': 'Ihr Kalenderprogramm erhält Ihre Aufgaben nicht mehr.',
  'Your calendar’s address': 'Die Adresse Ihres Kalenders',
  'Your name': 'Ihr Name',
  'Your password': 'Ihr Passwort',
  'Your session has ended': 'Ihre Sitzung ist beendet',
  '{name} deleted.': '{name} gelöscht.',
  '{used} of {max}': '{used} von {max}',
  '{used}, unlimited': '{used}, unbegrenzt',
  'The numbers of records are those of the test workspace.':
    'Die Anzahlen der Datensätze sind die des Test-Arbeitsbereichs.',
  'Bring in contacts, deals and more from files, and undo it':
    'Kontakte, Deals und mehr aus Dateien übernehmen, auch rückgängig machen',
  'Let programs read and write your records': 'Programme Ihre Datensätze lesen und schreiben lassen',
  'Tell programs what changes': 'Programmen mitteilen, was sich ändert',
  'Restore what was deleted': 'Gelöschtes wiederherstellen',
  'Data and programs': 'Daten und Programme',
  'First steps': 'Erste Schritte',
  'Hide the first steps': 'Erste Schritte ausblenden',
  'Import your contacts': 'Importieren Sie Ihre Kontakte',
  'or add one': 'oder legen Sie einen an',
  'Set up the stages of your pipeline': 'Richten Sie die Phasen Ihrer Pipeline ein',
  'Invite colleagues': 'Laden Sie Kollegen ein',
  'Create a first deal': 'Legen Sie einen ersten Deal an',
  done: 'erledigt',
  'Look around with made-up organizations, contacts, deals and tasks. One click removes them again.':
    'Sehen Sie sich mit erfundenen Organisationen, Kontakten, Deals und Aufgaben um. Ein Klick entfernt sie wieder.',
  'This workspace has sample data. What you have changed in it stays when you remove it.':
    'Dieser Arbeitsbereich hat Beispieldaten. Was Sie an ihnen geändert haben, bleibt, wenn Sie sie entfernen.',
  'Try with sample data': 'Mit Beispieldaten ausprobieren',
  'Remove sample data': 'Beispieldaten entfernen',
  'Sample data': 'Beispieldaten',
  'Sample data added.': 'Beispieldaten angelegt.',
  'Sample data removed.': 'Beispieldaten entfernt.',
  'Sample data removed. {n} record was changed since and stays.|Sample data removed. {n} records were changed since and stay.':
    'Beispieldaten entfernt. {n} Datensatz wurde seither geändert und bleibt.|Beispieldaten entfernt. {n} Datensätze wurden seither geändert und bleiben.',
  'Nothing was removed: the log of changes is too short.':
    'Es wurde nichts entfernt: Das Änderungsprotokoll ist zu kurz.',
  'This server has no users yet. A link creates the first one.':
    'Dieser Server hat noch keine Benutzer. Ein Link legt den ersten an.',
  'The link is in the message that the server printed when it started. {command} on the server makes a new one.':
    'Der Link steht in der Meldung, die der Server beim Start ausgegeben hat. {command} auf dem Server erzeugt einen neuen.',
  '{name} is the default now.': '{name} ist jetzt der Standard.',
  '{name} moved.': '{name} verschoben.',
  'What its deals are: still open, won or lost.': 'Was ihre Deals sind: noch offen, gewonnen oder verloren.',
  'Deals in which nothing happens for so long are marked. Empty: never.':
    'Deals, in denen so lange nichts geschieht, werden markiert. Leer: nie.',
  'Required fields': 'Pflichtfelder',
  'Requires {fields}': 'Verlangt {fields}',
  'Stale after {n} day|Stale after {n} days': 'Eingeschlafen nach {n} Tag|Eingeschlafen nach {n} Tagen',
  'Stale after days': 'Eingeschlafen nach Tagen',
  'Without these, no deal enters the stage. Deals that are in it stay.':
    'Ohne diese kommt kein Deal in die Phase. Deals, die darin sind, bleiben.',
  'Duration in minutes': 'Dauer in Minuten',
  'Key account': 'Schlüsselkunde',
  Newsletter: 'Newsletter',
  'Number of employees': 'Mitarbeiterzahl',
  'Often used:': 'Oft verwendet:',
  Outcome: 'Ergebnis',
  Partner: 'Partner',
  Tags: 'Schlagwörter',
  'Only owners and admins see this page': 'Diese Seite sehen nur Inhaber und Admins',
} as const
