import { type Property, partsOf, unescapeText } from './vcard-lines.ts'

/** Properties about the card and not about the person. */
const silent = new Set(['BEGIN', 'END', 'VERSION', 'PRODID', 'REV', 'X-ABLABEL', 'SOURCE', 'KIND', 'X-ABSHOWAS'])
/** Properties of which a card has one. */
const once = new Set(['N', 'FN'])
const nameParts = ['Last name', 'First name', 'Middle name', 'Prefix', 'Suffix']
const single: Readonly<Record<string, string>> = { TITLE: 'Job title', NOTE: 'Notes', BDAY: 'Birthday', UID: 'UID' }
/** Properties that a card has several times, with the name of their columns. */
const several: Readonly<Record<string, string>> = { EMAIL: 'E-mail', TEL: 'Phone' }
const fullName = 'Full name'
const others = 'Other organizations'
const plain = new Set([...nameParts, fullName, ...Object.values(single), 'Organization', 'Department', others])
const own = /^(?:(?:E-mail|Phone) \d+ - (?:Value|Label|Primary)|[A-Z][A-Z\d-]+)$/
const androidNickname = /^vnd\.android\.cursor\.item\/nickname;([^;]*)/

/** The columns of cards. Without a name in any card, there is one to write it into. */
export function cardColumns(names: ReadonlySet<string>): string[] {
  return [...names, ...(names.has(nameParts[1]!) || names.has(fullName) ? [] : [nameParts[1]!])]
}

/** Whether columns are those of cards: a name, and some that only cards have. */
export function isOfCards(columns: readonly string[]): boolean {
  const isNamed = [...nameParts.slice(0, 2), fullName].some((name) => columns.includes(name))
  return isNamed && columns.every((name) => plain.has(name) || own.test(name)) && columns.some((name) => own.test(name))
}

/** Whether the card is a group of an address book and not a person. */
export function isGroup(properties: readonly Property[]): boolean {
  return properties.some(
    ({ name, value }) => /^(?:KIND|X-ADDRESSBOOKSERVER-KIND)$/.test(name) && /^\s*group\s*$/i.test(value),
  )
}

export function groupName(properties: readonly Property[]): string {
  const named = properties.find(({ name }) => name === 'FN') ?? properties.find(({ name }) => name === 'N')
  return named ? partsOf(named.value).filter(Boolean).join(' ') : ''
}

/** The cells of a card, by the names of their columns. */
export function cellsOf(all: readonly Property[]): Map<string, string> {
  const properties = withoutAlternatives(all)
  const cells = new Map<string, string>()
  const put = (name: string, value: string) => {
    if (value !== '') cells.set(name, cells.has(name) ? `${cells.get(name)}; ${value}` : value)
  }
  const labels = new Map(
    properties.flatMap(({ name, group, value }) => (name === 'X-ABLABEL' && group ? [[group, value]] : [])),
  )
  const counts = new Map<string, number>()
  for (const property of properties) {
    const { name, value } = property
    if (silent.has(name)) continue
    if (name === 'N') partsOf(value).forEach((part, at) => void put(nameParts[at] ?? 'Suffix', part))
    else if (name === 'ORG') {
      const [organization = '', ...units] = partsOf(value)
      if (!cells.has('Organization')) put('Organization', organization)
      if (organization === (cells.get('Organization') ?? '')) {
        const unit = units.filter(Boolean).join(', ')
        if (!cells.get('Department')?.split('; ').includes(unit)) put('Department', unit)
      } else put(others, partsOf(value).filter(Boolean).join(', '))
    } else if (several[name]) {
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      putItem(put, `${several[name]} ${number}`, property, property.group && labels.get(property.group))
    } else if (name === 'FN') put(fullName, unescapeText(value))
    else if (name === 'ADR') put(name, partsOf(value).filter(Boolean).join(', '))
    else if (androidNickname.test(value)) put('NICKNAME', unescapeText(androidNickname.exec(value)![1]!))
    else put(single[name] ?? name, unescapeText(value))
  }
  const full = cells.get(fullName)
  const isNamed = cells.has('First name') || cells.has('Last name')
  if (isNamed || isCompany(all)) cells.delete(fullName)
  if (!isNamed && isCompany(all) && full !== undefined) cells.set('First name', full)
  return cells
}

/** Whether the card is that of a company, whose name is not divided. */
function isCompany(properties: readonly Property[]): boolean {
  return properties.some(({ name, value }) => /^(?:KIND:org|X-ABSHOWAS:company)$/i.test(`${name}:${value.trim()}`))
}

/** Of a value in several languages or notations (ALTID), only the preferred one or else the first. */
function withoutAlternatives(properties: readonly Property[]): Property[] {
  const chosen = new Map<string, Property>()
  const languages = new Map<string, string>()
  const keyOf = ({ name, altId }: Property) =>
    once.has(name) ? name : altId === undefined ? undefined : `${name} ${altId}`
  for (const property of properties) {
    const { name, language } = property
    const key = keyOf(property)
    if (key !== undefined && (!chosen.has(key) || (property.isPreferred && !chosen.get(key)!.isPreferred))) {
      chosen.set(key, property)
    }
    if (language !== undefined && !languages.has(name)) languages.set(name, language)
  }
  return properties.filter((property) => {
    const key = keyOf(property)
    if (key !== undefined) return chosen.get(key) === property
    return property.language === undefined || languages.get(property.name) === property.language
  })
}

function putItem(
  put: (name: string, value: string) => void,
  column: string,
  { types, label: own, isPreferred, value }: Property,
  label: string | undefined,
): void {
  const given = label === undefined ? own : unescapeText(label).replace(/^_\$!<(.*)>!\$_$/s, '$1')
  const known = ['fax', 'cell'].find((type) => types.includes(type))
  put(`${column} - Value`, unescapeText(value.replace(/^(?:tel|mailto):/i, '').replace(/;ext=(\d+)$/i, ' ext. $1')))
  put(`${column} - Label`, known === 'fax' ? known : (given ?? known ?? types[0] ?? ''))
  if (isPreferred) put(`${column} - Primary`, 'true')
}
