/** Messages of the server about what it does not do, or not now. `{label}` and the like stand for what varies. */
export const refusals = {
  'A replay of this webhook is still running': 'Das vorige erneute Senden dieses Webhooks läuft noch',
  'The log no longer has this change': 'Das Protokoll hat diese Änderung nicht mehr',
  'The log no longer has this change for the webhook': 'Das Protokoll hat diese Änderung nicht mehr',
  'The webhook is inactive: activate it first': 'Der Webhook ist abgeschaltet: Schalten Sie ihn zuerst ein',
  'The newest change of the log is {latest}': 'Die neueste Änderung hat die Nummer {latest}',
  'The oldest change of the log is {oldest}': 'Die älteste Änderung hat die Nummer {oldest}',
  'after must be the number of a change': 'Nötig ist die Nummer einer Änderung',
  'until must be the number of a change': 'Nötig ist die Nummer einer Änderung',
  'after must be less than {until}': 'Die Nummer muss kleiner als {until} sein',
  'The certificate is not valid: {reason}': 'Das Zertifikat ist nicht gültig: {reason}',
  'Your plan ({plan}) does not include {things}': 'Ihr Tarif ({plan}) enthält das nicht: {things}',
  'A workspace has at most {max} shared {things}: delete one first':
    'Höchstens {max}, die alle sehen ({things}): Löschen Sie zuerst etwas davon',
  'A user has at most {max} personal {things}: delete one first':
    'Höchstens {max} persönliche ({things}): Löschen Sie zuerst etwas davon',
  'A workspace has at most {max} {things} for each resource: delete one first':
    'Höchstens {max} {things} für jede Art von Datensätzen: Löschen Sie zuerst etwas davon',
  'A workspace has at most {max} {things}: delete one first':
    'Höchstens {max} {things}: Löschen Sie zuerst etwas davon',
  'A deal has at most {max} {things}: delete one first':
    'Höchstens {max} {things} in einem Deal: Löschen Sie zuerst etwas davon',
  'The proposal has already been {status}': 'Über den Vorschlag ist schon entschieden ({status})',
  'Job is already {status}': 'Der Import ist schon zu Ende ({status})',
  'Record is too large: {bytes} bytes': 'Der Datensatz ist zu groß: {bytes} Bytes',
  'The record could not be processed': 'Der Datensatz konnte nicht verarbeitet werden',
  'This job has no stored results': 'Die Ergebnisse dieses Imports sind nicht gespeichert',
  'The records cannot be merged: {reason}': 'Die Datensätze können nicht zusammengeführt werden: {reason}',
  'The merged record would have more than {max} {things}':
    'Der zusammengeführte Datensatz hätte mehr als {max} Einträge ({things})',
  'A merge moves at most {max} records: merge fewer records at a time, or into the one to which most records belong':
    'Mehr als {max} Datensätze würden verschoben: Führen Sie weniger auf einmal zusammen, oder zu dem, der die meisten hat',
  'The record was changed since it was created': 'Der Datensatz wurde nach dem Anlegen geändert',
  'The record was changed since it was restored': 'Der Datensatz wurde nach dem Wiederherstellen geändert',
  'The record is deleted: restore it first': 'Der Datensatz ist gelöscht: Stellen Sie ihn zuerst wieder her',
  'The {things} of this {key} is deleted: restore it first': 'Gelöscht und zuerst wiederherzustellen: {things} ({key})',
  '{label} is deleted: restore it first': 'Gelöscht und zuerst wiederherzustellen: {label}',
  'Activities are never changed or deleted': 'Aktivitäten werden nie geändert oder gelöscht',
  'Changes of API keys are not undone: change or revoke the key':
    'Änderungen an API-Schlüsseln werden nicht rückgängig gemacht: Ändern oder widerrufen Sie den Schlüssel',
  'Changes of users are not undone: change the user':
    'Änderungen an Benutzern werden nicht rückgängig gemacht: Ändern Sie den Benutzer',
  'Changes of webhooks are not undone: change the webhook':
    'Änderungen an Webhooks werden nicht rückgängig gemacht: Ändern Sie den Webhook',
  'An undo takes at most {max} changes': 'Höchstens {max} Änderungen lassen sich auf einmal rückgängig machen',
  'The job {id} still runs: wait for it, or cancel it first':
    'Der Import {id} läuft noch: Warten Sie sein Ende ab, oder brechen Sie ihn ab',
  'Some {things} have the same {field}: {ids}': 'Manche {things} haben denselben Wert ({field}): {ids}',
  'There are more than {max} {things}: declare the field without unique, and make it unique when it has been indexed':
    'Mehr als {max} {things}: Das Feld wird erst nach dem Anlegen eindeutig. Legen Sie es ohne das an',
  'There are more than {max} {things}: restore the field from the trash, which waits until it is indexed':
    'Mehr als {max} {things}: Stellen Sie das Feld aus dem Papierkorb wieder her, der wartet, bis es indiziert ist',
  'The field is declared and being indexed: make it unique when it is':
    'Das Feld ist angelegt und wird noch indiziert: Machen Sie es danach eindeutig',
  '{label} is being indexed: try again in a moment': '{label} wird noch indiziert: Versuchen Sie es gleich wieder',
  'Only owners and admins may change {things}, not members': 'Das dürfen nur Inhaber und Admins ändern: {things}',
  'Your role has changed: send the request again': 'Ihre Rolle hat sich geändert: Versuchen Sie es noch einmal',
  'The content of this file cannot be read': 'Der Inhalt dieser Datei lässt sich nicht lesen',
  'The content of this file is missing on the server: its operator can restore it from a backup':
    'Der Inhalt dieser Datei fehlt auf dem Server: Der Betreiber kann ihn aus einer Sicherung wiederherstellen',
  'The content of this file has another length on the server: its operator can restore it from a backup':
    'Der Inhalt dieser Datei hat auf dem Server eine andere Länge: Der Betreiber kann ihn aus einer Sicherung wiederherstellen',
  'The content of this file is damaged: the operator of the server can restore it from a backup':
    'Der Inhalt dieser Datei ist beschädigt: Der Betreiber kann ihn aus einer Sicherung wiederherstellen',
  'Only owners of the only company of a server may make backups':
    'Nur Inhaber der einzigen Firma eines Servers dürfen Sicherungen machen',
  'This server makes no backups: its operator sets KONTOR_BACKUP_DIR':
    'Dieser Server macht keine Sicherungen: Sein Betreiber setzt KONTOR_BACKUP_DIR',
  'A backup is being made already': 'Es wird schon gesichert',
  'You have no calendar address': 'Sie haben keine Kalenderadresse',
  'There is no sample data': 'Es gibt keine Beispieldaten',
  'This link is no longer valid: it works once, within {hours} hours; "kontor setup-link" creates a new one':
    'Dieser Link ist nicht mehr gültig: Er wirkt einmal, innerhalb von {hours} Stunden. „kontor setup-link“ macht einen neuen',
  'Too many {things} for one client: wait until some have ended':
    'Zu vieles gleichzeitig ({things}): Warten Sie, bis etwas davon zu Ende ist',
  'The {things} took longer than {seconds} s: {reason}': 'Länger als {seconds} s gedauert hat: {things}. {reason}',
  'it waited for other long lists: try again later': 'Versuchen Sie es später wieder',
  'try again later, or with a smaller limit': 'Versuchen Sie es später wieder',
  'add a filter that few records match': 'Filtern Sie enger',
  'read it page by page with cursor, or add a filter that few records match': 'Filtern Sie enger',
  'narrow the filter {name}, or add a filter that few records match': 'Filtern Sie enger ({name})',
  'give more or longer words, or fewer types': 'Suchen Sie mit mehr oder längeren Wörtern',
  'Search for duplicates': 'Suche nach Dubletten',
  'Other long requests took too long: try again later':
    'Andere lange Anfragen haben zu lange gedauert: Versuchen Sie es später wieder',
  'The work was interrupted': 'Die Arbeit wurde unterbrochen',
  'Nothing was written: {reason}': 'Nichts wurde gespeichert: {reason}',
  'The disk does not accept writes: {reason}': 'Der Datenträger nimmt nichts an: {reason}',
  'The disk did not confirm the write: {reason}': 'Der Datenträger hat das Speichern nicht bestätigt: {reason}',
} as const
