import { isHereSql } from '../../../store/move-state.ts'
import type { Reader } from '../../../store/reader.ts'
import type { MailPlace } from '../lookup-address.ts'
import type { MailboxPlace } from './client.ts'

/** A source that is to be read. */
export interface Source {
  readonly id: string
  readonly workspaceId: number
  /** Changes with everything that a connection depends on. */
  readonly version: string
  readonly start: string
  readonly mailbox: Omit<MailboxPlace, 'address' | 'password'>
  /** Encrypted. */
  readonly password: string
  /** Where its messages arrive. */
  readonly place: MailPlace
}

type Row = Source['mailbox'] &
  Pick<Source, 'id' | 'workspaceId' | 'start' | 'password'> &
  Pick<MailPlace, 'companyId' | 'userId' | 'audience'>

const selectSql = `SELECT mail_source.id, mail_source.workspace_id AS workspaceId, company_id AS companyId, user_id AS userId,
    audience, host, port, tls, mail_source.user, password, folder, start
  FROM workspace CROSS JOIN mail_source ON mail_source.workspace_id = workspace.id
  CROSS JOIN mail_source_state ON mail_source_state.workspace_id = workspace.id AND source_id = mail_source.id
  WHERE mail_source.deleted_at IS NULL AND mail_source.is_active = 1
    AND (user_id IS NULL OR EXISTS (SELECT 1 FROM user WHERE user.id = user_id AND is_active = 1))
    AND ${isHereSql('company_id')}`

/** The sources of all companies that are served here. Those of users who are not active are left out. */
export function listSources(access: Reader): Source[] {
  return access.rows<Row>(selectSql).map(sourceOf)
}

/** Returns the current state of a source, or undefined if it must not be read any more. */
export function lookupSource(access: Reader, { workspaceId, id }: Source): Source | undefined {
  const row = access.row<Row>(`${selectSql} AND workspace.id = ? AND mail_source.id = ?`, workspaceId, id)
  return row && sourceOf(row)
}

function sourceOf(row: Row): Source {
  const { id, workspaceId, companyId, userId, audience, start, host, port, tls, user, password, folder } = row
  const address = user.includes('@') ? user : `${user}@${host}`
  return {
    ...{ id, workspaceId, start, password },
    version: JSON.stringify([host, port, tls, user, password, folder]),
    mailbox: { host, port, tls, user, folder },
    place: { companyId, workspaceId, id, kind: 'source', userId, dealId: null, audience, address },
  }
}
