import type { Sheet } from './csv.ts'
import { fieldOf, resourceOf } from './session.ts'
import { viewOf } from './views.ts'

/** A field that a column can fill. */
export interface Slot {
  name: string
  label: string
  required: boolean
}

/** The slot of each column, by its index; undefined: the column is not imported. */
export type Mapping = (string | undefined)[]

/** A row as the bulk import accepts it. */
export type ImportRecord = Record<string, unknown>

/** Other names for the fields, in several languages; letters only. */
const synonyms: Record<string, string[]> = {
  first_name: ['firstname', 'givenname', 'vorname'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname'],
  job_title: ['jobtitle', 'position', 'title', 'role'],
  'emails.email': ['email', 'emailaddress', 'mail', 'emails'],
  'phones.phone_number': ['phone', 'phonenumber', 'telephone', 'mobile', 'telefon', 'phones'],
  name: ['organization', 'organizationname', 'company', 'companyname', 'account', 'firma'],
  organization_type: ['type', 'industry', 'organizationtype'],
  postal_code: ['postalcode', 'zip', 'zipcode', 'postcode', 'plz'],
  address: ['street', 'streetaddress', 'addressline'],
  city: ['town', 'ort', 'stadt'],
  state: ['region', 'province'],
  domain: ['website', 'web', 'url'],
}

export function slotsOf(of: string): Slot[] {
  const { collections } = resourceOf(of)
  const fields = viewOf(of).form.map((name) => fieldOf(of, name))
  const items = Object.entries(collections).map(([collection, { fields }]) => ({
    name: `${collection}.${fields[0]!.name}`,
    label: fields[0]!.label,
    required: false,
  }))
  return [
    ...fields.map(({ name, label, required, target }) => ({ name, label: target ? `${label} id` : label, required })),
    ...items,
  ]
}

/** Matches each column with the field of the same name. */
export function matchColumns(of: string, columns: string[]): Mapping {
  const free = slotsOf(of)
  return columns.map((column) => {
    const at = free.findIndex((slot) => isCalled(slot, lettersOf(column)))
    return at === -1 ? undefined : free.splice(at, 1)[0]!.name
  })
}

function isCalled({ name, label }: Slot, column: string): boolean {
  return lettersOf(name) === column || lettersOf(label) === column || (synonyms[name] ?? []).includes(column)
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '')
}

export function recordsOf(of: string, sheet: Sheet, mapping: Mapping): ImportRecord[] {
  return sheet.rows.map((row) => {
    const record: ImportRecord = {}
    mapping.forEach((slot, at) => {
      if (slot !== undefined) put(record, of, slot, row[at]!.trim())
    })
    return record
  })
}

function put(record: ImportRecord, of: string, slot: string, text: string): void {
  if (text === '') return
  const [collection, item] = slot.split('.')
  if (item !== undefined) {
    record[collection!] = [{ [item]: text }]
    return
  }
  record[slot] =
    fieldOf(of, slot).kind === 'flag' ? flagOf(text) : fieldOf(of, slot).kind === 'choice' ? text.toLowerCase() : text
}

/** Converts text to a flag. Other text is sent unchanged, and the server rejects it with a message. */
function flagOf(text: string): unknown {
  if (/^(true|yes|y|1|x|ja)$/i.test(text)) return true
  return /^(false|no|n|0|nein)$/i.test(text) ? false : text
}
