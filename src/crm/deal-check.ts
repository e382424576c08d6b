import type { Reader } from '../store/reader.ts'

/**
 * Finds deals whose contact is not among the people on them (decision T2), whose time in the stage cannot be (T5), and whose digits are not those
 * of their value (T3).
 */
export function* verifyDeals(reader: Reader): Generator<string> {
  const without = `SELECT id FROM deal WHERE workspace_id = :workspace AND deleted_at IS NULL AND contact_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM deal_contact AS link WHERE link.workspace_id = :workspace AND deal_id = deal.id AND link.contact_id = deal.contact_id)`
  for (const id of reader.each<string>(without)) yield `deal ${id} has a contact that is not among its people`
  const wrong = `SELECT id FROM deal WHERE workspace_id = :workspace AND deleted_at IS NULL
    AND (entered_at IS NULL OR entered_at > max(updated_at, created_at))`
  for (const id of reader.each<string>(wrong)) yield `deal ${id} entered its stage after its last change, or never`
  const exact = `SELECT json_array(id, value, value_digits) FROM deal WHERE workspace_id = :workspace AND value_digits IS NOT NULL`
  for (const row of reader.each<string>(exact)) {
    const [id, value, digits]: [string, number, string] = JSON.parse(row)
    if (Number(digits) !== value) yield `deal ${id} has digits that are not those of its value`
  }
}
