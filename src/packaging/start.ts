import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compile } from './code-cache.ts'
import { findPacked, unpacked } from './packed-file.ts'
import { setV8Flags } from './v8-flags.ts'

// The code of dist/kontor.cjs: runs the program, which is packed behind it.

setV8Flags()
const file = readFileSync(__filename)
const main = findPacked(file, 'main')
const code = main && textOf(main)
if (code) {
  const parameters = 'exports, require, module, __filename, __dirname, packedFile'
  const script = compile(`(function (${parameters}) {${code}\n})`, __filename, hash('sha256', main))
  script.runInThisContext()(exports, require, module, __filename, __dirname, file)
} else {
  process.stderr.write(
    `kontor: ${__filename} is incomplete or damaged, or was replaced during the start: start again, or download it again.\n`,
  )
  process.exitCode = 1
}

/** Undefined: it is damaged. */
function textOf(packed: Buffer): string | undefined {
  try {
    return unpacked(packed).toString('latin1') // it is ASCII
  } catch {
    return undefined
  }
}
