import { requireTimeZone } from '../../access/time-zone.ts'
import { requireEmail } from '../../access/user.ts'
import { requirePhoneCountry } from '../../engine/records/phones/phone-country.ts'
import { ApiError } from '../../errors.ts'
import type { Unverified } from './unverified.ts'

interface Setting {
  table: string
  /** The column that names the row. */
  id: string
  column: string
  /** Throws VALIDATION_ERROR for what the API refuses. */
  require(value: string): unknown
}

const settings: readonly Setting[] = [
  { table: 'company', id: 'id', column: 'phone_country', require: requirePhoneCountry },
  { table: 'company', id: 'id', column: 'time_zone', require: requireTimeZone },
  { table: 'calendar_feed', id: 'user_id', column: 'time_zone', require: requireTimeZone },
  { table: 'user', id: 'id', column: 'email', require: requireEmail },
]

/** Finds settings of a company file and of its users that the API refuses. One sentence each. */
export async function* verifySettings({ access }: Unverified): AsyncGenerator<string> {
  for (const { table, id, column, require } of settings) {
    const sql = `SELECT "${id}" AS id, "${column}" AS value FROM main."${table}" WHERE "${column}" IS NOT NULL`
    for (const row of access.rows<{ id: string; value: string }>(sql)) {
      try {
        await require(row.value)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        yield `${table}.${column} of the row ${row.id} is not one that Kontor accepts (${error.message})`
      }
    }
  }
}
