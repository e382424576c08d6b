import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Metafile, Plugin } from 'esbuild'

/** What people load first: these pages load no more than they use. */
const small = /\/(home|board)-page\.tsx$/

/**
 * Left alone, esbuild makes a file for each set of scripts that have modules in common: 40 files for one page. So the scripts that are loaded later
 * import all that they share with the first one, which becomes one file, and most import all that they share with each other: a few more.
 */
export function shareFiles({ inputs }: Metafile): Plugin {
  const first = Object.keys(inputs).find((path) => path.endsWith('/main.tsx'))!
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  const dynamic = new Set(imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path))
  // The first script waits for its texts. They must not import it.
  const later = [...dynamic].filter((path) => !path.includes('/german/'))
  const used = [first, ...later].flatMap((path) => [...modulesOf(path)])
  const shared = repeated(used).filter((path) => !path.includes('node_modules'))
  const ofFirst = modulesOf(first)
  const core = shared.filter((path) => ofFirst.has(path))
  const rest = shared.filter((path) => !ofFirst.has(path))
  const added = new Map(later.map((path) => [resolve(path), [...core, ...(small.test(path) ? [] : rest)]]))
  return {
    name: 'share-files',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const lines = added.get(path)?.map((module) => `import ${JSON.stringify(resolve(module))}\n`)
        if (!lines) return undefined
        return { contents: lines.join('') + readFileSync(path, 'utf8'), loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }

  function modulesOf(path: string, found = new Set<string>()): Set<string> {
    if (found.has(path)) return found
    found.add(path)
    for (const { path: next, kind } of inputs[path]!.imports) if (kind === 'import-statement') modulesOf(next, found)
    return found
  }
}

function repeated(values: string[]): string[] {
  return [...new Set(values.filter((value, at) => values.indexOf(value) !== at))]
}
