/** Messages of the server that users meet. `{label}` and the like stand for what varies. */
export const server = {
  'The row has {cells} cells, the header has {columns}': 'Die Zeile hat {cells} Zellen, die Kopfzeile {columns}',
  '{cell} may be {one} or {other}: write one of them': '{cell} kann {one} oder {other} sein: Schreiben Sie eins davon',
  '{cell} may be a year of two centuries: write it with four digits':
    '{cell} kann ein Jahr zweier Jahrhunderte sein: Schreiben Sie es mit vier Ziffern',
  '{cell} may be a day of two months: write it as 2026-12-31':
    '{cell} kann in zwei Monaten liegen: Schreiben Sie es wie 2026-12-31',
  '{cell} was rounded by a spreadsheet: format its column as text, and export the file again':
    '{cell} wurde von einer Tabellenkalkulation gerundet: Formatieren Sie die Spalte als Text und exportieren Sie die Datei neu',
  '{value} must be a JSON list': '{value} muss eine JSON-Liste sein',
  '{value} must be a JSON object': '{value} muss ein JSON-Objekt sein',
  '{cell} may name several, and a record has one: write that one':
    '{cell} kann mehrere nennen, und ein Datensatz hat einen: Schreiben Sie diesen einen',
  '{cell} contradicts another column, which says {value}':
    '{cell} widerspricht einer anderen Spalte, die {value} nennt',
  '{value} contradicts the heading, which says {currency}': '{value} widerspricht der Kopfzeile, die {currency} nennt',
  'The file is a workbook or an archive: save the sheet as CSV':
    'Die Datei ist eine Arbeitsmappe oder ein Archiv: Speichern Sie das Blatt als CSV',
  'The file is not text: choose a CSV or vCard file': 'Die Datei ist kein Text: Wählen Sie eine CSV- oder vCard-Datei',
  'The file contains both UTF-8 and Windows-1252 text: save it again in one encoding':
    'Die Datei enthält Text in UTF-8 und in Windows-1252: Speichern Sie sie in einer Kodierung',
  'The file is not {encoding}: choose another encoding':
    'Die Datei ist nicht {encoding}: Wählen Sie eine andere Kodierung',
  'The body is the file: it must not be empty': 'Die Datei ist leer',
  'The body is larger than {max} bytes': 'Zu groß: Erlaubt sind höchstens {max} Bytes',
  'The content may have been removed meanwhile: send it again':
    'Der Inhalt wurde vielleicht inzwischen entfernt: Laden Sie die Datei noch einmal hoch',
  'The same content is being removed: try again in a second':
    'Derselbe Inhalt wird gerade entfernt: Versuchen Sie es in einer Sekunde wieder',
  'The disk does not accept writes': 'Der Server kann nichts speichern: Sein Datenträger nimmt nichts an',
  'A request with this Idempotency-Key is still running':
    'Dieselbe Anfrage läuft noch: Versuchen Sie es in einer Sekunde wieder',
  'The field was deleted while it was being indexed': 'Das Feld wurde gelöscht, während es indiziert wurde',
  'These have the same value: {ids}': 'Diese haben denselben Wert: {ids}',
  'An option of choices contains no semicolon and no comma: {value}':
    'Eine Option einer Mehrfachauswahl enthält weder Semikolon noch Komma: {value}',
  'There is no pipeline: create one first': 'Es gibt keine Pipeline: Legen Sie zuerst eine an',
  'The view is broken, change it first: {reason}': 'Die Ansicht ist fehlerhaft, ändern Sie sie zuerst: {reason}',
  '{label} must have at most {max} items': '{label}: Höchstens {max} Einträge sind erlaubt',
  'The file has more than {max} properties': 'Die Datei hat mehr als {max} Eigenschaften',
  'Line {line}: has more than {max} columns': 'Zeile {line}: mehr als {max} Spalten',
  'Line {line}: a quote is never closed': 'Zeile {line}: Ein Anführungszeichen wird nie geschlossen',
  'Line {line}: the row is too long': 'Zeile {line}: Die Zeile ist zu lang',
  'Line {line}: is not the beginning of a vCard': 'Zeile {line}: nicht der Anfang einer vCard',
  '{key} is not a declared field of {plural}: declare it in the settings of the console, or with POST /api-v1-fields':
    '{key} ist kein deklariertes Feld ({plural}): Deklarieren Sie es in den Einstellungen',
  'Line {line} is not a property of a vCard': 'Zeile {line} ist keine Eigenschaft einer vCard',
  'Line {line} is not the beginning of a vCard': 'Zeile {line} ist nicht der Anfang einer vCard',
  'Line {line} has text that is not {encoding}': 'Zeile {line} hat Text, der nicht {encoding} ist',
  'Line {line} begins a card without END:VCARD': 'In Zeile {line} beginnt eine Karte ohne END:VCARD',
  'Line {line} begins a card that is too long': 'In Zeile {line} beginnt eine Karte, die zu lang ist',
  'Audience cannot be participants: no user has sent or received this message':
    'Kein Benutzer hat diese Mail gesendet oder empfangen: Niemand könnte sie sehen',
  'Host, port, tls and user change only with the password: change the mailbox instead':
    'Host, Port, Verschlüsselung und Benutzer ändern sich nur mit dem Passwort: Ändern Sie stattdessen das Postfach',
  'You would not see the message after this undo': 'Sie würden diese Mail danach nicht mehr sehen',
  'Only users who sent or received a message can change its audience':
    'Nur wer eine Mail gesendet oder empfangen hat, bestimmt, wer sie sieht',
  'Status can change only from held to matched': 'Diese Mail ist nicht mehr zurückgehalten',
  'Password must have {min} to {max} characters': 'Das Passwort muss {min} bis {max} Zeichen haben',
  'Too many attempts: try again in {minutes} minute': 'Zu viele Versuche: Versuchen Sie es in {minutes} Minute wieder',
  'Too many attempts: try again in {minutes} minutes':
    'Zu viele Versuche: Versuchen Sie es in {minutes} Minuten wieder',
  'The server has too many {things}: try again in a second':
    'Der Server ist überlastet ({things}): Versuchen Sie es in einer Sekunde wieder',
  'Your plan allows at most {max} bytes of files, live and test together: the mailbox waits for room':
    'Ihr Tarif erlaubt höchstens {max} Bytes an Dateien (Live und Test zusammen): Das Postfach wartet auf Platz',
  'The password cannot be decrypted: set it again': 'Das Passwort lässt sich nicht entschlüsseln: Geben Sie es neu ein',
  'The mail server does not offer STARTTLS': 'Der Mailserver bietet kein STARTTLS an',
  'The mail server does not give out a message': 'Der Mailserver gibt eine Mail nicht heraus',
  'Passed over after {tries} tries (UID {uid}): {reason}': 'Nach {tries} Versuchen übersprungen (UID {uid}): {reason}',
  'Your plan allows at most {max} {things}': 'Ihr Tarif erlaubt höchstens {max} {things}',
  'Rate limit of {limit} requests a minute exceeded': 'Mehr als {limit} Anfragen in einer Minute',
  'Daily limit of {limit} requests exceeded': 'Mehr als {limit} Anfragen an einem Tag',
  'Insufficient permissions. Required scope: {scope}': 'Keine ausreichenden Rechte. Erforderlich: {scope}',
  'Only owners and admins may do this': 'Das dürfen nur Inhaber und Admins',
  'The record has changed: read it again, then repeat the change':
    'Der Datensatz hat sich geändert: Laden Sie ihn neu, und wiederholen Sie die Änderung',
  'This link is no longer valid: ask for a new one': 'Dieser Link ist nicht mehr gültig: Bitten Sie um einen neuen',
  'Email or password is wrong': 'E-Mail oder Passwort ist falsch',
  'This company has moved to {place}': 'Diese Firma ist umgezogen: {place}',
  'This company is being moved: try again in a few seconds':
    'Diese Firma zieht gerade um: Versuchen Sie es in einigen Sekunden wieder',
  'Too many sign-ins at once': 'Zu viele Anmeldungen auf einmal',
  'What would change has changed since it was proposed': 'Was sich ändern würde, hat sich seit dem Vorschlag geändert',
  'An unexpected error occurred': 'Ein unerwarteter Fehler ist aufgetreten',
  'No fields to update': 'Keine Felder zu ändern',
  '{label} is required in the stage "{name}"': '{label} ist in der Phase „{name}“ nötig',
  '{field} is required by "{name}": remove it from what that requires first':
    '{field} ist in „{name}“ nötig: Nehmen Sie es dort zuerst aus den Pflichtfeldern',
  'Invalid stage': 'Ungültige Phase',
  'Value follows the line items of the deal: change them':
    'Der Wert ergibt sich aus den Positionen des Deals: Ändern Sie diese',
  'Currency of a deal with line items cannot change: delete them first':
    'Die Währung eines Deals mit Positionen kann sich nicht ändern: Löschen Sie diese zuerst',
  'The line items of a deal must add up to at most {max}': 'Die Positionen eines Deals dürfen höchstens {max} ergeben',
  'The product has a price in {own}, the deal is in {other}: give a unit_price':
    'Das Produkt hat einen Preis in {own}, der Deal ist in {other}: Geben Sie einen Einzelpreis an',
  'Stage has deals: move them to another stage first':
    'In der Phase sind Deals: Verschieben Sie sie zuerst in eine andere Phase',
  'Pipeline has deals: move them to another pipeline first':
    'In der Pipeline sind Deals: Verschieben Sie sie zuerst in eine andere Pipeline',
  'The default pipeline cannot be deleted: make another pipeline the default first':
    'Die Standard-Pipeline kann nicht gelöscht werden: Machen Sie zuerst eine andere zum Standard',
  'This is not your current password': 'Das ist nicht Ihr derzeitiges Passwort',
  'No other owner can sign in: make a user with a password an owner first':
    'Kein anderer Inhaber kann sich anmelden: Machen Sie zuerst einen Benutzer mit Passwort zum Inhaber',
  'You cannot deactivate your own account': 'Sie können Ihr eigenes Konto nicht abschalten',
  'This user is deactivated': 'Dieser Benutzer ist abgeschaltet',
  'This session has already ended': 'Diese Sitzung ist schon beendet',
  'The company has been renamed in the meantime': 'Die Firma ist inzwischen umbenannt worden',
  'Your password has changed in the meantime': 'Ihr Passwort hat sich inzwischen geändert',
  'Sample data is only for a workspace without records': 'Beispieldaten sind nur für einen leeren Arbeitsbereich',
  '{company} already has a user with the email {email}': '{company} hat schon einen Benutzer mit der E-Mail {email}',
  'A revoked API key cannot be changed': 'Ein widerrufener API-Schlüssel kann nicht geändert werden',
  'A company has at most {max} users, deactivated ones included':
    'Eine Firma hat höchstens {max} Benutzer, deaktivierte eingeschlossen',
  'A user has at most {max} personal keys: revoke one first':
    'Ein Benutzer hat höchstens {max} persönliche Schlüssel: Widerrufen Sie zuerst einen',
  'Scopes must not include admin:all: you are not an admin':
    'Die Rechte dürfen admin:all nicht enthalten: Sie sind kein Admin',
  'Only an owner may create or change a personal key of an owner: others may only revoke it':
    'Nur Inhaber dürfen persönliche Schlüssel von Inhabern anlegen oder ändern: Andere dürfen sie nur widerrufen',
  'Url must be an absolute URL with https, without spaces or invisible characters':
    'Die URL muss mit https:// beginnen und darf weder Leerzeichen noch unsichtbare Zeichen haben',
  'Url must use https': 'Die URL muss mit https:// beginnen',
  'Url must not lead to a private, loopback or otherwise reserved address':
    'Die URL darf nicht zu einer privaten oder reservierten Adresse führen',
  'Url must not have a user name or a password': 'Die URL darf weder Benutzername noch Passwort haben',
  'Url must not have port 0': 'Die URL darf nicht den Port 0 haben',
  'Url must not have a fragment': 'Die URL darf kein # enthalten',
  'Url must have the name of a host that can exist': 'Die URL muss den Namen eines Rechners haben, den es geben kann',
  '{label} cannot be reached': 'Nicht erreichbar: {label}',
  'Sign in first': 'Melden Sie sich zuerst an',
  '{label} is required': '{label} ist erforderlich',
  '{label} are required': '{label} sind erforderlich',
  '{label} must not be empty': '{label} darf nicht leer sein',
  '{label} must be an http or https URL without spaces':
    '{label} muss mit http:// oder https:// beginnen und keine Leerzeichen haben',
  '{label} must be from {min} to {max}, with at most {places} decimals':
    '{label} muss von {min} bis {max} sein, mit höchstens {places} Nachkommastellen',
  '{label} must be an integer from {min} to {max}': '{label} muss eine ganze Zahl von {min} bis {max} sein',
  '{label} must be at most {max} bytes of JSON': '{label} darf höchstens {max} Bytes als JSON haben',
  '{label} must be at most {max} bytes': '{label} darf höchstens {max} Bytes haben',
  '{label} must have at most {max} characters': '{label} darf höchstens {max} Zeichen haben',
  '{label} must not contain line breaks or other control characters':
    '{label} darf weder Zeilenumbrüche noch andere Steuerzeichen haben',
  '{label} must be a name of up to {max} letters, digits and underscores that begins with a letter':
    '{label}: nötig ist ein Name aus höchstens {max} Buchstaben (a bis z), Ziffern und Unterstrichen, der mit einem Buchstaben beginnt',
  '{label} must be the name or the address of a host': '{label} muss der Name oder die Adresse eines Rechners sein',
  '{label} must be a currency code of three letters': '{label} muss ein Währungscode aus drei Buchstaben sein',
  'Currency must be a currency code of three letters, such as EUR, CHF or USD':
    'Die Währung muss ein Code aus drei Buchstaben sein, zum Beispiel EUR, CHF oder USD',
  'Phone country must be an ISO 3166-1 alpha-2 code of a country with telephone numbers, such as DE or US':
    'Der Code muss der eines Landes mit Telefonnummern sein, zum Beispiel DE oder US',
  'Time zone is unknown: it must be a name such as Europe/Berlin or UTC':
    'Unbekannte Zeitzone: Schreiben Sie einen Namen wie Europe/Berlin oder UTC',
  '{label} must be from {min} to {max}': '{label} muss von {min} bis {max} sein',
  '{label} must be a timestamp': '{label} muss ein Zeitpunkt sein',
  '{label} must be true or false': '{label} muss ja oder nein sein',
  '{label} must be a UUID': '{label} muss eine ID sein',
  '{label} must be the number of a change': '{label} muss die Nummer einer Änderung sein',
  '{label} takes 1 to {max} values separated by commas': '{label} nimmt 1 bis {max} Werte, durch Kommas getrennt',
  'There are no such changes': 'Solche Änderungen gibt es nicht',
  '{label} must be an array': '{label} muss eine Liste sein',
  '{label} must be an integer of at least 0': '{label} muss eine ganze Zahl ab 0 sein',
  '{label} must be a list of at least one of: {options}':
    '{label} muss mindestens einen dieser Werte enthalten: {options}',
  '{label} must be well-formed Unicode without U+0000': '{label} enthält ungültige Zeichen',
  '{label} must be a valid email address': '{label} muss eine gültige E-Mail-Adresse sein',
  '{label} must be at most {max} characters': '{label} darf höchstens {max} Zeichen haben',
  '{label} must be at least {min}': '{label} muss mindestens {min} sein',
  '{label} must be at most {max}': '{label} darf höchstens {max} sein',
  '{label} must be a date YYYY-MM-DD': '{label} muss ein Datum sein',
  '{label} must be a string': '{label} muss ein Text sein',
  '{label} must be a number': '{label} muss eine Zahl sein',
  '{label} is too long to be compared': '{label} ist zu lang für den Vergleich',
  '{label} must be one of its options; allowed: {options}': '{label} muss eine dieser Optionen sein: {options}',
  '{label} must be a value of the type {type}': '{label} muss ein Wert vom Typ {type} sein',
  '{label} must be one of: {options}': '{label} muss einer dieser Werte sein: {options}',
  '{label} must be in the future': '{label} muss in der Zukunft liegen',
  '{label} with this {key} already exists': '{label} mit gleichem Wert ({key}) existiert bereits',
  '{label} not found': 'Nicht gefunden: {label}',
  'The mail server refuses the user or the password': 'Der Mailserver lehnt den Benutzer oder das Passwort ab',
  'The folder {folder} cannot be opened': 'Der Ordner {folder} lässt sich nicht öffnen',
  'The mail server refuses the connection': 'Der Mailserver lehnt die Verbindung ab',
  'The mail server does not answer': 'Der Mailserver antwortet nicht',
  'The mail server can sign in nobody at the moment': 'Beim Mailserver kann sich gerade niemand anmelden',
  'The mail server does not answer any more': 'Der Mailserver antwortet nicht mehr',
  'The mail server has closed the connection': 'Der Mailserver hat die Verbindung geschlossen',
  'The mail server sends more than it was asked for': 'Der Mailserver sendet mehr, als verlangt war',
  '{host} has no address from which mail may be read':
    '{host} hat keine Adresse, von der E-Mails gelesen werden dürfen',
  '{host} has no address that webhooks may be sent to':
    '{host} hat keine Adresse, an die Webhooks gesendet werden dürfen',
  '{host} must be called with https': '{host} muss mit https aufgerufen werden',
  'The address of {host} could not be found: the name servers did not answer':
    'Die Adresse von {host} war nicht zu finden: Die Nameserver haben nicht geantwortet',
  'The headers of the response are too large': 'Die Kopfzeilen der Antwort sind zu groß',
  'The response is not valid HTTP': 'Die Antwort ist kein gültiges HTTP',
  'The response does not begin': 'Die Antwort beginnt nicht',
  'The server stopped during the attempt': 'Der Server wurde während des Versuchs beendet',
  'No connection within {n} s': 'Keine Verbindung in {n} s',
  'No response within {n} s': 'Keine Antwort in {n} s',
  'The request failed': 'Die Anfrage ist fehlgeschlagen',
  'The receiver responded with 410 Gone': 'Der Empfänger hat mit 410 (Gone) geantwortet',
  'No delivery has succeeded since {at}, in {attempts} attempts':
    'Seit {at} war keine Zustellung erfolgreich, bei {attempts} Versuchen',
  'It was copied from another database': 'Er wurde aus einer anderen Datenbank kopiert',
  'Only an owner may add, change or invite an owner': 'Nur Inhaber dürfen Inhaber anlegen, ändern oder einladen',
  'This user has no open link': 'Dieser Benutzer hat keinen offenen Link',
  'The server failed': 'Auf dem Server ist ein Fehler aufgetreten',
  'Tls must be implicit or starttls for this host': 'Für diesen Host ist eine Verschlüsselung nötig',
  'The former address belongs to another company': 'Die frühere Adresse ist die einer anderen Firma',
  'There is another address of the same kind by now: delete it first':
    'Es gibt inzwischen eine andere Adresse dieser Art: Löschen Sie sie zuerst',
  'This sender is ignored again by now': 'Dieser Absender wird inzwischen wieder ignoriert',
} as const
