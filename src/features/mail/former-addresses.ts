import type { Written } from '../../engine/records/definition/change.ts'
import { ApiError } from '../../errors.ts'
import type { Reader, Writer } from '../../store/reader.ts'

// An address that a company has given up stays its own for ever: mail is still sent to it, and must not reach another company.

const prefix = 'mail_address '

/** Reserves the address that a record had, and refuses one of another company, which only an undo of a forged change asks for. */
export function reserveFormer({ tx, before, after, isRestored = false }: Written): void {
  const [was, is] = [before?.address, after?.address]
  if (was === is) return
  if (was) {
    const sql = 'INSERT OR IGNORE INTO setting SELECT ? || ?, company_id FROM workspace WHERE id = :workspace'
    tx.run(sql, prefix, was)
  }
  const isChosen = before !== undefined || isRestored
  if (is && isChosen && isOfAnother(tx, String(is)))
    throw new ApiError('CONFLICT', 'The former address belongs to another company')
}

function isOfAnother(tx: Writer, address: string): boolean {
  const sql = `WITH own AS (SELECT company_id FROM workspace WHERE id = :workspace)
    SELECT 1 FROM setting WHERE name = ? || ? AND value <> (SELECT company_id FROM own)
    UNION ALL
    SELECT 1 FROM workspace CROSS JOIN mail_address INDEXED BY mail_address_address ON mail_address.workspace_id = workspace.id
      WHERE mail_address.address = ? AND mail_address.deleted_at IS NULL AND company_id <> (SELECT company_id FROM own)`
  return tx.value(sql, prefix, address, address) !== undefined
}

/** Reserves the addresses of rows of a company that was served. `rowsSql` selects them by the company's id. */
export function reserveRemoved(tx: Writer, companyId: string, rowsSql: string): void {
  const sql = `INSERT OR IGNORE INTO setting SELECT ? || address, ? FROM main.mail_address
    WHERE address <> '' AND (workspace_id, id) IN (${rowsSql})`
  tx.run(sql, prefix, companyId, companyId)
}

/** Whether another company had one of these addresses. */
export function areFormerOfAnother(access: Reader, companyId: string, addresses: readonly unknown[]): boolean {
  const sql = 'SELECT 1 FROM setting WHERE name IN (SELECT ? || value FROM json_each(?)) AND value <> ? LIMIT 1'
  return access.value(sql, prefix, JSON.stringify(addresses), companyId) !== undefined
}
