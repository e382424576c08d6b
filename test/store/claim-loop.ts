import { rmSync, writeFileSync } from 'node:fs'
import { OperatorError } from '../../src/errors.ts'
import { claim } from '../../src/store/lock.ts'

/** Claims a file again and again, and says how often another process had it at the same time. */

const [path = '', count] = process.argv.slice(2)
let both = 0
for (let claimed = 0; claimed < Number(count); ) {
  const release = tryToClaim()
  if (!release) continue
  claimed++
  try {
    writeFileSync(path, '', { flag: 'wx' })
    rmSync(path)
  } catch {
    both++
  }
  release()
}
console.log(both)

function tryToClaim(): (() => void) | undefined {
  try {
    return claim(path)
  } catch (error) {
    if (error instanceof OperatorError) return undefined
    throw error
  }
}
