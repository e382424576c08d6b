import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Program } from './bundle-program.ts'

// Used by the build only.

type Content = Pick<Program, 'code' | 'packed'>

/** Writes the code, followed by a comment for each packed file: a start skips comments, but would parse literals. */
export function writeFile({ code, packed }: Content, path: string): void {
  const comments = packed.map(([name, bytes]) => `//${name} ${bytes.toString('base64')}\n`)
  writeFileSync(path, `#!/usr/bin/env node\n${code}\n${comments.join('')}`)
  chmodSync(path, 0o755)
}

/** Writes an executable with this process's runtime inside, or with that of another platform. */
export function writeExecutable({ code, packed }: Content, path: string, runtime?: string): void {
  const directory = mkdtempSync(join(dirname(path), 'sea-'))
  const put = (name: string, content: string | Buffer) => {
    const file = join(directory, name.replaceAll('/', '-'))
    writeFileSync(file, content)
    return file
  }
  const options = {
    main: put('main.cjs', code),
    output: path,
    ...(runtime && { executable: runtime }),
    assets: Object.fromEntries(packed.map(([name, bytes]) => [name, put(name, bytes)])),
    disableExperimentalSEAWarning: true,
    useCodeCache: runtime === undefined, // it is specific to the platform
  }
  execFileSync(process.execPath, ['--build-sea', put('config.json', JSON.stringify(options))], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(directory, { recursive: true })
}
