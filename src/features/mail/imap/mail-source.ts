import { user } from '../../../crm/user.ts'
import { resource } from '../../../engine/records/define.ts'
import type { Change, Row } from '../../../engine/records/definition/change.ts'
import { fixed, reference, required, unlogged } from '../../../engine/records/kinds/fields.ts'
import { choice, pattern, text } from '../../../engine/records/kinds/text-kinds.ts'
import { flag, timestamp, whole } from '../../../engine/records/kinds/value-kinds.ts'
import { dayForm } from '../../../lib/moment.ts'
import type { Reader } from '../../../store/reader.ts'
import { encryptions } from './client.ts'
import { forgetPosition, removeState } from './source-state.ts'

/** Announced to listeners (`Store.listen`) when a source has changed. */
export const sourcesChanged = 'mail sources changed'

/** In characters. */
export const passwordMax = 1_000
const hostMax = 253
const folderMax = 500
/** With another one of these, the password is needed again: it must not go to another server. */
const needPassword = ['host', 'port', 'tls', 'user']
/** With another one of these, it is another folder. */
const ofFolder = ['host', 'port', 'user', 'folder']

/** A folder of a mailbox, from which messages come (decision P3). Its password is in the table of its state, encrypted. */
export const mailSource = resource('mail_source', {
  path: 'api-v1-mail-sources',
  scope: 'messages',
  counted: false,
  operations: [], // source-routes.ts
  changesReadBy: () => ['admin:all'],
  fields: {
    user_id: fixed(reference(user)),
    audience: choice(['team', 'participants'], { default: 'participants' }),
    host: required(
      pattern(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, 'the name or the address of a host', {
        max: hostMax,
        examples: ['imap.example.com', 'mail.example.org'],
      }),
      'Host is required',
    ),
    port: required(whole({ min: 1, max: 65_535 }), 'Port is required'),
    tls: choice(encryptions, { default: 'implicit' }),
    user: required(text(), 'User is required'),
    folder: text({ max: folderMax, default: 'INBOX' }),
    start: fixed(
      pattern(new RegExp(`^(?:now|all|${dayForm})$`), '`now`, `all` or a date', {
        default: 'now',
        examples: ['now', '2026-01-31'],
      }),
    ),
    is_active: flag({ default: true }),
    last_success_at: unlogged(timestamp()),
    last_error: unlogged(text()),
    last_error_at: unlogged(timestamp()),
  },
  filters: ['user_id', 'created_at'],
  sorts: ['created_at'],
  pageSize: { default: 50, max: 100 },
  title: ['user'],
  max: 100,
  ...{ beforeWrite: change, beforeRestore: change, refusesUndo },
  beforeRemove: ({ tx }) => tx.announce(sourcesChanged),
  beforeErase: removeState,
  about: {
    summary: 'A folder of a mailbox, from which messages come by IMAP. It is only read.',
    fields: {
      user_id: 'Whose mailbox it is; null: it is the company’s. Default: the caller, if it is a person.',
      audience: 'Who sees what it brings: `team`, or only the users who have sent or received it.',
      port: 'Usually 993 with `implicit` and 143 with `starttls`.',
      tls: '`implicit` encrypts at once, `starttls` before the password is sent. `none` is only for hosts that the operator allows.',
      user: 'The name with which it signs in.',
      folder: 'The path of the folder.',
      start:
        '`now` brings what arrives from the first connection on, `all` everything, a date what has arrived since then.',
      is_active: 'Whether it is read. It continues where it stopped.',
      last_success_at: 'When the mailbox was read for the last time.',
      last_error: 'Why it cannot be read; null since it can be read again.',
    },
    example: { host: 'imap.example.com', port: 993, user: 'ada@example.com', start: 'now' },
    patch: { audience: 'team' },
    unshown: {
      password: { schema: { type: 'string', minLength: 1, maxLength: passwordMax }, example: 'correct horse' },
    },
  },
})

/** Whether a change of a source needs its password again (decision P3). */
export function needsPassword(before: Row, after: Row): boolean {
  return needPassword.some((name) => before[name] !== after[name])
}

/** Whether a source leads to the folder of this mailbox. */
export function isAtFolder(reader: Reader, id: string, mailbox: Row): boolean {
  const row = reader.row<Row>('SELECT * FROM mail_source WHERE workspace_id = :workspace AND id = ?', id)
  return row !== undefined && ofFolder.every((name) => row[name] === mailbox[name])
}

/** An undo has no password. */
function refusesUndo(fields: Readonly<Record<string, unknown>>): string | undefined {
  const isNeeded = needPassword.some((name) => Object.hasOwn(fields, name))
  return isNeeded ? 'Host, port, tls and user change only with the password: change the mailbox instead' : undefined
}

function change({ tx, id, before, after }: Change): void {
  tx.announce(sourcesChanged)
  if (before && ofFolder.some((name) => before[name] !== after[name])) forgetPosition(tx, id)
}
