import { plain } from './tidy.ts'

const betweenNumbers = /(?:\r\n|[\r\n]|:::|;(?!\s*ext=))+/
const digitsMin = 6
/** Longer cells are no list of numbers, and would exhaust the expressions. */
const cellLengthMax = 10_000

/** The addresses in a cell: `Ann Lee <ann@x.example>, mailto:bob@x.example`. What is none is returned as it is. */
export function addressesIn(cell: string): string[] {
  return plain(cell)
    .split(/[;\r\n]|:::/)
    .flatMap(addressesInPart)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

function addressesInPart(part: string): string[] {
  const named = [...part.matchAll(/<([^<>]*)>/g)].map(([, inner]) => inner!).filter((inner) => inner.includes('@'))
  if (named.length > 0) return named.map(bare)
  const parts = part.split(/[,|/\s]+/).filter((each) => each !== '')
  return parts.length > 0 && parts.every((each) => each.includes('@')) ? parts.map(bare) : listed(part)
}

/** The parts of a list whose parts are addresses or mean nothing: `a@x.example, -`. */
function listed(part: string): string[] {
  const parts = part.split(/[,|]/)
  return parts.every((each) => /^[^@\s]+@[^@\s]+$|^[-\s]*$|^n\/?a$/i.test(each.trim())) ? parts.map(bare) : [bare(part)]
}

/** An address without `mailto:` and signs around it. */
function bare(text: string): string {
  const address = text.trim().replace(/^mailto:([^?]*)(?:\?.*)?$/is, '$1')
  const [, inner] = /^["'(<[]([^@"'()<>[\]]*@[^@"'()<>[\]]*)["')>\]]$/.exec(address) ?? []
  return (inner ?? address).trim()
}

/** The telephone numbers in a cell. */
export function phonesIn(cell: string): string[] {
  if (cell.length > cellLengthMax) return [cell]
  return plain(cell)
    .split(betweenNumbers)
    .flatMap(splitNumbers)
    .map((each) =>
      each
        .trim()
        .replace(/^tel:/i, '')
        .replace(/^(\d{6,})\.0$/, '$1'),
    )
    .filter((each) => each !== '')
}

/** Splits at a slash, comma or bar in front of another complete number. In `089 / 123456` and `089/123456`, it is part of the number. */
function splitNumbers(part: string): string[] {
  const numbers = part.split(/[/,|](?=\s*(?:\+|0\d))/)
  return numbers.every((each) => each.replace(/\D/g, '').length >= digitsMin) ? numbers : [part]
}

/** Why a text is no telephone number; undefined: it may be one. */
export function notPhone(text: string): string | undefined {
  if (/^\d(?:[.,]\d+)?e\+?\d+$/i.test(text)) return 'a spreadsheet has rounded it'
  return /\d/.test(text) ? undefined : 'it has no digits'
}
