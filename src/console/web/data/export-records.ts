import { environmentOf } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { queryOf } from './find.ts'
import { download } from './http.ts'
import { type ListState, parametersOf } from './list-state.ts'
import { type Row, titleOf, viewOf } from './resource-views.ts'
import { saveFile } from './save-file.ts'

/** What a list is saved as: CSV of the columns that it shows or of all, or vCards (decision K1). */
export type ExportFormat = 'shown' | 'all' | 'cards'

/** Saves every record of a list as a file. Spreadsheet programs recognize UTF-8 by the mark at its beginning. Throws ApiError. */
export async function saveList(
  of: string,
  state: ListState,
  columns: readonly string[],
  format: ExportFormat,
): Promise<void> {
  const { path, plural } = resourceOf(of)
  const { page, ...conditions } = parametersOf(of, state)
  const q = queryOf(state.q)
  const query = new URLSearchParams({
    ...conditions,
    ...(q !== '' && { q }),
    ...(format === 'shown' && { columns: exportedColumns(of, columns).join() }),
  })
  const type = format === 'cards' ? 'text/vcard' : 'text/csv'
  const file = await download(`/${path}?${query}`, type)
  const parts = format === 'cards' ? [file] : ['\uFEFF', file]
  const extension = format === 'cards' ? 'vcf' : 'csv'
  saveFile(new Blob(parts, { type }), `${plural.toLowerCase()}.${extension}`)
}

/** Saves one record as a vCard. Throws ApiError. */
export async function saveCard(of: string, row: Row): Promise<void> {
  const card = await download(`/${resourceOf(of).path}?${new URLSearchParams({ 'id[in]': row.id })}`, 'text/vcard')
  saveFile(card, `${titleOf(of, row)}.vcf`)
}

/** The most ids that a list is filtered by. */
const idsMax = 100

/** Saves these records as CSV with the columns that the list shows. Throws ApiError. */
export async function saveSelected(of: string, ids: readonly string[], columns: readonly string[]): Promise<void> {
  const { path, plural } = resourceOf(of)
  const texts: string[] = []
  const environment = environmentOf(location.pathname) // the user may leave it meanwhile
  for (let at = 0; at < ids.length; at += idsMax) {
    const some = ids.slice(at, at + idsMax).join()
    const query = new URLSearchParams({ 'id[in]': some, columns: exportedColumns(of, columns).join() })
    const text = await (await download(`/${path}?${query}`, 'text/csv', environment)).text()
    texts.push(at === 0 ? text : text.slice(text.indexOf('\n') + 1))
  }
  saveFile(new Blob(['\uFEFF', ...texts], { type: 'text/csv' }), `${plural.toLowerCase()}.csv`)
}

/** The columns of a file for those that a list shows: complete names, and an amount with its currency. */
function exportedColumns(of: string, columns: readonly string[]): string[] {
  const { fields, relations, collections } = resourceOf(of)
  const items = Object.entries(collections)
  return columns.flatMap((name, at) => {
    if (at === 0) return viewOf(of).name
    const field = fields.find((each) => each.name === name)
    const relation = relations[name]
    if (field?.target && relation) return viewOf(field.target).name.map((part) => `${relation}.${part}`)
    if (field?.currency) return [name, field.currency]
    return items.find(([, { as }]) => as === name)?.[0] ?? name
  })
}
