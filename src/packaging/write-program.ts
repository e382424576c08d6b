import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Program, pack } from './bundle-program.ts'
import { packedComment } from './packed-file.ts'

// Used by the build only.

/** Writes the code that starts the program, and a comment for each packed file, of which the program is the last one. */
export function writeFile({ start, main, packed }: Program, path: string): void {
  const comments = [...packed, ['main', pack(main)] as const].map(([name, bytes]) => packedComment(name, bytes))
  writeFileSync(path, `#!/usr/bin/env node\n${start}\n${comments.join('')}`)
  chmodSync(path, 0o755)
}

/** Writes an executable with this process's runtime inside, or with that of another platform. It may replace one that runs. */
export function writeExecutable({ main, packed }: Program, path: string, runtime?: string): void {
  const directory = mkdtempSync(join(dirname(path), 'sea-'))
  const put = (name: string, content: string | Buffer) => {
    const file = join(directory, name.replaceAll('/', '-'))
    writeFileSync(file, content)
    return file
  }
  const output = join(directory, 'output')
  const options = {
    main: put('main.cjs', main),
    output,
    ...(runtime && { executable: runtime }),
    assets: Object.fromEntries(packed.map(([name, bytes]) => [name, put(name, bytes)])),
    disableExperimentalSEAWarning: true,
    useCodeCache: runtime === undefined, // it is specific to the platform
  }
  try {
    execFileSync(process.execPath, ['--build-sea', put('config.json', JSON.stringify(options))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    renameSync(output, path)
  } finally {
    rmSync(directory, { recursive: true })
  }
}
