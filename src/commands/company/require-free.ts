import { environments, findWorkspaceId, listWorkspaceIds } from '../../access/company.ts'
import { logIdOf } from '../../changes/log-name.ts'
import { OperatorError } from '../../errors.ts'
import { areFormerOfAnother } from '../../features/mail/former-addresses.ts'
import type { CompanyTable } from '../../store/company-tables.ts'
import type { Reader } from '../../store/reader.ts'
import type { CompanyFile } from './company-file.ts'
import { rowsMax } from './remove-company.ts'

/** Throws OperatorError if something that must be unique in the file, such as a user's id or the hash of a key, exists here already. */
export function requireFree(access: Reader, file: CompanyFile, tables: readonly CompanyTable[]): void {
  for (const table of tables) {
    for (const column of uniqueOf(access, table)) {
      const at = table.columns.indexOf(column)
      for (const rows of file.parts(table.name, rowsMax)) {
        requireUnused(
          access,
          { table: table.name, column },
          rows.map((row) => row[at]),
        )
      }
    }
  }
  for (const rows of file.parts('mail_address', rowsMax)) {
    const at = tables.find(({ name }) => name === 'mail_address')!.columns.indexOf('address')
    const addresses = rows.map((row) => row[at])
    if (areFormerOfAnother(access, file.companyId, addresses))
      throw new OperatorError('The file has a mail address that another company had. Nothing was imported.')
  }
  const own = environments.map((environment) =>
    logIdOf(file.access, findWorkspaceId(file.access, file.companyId, environment)),
  )
  if (new Set(own).size < own.length || listWorkspaceIds(access).some((id) => own.includes(logIdOf(access, id)))) {
    throw new OperatorError('The file gives a log of changes the name of another one. Nothing was imported.')
  }
}

/** Columns that lead to one company, although no unique index says so. Proxies route by the prefixes of keys, mail by addresses. */
const leading: Readonly<Record<string, string>> = { api_key: 'prefix', mail_address: 'address', mail_source: 'id' }

/** The columns that no two rows of all companies may share. */
function uniqueOf(access: Reader, { name }: CompanyTable): string[] {
  const sql = `SELECT min(info.name) FROM pragma_index_list(?, 'main') AS list, pragma_index_info(list.name) AS info
    WHERE list."unique" = 1 AND list.partial = 0 GROUP BY list.name HAVING count(*) = 1`
  return [...access.values<string>(sql, name), leading[name] ?? []].flat()
}

function requireUnused(access: Reader, { table, column }: { table: string; column: string }, values: unknown[]): void {
  const sql = `SELECT 1 FROM main."${table}" WHERE "${column}" IN (SELECT value FROM json_each(?)) LIMIT 1`
  if (access.value(sql, JSON.stringify(values)) === undefined) return
  throw new OperatorError(`The file has a row of ${table} whose ${column} exists here already. Nothing was imported.`)
}
