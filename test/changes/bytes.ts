import { existsSync, readFileSync } from 'node:fs'
import { fold } from '../../src/lib/text.ts'
import { until } from '../support/wait.ts'

const endings = ['', '-wal', '-shm']
/** The contract (decision G11). */
const limitMs = 60_000

/** The forms in which a text may be stored: as it is, in lower case, folded, and its pieces in the search index. */
function formsOf(text: string): string[] {
  const folded = fold(text)
  const pieces = Array.from({ length: Math.max(0, folded.length - 2) }, (_, at) => folded.slice(at, at + 3))
  return [...new Set([text, text.toLowerCase(), folded, ...(/^[\p{Script=Georgian}]+$/u.test(folded) ? pieces : [])])]
}

/** The texts of which the files of the database at `path` have a form, with the file and the form. */
export function findInFiles(path: string, texts: Readonly<Record<string, string>>): string[] {
  const files = endings.filter((ending) => existsSync(path + ending))
  return files.flatMap((ending) => {
    const bytes = readFileSync(path + ending)
    return Object.entries(texts).flatMap(([name, text]) =>
      formsOf(text)
        .filter((form) => bytes.includes(form))
        .map((form) => `${name} as ${form} in kontor.db${ending}`),
    )
  })
}

/** Waits until no byte of these texts is in the files of the database. */
export async function untilErased(path: string, texts: Readonly<Record<string, string>>): Promise<void> {
  await until('the texts are erased', () => findInFiles(path, texts), { is: (found) => found.length === 0, limitMs })
}
