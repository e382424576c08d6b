/** Messages of the server about mail. `{label}` and the like stand for what varies. */
export const mailMessages = {
  'This server takes no mail: its operator sets --mail-domain, and --files if servers share a log':
    'Dieser Server nimmt keine E-Mails an: Sein Betreiber setzt --mail-domain, und --files, wenn Server ein Log teilen',
  'This server takes no mail: it shares a log, and its operator sets --files':
    'Dieser Server nimmt keine E-Mails an: Er teilt ein Log, und sein Betreiber setzt --files',
  'A sandbox reads no mailboxes: deliver its mail with its key, by POST /api-v1-messages?address=…':
    'Eine Sandbox liest keine Postfächer: Senden Sie ihr E-Mails mit ihrem Schlüssel, mit POST /api-v1-messages?address=…',
  'Only owners and admins create addresses of other users': 'Nur Inhaber und Admins legen Adressen anderer Benutzer an',
  'Only owners and admins undo changes of what belongs to others':
    'Nur Inhaber und Admins machen Änderungen an dem rückgängig, was anderen gehört',
  'Only owners and admins create mailboxes of others': 'Nur Inhaber und Admins legen Postfächer anderer an',
  '{label} is required for an address of a {kind}': '{label} ist für eine solche Adresse nötig ({kind})',
  '{label} must be empty for an address of another kind': '{label} muss bei einer Adresse anderer Art leer sein',
  '{label} must be UUIDs': '{label} müssen IDs sein',
  'Password must be one line': 'Das Passwort muss in einer Zeile stehen',
  'Host must not lead to a private, loopback or otherwise reserved address':
    'Der Host darf nicht zu einer privaten oder reservierten Adresse führen',
  'Host must have the name of a host that can exist': 'Der Host muss der Name eines Rechners sein, den es geben kann',
  'The address has changed: try again': 'Die Adresse hat sich geändert: Versuchen Sie es noch einmal',
  'The message has changed: try again': 'Die Mail hat sich geändert: Versuchen Sie es noch einmal',
  'This message has no HTML': 'Diese Mail hat kein HTML',
  'The original of this message is gone': 'Das Original dieser Mail gibt es nicht mehr',
  'This is no message: it does not begin with a header': 'Das ist keine Mail: Am Anfang stehen keine Kopfzeilen',
  'The server reads at most {max} mailboxes, and has no place for this one':
    'Der Server liest höchstens {max} Postfächer und hat keinen Platz für dieses',
  'The message is larger than {max} MiB': 'Die Mail ist größer als {max} MiB',
  'The header of the message is too long': 'Die Kopfzeilen der Mail sind zu lang',
  'The header has more than {max} lines': 'Die Mail hat mehr als {max} Kopfzeilen',
  'A part has more than {max} header lines': 'Ein Teil der Mail hat mehr als {max} Kopfzeilen',
  'The parts of the message are more than {max} levels deep': 'Die Teile der Mail sind mehr als {max} Ebenen tief',
  'The message has more than {max} attachments': 'Die Mail hat mehr als {max} Anhänge',
  'The message is refused: {reason}': 'Die Mail wird abgelehnt: {reason}',
  'The message cannot be read': 'Die Mail ist nicht lesbar',
  'The message cannot be read at the moment': 'Die Mail kann im Moment nicht gelesen werden',
  'Messages cannot be read right now': 'Mails können im Moment nicht gelesen werden',
  'Too many messages are being read: try again later':
    'Zu viele Mails werden gelesen: Versuchen Sie es später noch einmal',
  'Reading the message takes longer than {n} s': 'Das Lesen der Mail dauert länger als {n} s',
  'Reading the message takes too much memory': 'Das Lesen der Mail braucht zu viel Speicher',
  'Your plan allows at most {max} bytes of files, live and test together':
    'Ihr Tarif erlaubt höchstens {max} Bytes an Dateien (Live und Test zusammen)',
  'The server is stopping': 'Der Server wird gerade beendet',
  'The database is busy': 'Die Datenbank ist beschäftigt',
  'The database is not available right now: {reason}': 'Die Datenbank ist im Moment nicht verfügbar: {reason}',
  'The database is not available right now': 'Die Datenbank ist im Moment nicht verfügbar',
  'The file was not stored: {reason}': 'Die Datei wurde nicht gespeichert: {reason}',
  'The file was not stored': 'Die Datei wurde nicht gespeichert',
  'the disk is full': 'Der Datenträger ist voll',
  'the disk quota is used up': 'Der Platz auf dem Datenträger ist aufgebraucht',
  'the file system is read-only': 'Das Dateisystem ist schreibgeschützt',
  'the disk reported an I/O error': 'Der Datenträger meldet einen Fehler',
  'S3 cannot be used at the moment': 'S3 ist im Moment nicht erreichbar',
  'The address cannot be reached': 'Die Adresse ist nicht erreichbar',
  'The connection timed out': 'Die Verbindung hat zu lange gedauert',
  'The connection was closed before a response': 'Die Verbindung wurde vor einer Antwort geschlossen',
  'The connection was refused': 'Die Verbindung wurde abgelehnt',
  'The connection failed': 'Die Verbindung ist fehlgeschlagen',
  'The TLS handshake failed': 'Die Verschlüsselung konnte nicht vereinbart werden',
  'The certificate is not valid: it has expired': 'Das Zertifikat ist nicht gültig: Es ist abgelaufen',
  'The certificate is not valid: it is not valid yet': 'Das Zertifikat ist nicht gültig: Es gilt noch nicht',
  'The certificate is not valid: it was revoked': 'Das Zertifikat ist nicht gültig: Es wurde widerrufen',
  'The certificate is not valid: it is self-signed': 'Das Zertifikat ist nicht gültig: Es ist selbst signiert',
  'The certificate is not valid: its issuer is not trusted':
    'Das Zertifikat ist nicht gültig: Seinem Aussteller wird nicht vertraut',
  'The certificate is not valid: its issuer is not known':
    'Das Zertifikat ist nicht gültig: Sein Aussteller ist nicht bekannt',
  'The certificate is not valid: it is for another name':
    'Das Zertifikat ist nicht gültig: Es ist für einen anderen Namen',
  'The certificate is not valid': 'Das Zertifikat ist nicht gültig',
} as const
