import { environments } from '../../access/company.ts'
import { listCompanyTables, ownRows, progressTables, tableOf } from '../../store/company-tables.ts'
import type { Reader } from '../../store/reader.ts'
import type { Unverified } from './unverified.ts'

/** Finds rows of a company file that an export of this company does not write: those of another one, and settings. One sentence each. */
export function* verifyOwner({ access, companyId }: Unverified): Generator<string> {
  if (access.value('SELECT 1 FROM company WHERE id = ?', companyId) === undefined) {
    yield `the company ${companyId} that it names is not in it`
  }
  for (const table of [...listCompanyTables(access), ...progressTables.map((name) => tableOf(access, name))]) {
    const sql = `SELECT count(*) FROM main."${table.name}" WHERE (${ownRows(table, 'main')}) IS NOT 1`
    yield* foreignRows(table.name, access.value<number>(sql, companyId)!)
  }
  for (const name of ['setup_link', 'sign_in_attempt']) {
    yield* foreignRows(name, access.value<number>(`SELECT count(*) FROM main."${name}"`)!)
  }
  const workspaces = access.rows<{ id: number; environment: string }>('SELECT id, environment FROM workspace')
  const missing = environments.find((environment) => !workspaces.some((each) => each.environment === environment))
  if (missing) yield `the company has no ${missing} workspace`
  yield* foreignSettings(
    access,
    workspaces.map(({ id }) => id),
  )
}

function* foreignRows(table: string, count: number): Generator<string> {
  if (count > 0) yield `rows of ${table} are not of this company (${count})`
}

/** What the schema and the export put there. None of it is copied but the names of logs and the request of sample data. */
function* foreignSettings(access: Reader, workspaces: readonly number[]): Generator<string> {
  const forms: Record<string, RegExp> = {
    ...{ cursor_secret: /^[\da-f]{64}$/, log_origin: /^[\da-f]{64}$/, webhook_key: /^[\da-f]{64}$/ },
    moved_company: /^[\da-f-]{36}$/,
  }
  for (const id of workspaces) {
    forms[`log_id ${id}`] = /^[\da-f]{32}$/
    forms[`sample_data ${id}`] = /^[\w.:/+=@-]{1,128}$/
  }
  for (const { name, value } of access.rows<{ name: string; value: string }>('SELECT name, value FROM setting')) {
    if (!Object.hasOwn(forms, name) || !forms[name]!.test(value))
      yield `an export writes no such setting ${JSON.stringify(name)}`
  }
}
