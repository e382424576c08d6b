/** German texts of the inbox and of the doors for mail. */
export const mailInbox = {
  'Add to…': 'Zuordnen …',
  'Add to…: {subject}': 'Zuordnen …: {subject}',
  'Address deleted.': 'Adresse gelöscht.',
  Addresses: 'Adressen',
  'Addresses and mailboxes': 'Adressen und Postfächer',
  'Already there': 'Schon vorhanden',
  'As the mail server spells it': 'So, wie der Mailserver ihn schreibt',
  At: 'Eingang',
  'Begin with': 'Beginnen mit',
  'Check host, port and encryption. It is tried again by itself, at least every 10 minutes.':
    'Prüfen Sie Host, Port und Verschlüsselung. Es wird von selbst wieder versucht, mindestens alle 10 Minuten.',
  'Check the host and the encryption, or ask who runs the mail server.':
    'Prüfen Sie Host und Verschlüsselung, oder fragen Sie, wer den Mailserver betreibt.',
  'Check the name of the folder, as the mail server spells it.':
    'Prüfen Sie den Namen des Ordners, so wie der Mailserver ihn schreibt.',
  'Check the user, and enter the password again; some providers want one for programs. Then it is tried at once, otherwise every 15 minutes.':
    'Prüfen Sie den Benutzer, und geben Sie das Passwort neu ein; manche Anbieter verlangen ein App-Passwort. Dann wird es sofort versucht, sonst alle 15 Minuten.',
  'Closed: the operator opens it with {setting}': 'Geschlossen: Der Betreiber öffnet sie mit {setting}',
  'Create contact': 'Kontakt anlegen',
  'Create contact: {subject}': 'Kontakt anlegen: {subject}',
  'Delete this address?': 'Diese Adresse löschen?',
  'Domain of the addresses': 'Domain der Adressen',
  'Doors for mail': 'Wege für eingehende Mails',
  'Edit mailbox': 'Postfach bearbeiten',
  Encryption: 'Verschlüsselung',
  'Everybody sees what arrives': 'Alle sehen, was ankommt',
  'Everybody who reads messages.': 'Alle, die Mails lesen dürfen.',
  'Everything in the folder': 'Allem im Ordner',
  Folder: 'Ordner',
  'For everybody': 'Für alle',
  'Held: it says that a colleague has sent it, but neither DKIM nor SPF proves that. Only this colleague, the owner of the address and admins see it until one of them releases it.':
    'Zurückgehalten: Sie gibt an, von einem Kollegen zu sein, aber weder DKIM noch SPF belegt das. Nur dieser Kollege, der Inhaber der Adresse und Admins sehen sie, bis einer von ihnen sie freigibt.',
  Host: 'Host',
  'In the inbox': 'Im Posteingang',
  Inbox: 'Posteingang',
  'It is my own mailbox, not one of the company': 'Es ist mein eigenes Postfach, keines der Firma',
  'It is tried again by itself, at least every 10 minutes.':
    'Es wird von selbst wieder versucht, mindestens alle 10 Minuten.',
  'Kontor reads a folder of a mailbox by IMAP, and changes nothing in it. New mail comes within seconds.':
    'Kontor liest einen Ordner eines Postfachs über IMAP und ändert darin nichts. Neue Mails kommen innerhalb von Sekunden.',
  'Last mail: {door}': 'Letzte Mail: {door}',
  'Last mail {time}': 'Letzte Mail {time}',
  'Last mails': 'Letzte Mails',
  'Last read {time}': 'Zuletzt gelesen {time}',
  'Leave it empty to keep it': 'Leer lassen, um es zu behalten',
  Mail: 'Mail',
  'Mail from these senders is stored, but does not wait in the inbox. When you take a sender back, all of its mail waits again.':
    'Mails dieser Absender werden gespeichert, warten aber nicht im Posteingang. Ignorieren Sie einen Absender nicht mehr, warten alle seine Mails wieder.',
  'Mail log': 'Mailprotokoll',
  'Mail of known contacts is on their pages already. What belongs to nobody yet appears here.':
    'Mails bekannter Kontakte sind schon auf deren Seiten. Was noch zu niemandem gehört, erscheint hier.',
  'Mail of people whom Kontor does not know yet, and mail whose sender is in doubt.':
    'Mails von Personen, die Kontor noch nicht kennt, und solche mit zweifelhaftem Absender.',
  'Mail to {address} is refused from now on. Give the new address to everybody who used it.':
    'Mails an {address} werden ab jetzt abgelehnt. Geben Sie die neue Adresse allen, die sie verwendet haben.',
  'Mail to {address} is refused from now on. What has arrived stays.':
    'Mails an {address} werden ab jetzt abgelehnt. Was angekommen ist, bleibt.',
  Mailbox: 'Postfach',
  'Mailbox deleted.': 'Postfach gelöscht.',
  'Mailbox paused.': 'Postfach angehalten.',
  Mailboxes: 'Postfächer',
  'Message added.': 'Mail zugeordnet.',
  'Moved to the trash.': 'In den Papierkorb gelegt.',
  'Moved to the trash. Mail from {address} no longer waits here.':
    'In den Papierkorb gelegt. Mails von {address} warten nicht mehr hier.',
  'Needed again: it must not go to another server': 'Wieder nötig: Es darf nicht an einen anderen Server gehen',
  'New address': 'Neue Adresse',
  'New mailbox': 'Neues Postfach',
  'No mail yet': 'Noch keine Mails',
  'No senders': 'Keine Absender',
  'None: only for hosts that the operator allows': 'Keine: nur für Hosts, die der Betreiber erlaubt',
  'Not for Kontor': 'Nicht für Kontor',
  'Not for Kontor: {subject}': 'Nicht für Kontor: {subject}',
  'Not read yet: the first connection is being made.':
    'Noch nicht gelesen: Die erste Verbindung wird gerade hergestellt.',
  'Not stored: between colleagues': 'Nicht gespeichert: unter Kollegen',
  'Nothing is waiting': 'Nichts wartet',
  'Of the company': 'Der Firma',
  'Of the deal {deal}': 'Des Deals {deal}',
  'Of whom': 'Für wen',
  'Of {name}': 'Von {name}',
  'Only for you': 'Nur für Sie',
  'Only the users who sent or received a mail, no admin either.':
    'Nur die Benutzer, die eine Mail gesendet oder erhalten haben, auch kein Admin.',
  'Only the users who sent or received it see this message.':
    'Nur die Benutzer, die sie gesendet oder erhalten haben, sehen diese Mail.',
  'Only who sent or received a mail sees it': 'Nur wer eine Mail gesendet oder erhalten hat, sieht sie',
  'Open, at {path}': 'Offen, unter {path}',
  Pause: 'Anhalten',
  'Pause {name}': '{name}: anhalten',
  'Paused: nothing is read. It continues where it stopped.':
    'Angehalten: Nichts wird gelesen. Es geht weiter, wo es aufgehört hat.',
  Port: 'Port',
  'Put an address in BCC, or forward mail to it. Whoever knows an address can send mail to it; nobody can guess one.':
    'Setzen Sie eine Adresse in BCC, oder leiten Sie Mails an sie weiter. Wer eine Adresse kennt, kann an sie senden; niemand kann eine erraten.',
  'Read this mailbox': 'Dieses Postfach lesen',
  Refresh: 'Aktualisieren',
  Refused: 'Abgelehnt',
  'Release {subject}': 'Freigeben: {subject}',
  'Replace this address?': 'Diese Adresse ersetzen?',
  'Replace {address}': '{address} ersetzen',
  Resume: 'Fortsetzen',
  'Resume {name}': '{name}: fortsetzen',
  'Stored encrypted, and never shown': 'Wird verschlüsselt gespeichert und nie angezeigt',
  Stored: 'Gespeichert',
  'Such as imap.example.com': 'Zum Beispiel imap.example.com',
  'TLS from the start': 'TLS von Anfang an',
  'Take back': 'Nicht mehr ignorieren',
  'Take back {address}': 'Nicht mehr ignorieren: {address}',
  'The address is ready.': 'Die Adresse ist bereit.',
  'The address is replaced.': 'Die Adresse wurde ersetzt.',
  'The domain is that of {organization}.': 'Die Domain ist die von {organization}.',
  'The log of the server says why.': 'Das Protokoll des Servers nennt den Grund.',
  'The mailbox is being read.': 'Das Postfach wird gelesen.',
  'The mailbox is not read any more. The messages that came from it stay.':
    'Das Postfach wird nicht mehr gelesen. Die Mails daraus bleiben.',
  'The mailbox is read again.': 'Das Postfach wird wieder gelesen.',
  'The plan’s storage is used up: delete files, or change the plan. Nothing is lost meanwhile.':
    'Der Speicher des Tarifs ist voll: Löschen Sie Dateien, oder ändern Sie den Tarif. Inzwischen geht nichts verloren.',
  'There is one of the company, one of each user, and one of each deal, on its page.':
    'Es gibt eine der Firma, eine jedes Benutzers und eine jedes Deals, auf dessen Seite.',
  'This server has no addresses for mail. Its operator sets {setting} to a domain that nothing else uses, such as {example}, and starts it again. Mailboxes work without it.':
    'Dieser Server hat keine Adressen für Mails. Der Betreiber setzt {setting} auf eine Domain, die nichts anderes verwendet, etwa {example}, und startet ihn neu. Postfächer funktionieren ohne sie.',
  'This server takes no mail: it shares a log with others, and its operator has not set {setting}.':
    'Dieser Server nimmt keine Mails an: Er teilt ein Protokoll mit anderen, und der Betreiber hat {setting} nicht gesetzt.',
  'Usually the address of the mailbox': 'Meist die Adresse des Postfachs',
  'What arrives from now on': 'Dem, was ab jetzt ankommt',
  'What became of it': 'Was daraus wurde',
  'What became of the last 1,000 mails. What you may not see has neither sender nor subject.':
    'Was aus den letzten 1.000 Mails wurde. Was Sie nicht sehen dürfen, hat weder Absender noch Betreff.',
  'What became of the mail to your own addresses and mailboxes.':
    'Was aus den Mails an Ihre eigenen Adressen und Postfächer wurde.',
  'What has arrived since a day': 'Dem, was seit einem Tag angekommen ist',
  When: 'Wann',
  'Who sees what arrives': 'Wer sieht, was ankommt',
  'Your own': 'Ihre eigene',
  'With a key, at {path}. A sandbox has no other doors and reads no mailboxes.':
    'Mit einem Schlüssel, unter {path}. Eine Sandbox hat keinen anderen Weg und liest keine Postfächer.',
  'to {address}': 'an {address}',
  '{address} is an address of this contact': '{address} ist eine Adresse dieses Kontakts',
  '{address} is taken back.': '{address} wird nicht mehr ignoriert.',
  '{page} says how to open each door.': '{page} beschreibt, wie man jeden dieser Wege einrichtet.',
} as const
