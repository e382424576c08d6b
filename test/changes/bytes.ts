import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { fold } from '../../src/lib/text.ts'
import { until } from '../support/wait.ts'

const endings = ['', '-wal', '-shm']
/** The contract (decision G11). */
const limitMs = 60_000

/** Where a file of the database has a form of a text. */
interface Place {
  name: string
  form: string
  ending: string
  /** In bytes from the start of the file. */
  at: number
}

/** The forms in which a text may be stored: as it is, in lower case, folded, and its pieces in the search index. */
function formsOf(text: string): string[] {
  const folded = fold(text)
  const pieces = Array.from({ length: Math.max(0, folded.length - 2) }, (_, at) => folded.slice(at, at + 3))
  return [...new Set([text, text.toLowerCase(), folded, ...(/^[\p{Script=Georgian}]+$/u.test(folded) ? pieces : [])])]
}

/** The texts of which the files of the database at `path` have a form, with the file and the form. */
export function findInFiles(path: string, texts: Readonly<Record<string, string>>): string[] {
  return placesIn(path, texts).map(sayPlace)
}

/** Waits until no byte of these texts is in the files of the database. Reads whole files only when what was found last is gone. */
export async function untilErased(path: string, texts: Readonly<Record<string, string>>): Promise<void> {
  let found: Place[] = []
  const look = () => {
    found = found.filter((place) => isStillThere(path, place))
    if (found.length === 0) found = placesIn(path, texts)
    return found.map(sayPlace)
  }
  await until('the texts are erased', look, { is: (seen) => seen.length === 0, limitMs })
}

function placesIn(path: string, texts: Readonly<Record<string, string>>): Place[] {
  const files = endings.filter((ending) => existsSync(path + ending))
  return files.flatMap((ending) => {
    const bytes = readFileSync(path + ending)
    return Object.entries(texts).flatMap(([name, text]) =>
      formsOf(text)
        .map((form) => ({ name, form, ending, at: bytes.indexOf(form) }))
        .filter(({ at }) => at >= 0),
    )
  })
}

function isStillThere(path: string, { form, ending, at }: Place): boolean {
  if (!existsSync(path + ending)) return false
  const file = openSync(path + ending, 'r')
  try {
    const bytes = Buffer.alloc(Buffer.byteLength(form))
    readSync(file, bytes, { position: at })
    return bytes.equals(Buffer.from(form))
  } finally {
    closeSync(file)
  }
}

function sayPlace({ name, form, ending }: Place): string {
  return `${name} as ${form} in kontor.db${ending}`
}
